import Testing

@testable import APNsRules

@Suite("APNs: the lock screen")
struct LockScreenTests {
    private static let long = String(repeating: "a", count: 41)

    @Test("cuts a line where it does not fit, and puts a text on one line")
    func cuts() {
        #expect(LockScreen.line(nil) == "")
        #expect(LockScreen.line("Pump 3\nis\r\nhot") == "Pump 3 is hot")
        #expect(LockScreen.line(String(Self.long.dropLast())) == String(Self.long.dropLast()))
        #expect(LockScreen.line(Self.long) == String(repeating: "a", count: 39) + "…")
        #expect(LockScreen.line(String(repeating: "👨‍👩‍👧", count: 40)).count == 40)
    }

    @Test(
        "an alert that says nothing there is noted",
        arguments: [
            (#"{"title":"Pump 3","body":"Pressure"}"#, []), (#"{"title-loc-key":"T","loc-key":"B"}"#, []),
            (#""text""#, ["alert without a title"]), (#"{"body":"x"}"#, ["alert without a title"]),
            (#"{"title":"","body":"x"}"#, ["alert without a title"]),
            (#"{"loc-key":"B"}"#, ["alert without a title"]),
            (
                #"{"title":"\#(long)","body":"x"}"#,
                ["title is longer than a line of a lock screen: 41 characters, 40 fit"]
            ),
            (
                #"{"title":"x","body":"\#(long)"}"#,
                ["body is longer than a line of a lock screen: 41 characters, 40 fit"]
            ),
        ] as [(String, [String])]
    )
    func lints(alert: String, lints: [String]) {
        let push = Push(
            headers: [("apns-push-type", "alert")],
            body: Array(#"{"aps":{"alert":\#(alert)}}"#.utf8)
        )
        #expect(push.outcome().record.lints == lints)
    }
}
