import JSONValue
import Simulators
import Testing

@Suite("Signals")
struct SignalTests {
    @Test("the plain text is compact JSON in the order of the app")
    func writes() {
        let signal = Signal(action: .add, token: "ab", provider: "apns-sandbox")
        #expect(signal.plainText == #"{"token":"ab","provider":"apns-sandbox","action":"add"}"#)
    }

    @Test(
        "an action is read as the C# service reads it",
        arguments: [
            (#""add""#, Signal.Action.add), (#""REMOVE""#, .remove), (#""Add""#, .add), ("null", .add),
            (#""nonsense""#, .add), (#""0""#, .add), (#""1""#, .remove), (#""7""#, nil),
        ] as [(String, Signal.Action?)]
    )
    func readsAction(text: String, expected: Signal.Action?) throws {
        let signal = try #require(Signal(plainText: "{\"ACTION\":\(text),\"Token\":\"t\",\"x\":[]}"))
        #expect(signal == Signal(action: expected, token: "t", provider: nil))
    }

    @Test(
        "what the service cannot read is no signal",
        arguments: [#"{"action":1}"#, #"{"action":true}"#, "[]", "", #"{"token":{}}"#]
    )
    func refuses(text: String) {
        #expect(Signal(plainText: text) == nil)
    }

    @Test("scalars become text, and absent members nothing")
    func readsScalars() {
        #expect(
            Signal(plainText: #"{"token":12,"provider":true}"#)
                == Signal(action: .add, token: "12", provider: "True")
        )
        #expect(Signal(plainText: "{}") == Signal(action: .add, token: nil, provider: nil))
    }
}
