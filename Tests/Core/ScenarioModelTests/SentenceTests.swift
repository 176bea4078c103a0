import JSONValue
import ScenarioModel
import Testing

@Suite("Plans: what they say")
struct SentenceTests {
    static let expectations: [(ScenarioModel.Expectation, String)] = [
        (.registered(device: "phone", account: "alice", true), "the chain has phone registered for alice"),
        (
            .registered(device: "phone", account: "alice", false),
            "the chain does not have phone registered for alice"
        ),
        (.ansKnows(device: "phone", true), "the ANS has a row for phone"),
        (.ansKnows(device: "phone", false), "the ANS has no row for phone"),
        (.believesRegistered(device: "phone", true), "phone believes it is registered"),
        (.believesRegistered(device: "phone", false), "phone knows it is not registered"),
        (.queuedRemovals(device: "phone", 0), "phone keeps no removals for another try"),
        (.queuedRemovals(device: "phone", 1), "phone keeps one removal for another try"),
        (.queuedRemovals(device: "phone", 2), "phone keeps 2 removals for another try"),
        (.banner(device: "phone", containing: "Hi"), "phone shows “Hi”"),
        (.push(device: "phone", status: 200, reason: nil), "APNs answers a push to phone with 200"),
        (
            .push(device: "phone", status: 410, reason: "Unregistered"),
            "APNs answers a push to phone with 410 Unregistered"
        ),
        (.refused(account: "zero", containing: "not enough"), "a node refuses zero: “not enough”"),
    ]

    @Test("an expectation is a sentence", arguments: expectations)
    func expects(expectation: ScenarioModel.Expectation, sentence: String) {
        #expect(expectation.sentence == sentence)
    }

    static let actions: [(Action, String)] = [
        (
            .makeDevice(name: "phone", behaviour: "ordered", owner: "alice"),
            "phone (ordered) is switched on, alice signs in"
        ),
        (.makeDevice(name: "phone", behaviour: "ordered", owner: nil), "phone (ordered) is switched on"),
        (
            .device(name: "phone", action: "sign-in", members: JSONObject([("account", "bob")])),
            "phone: sign-in of bob"
        ),
        (.send(kind: "message", from: "bob", to: "alice", message: "Hi"), "bob sends alice a message “Hi”"),
        (
            .send(kind: "transfer", from: "bob", to: "alice", amount: "5"),
            "bob sends alice a transfer of 5 units"
        ),
        (.addFault(JSONObject([("name", "lost")])), "fault: lost is set"),
        (.clearFaults, "all faults are taken away"),
        (.setToken(device: "phone", state: "bad"), "APNs holds the token of phone for bad"),
        (.ans(JSONObject([("pollSeconds", 5)])), "the ANS is changed: pollSeconds 5"),
        (.pollANS, "the ANS polls"),
        (.forge(blocks: 1), "1 block is made"), (.forge(blocks: 2), "2 blocks are made"),
    ]

    @Test("an action is a sentence", arguments: actions)
    func acts(action: Action, sentence: String) {
        #expect(action.sentence == sentence)
    }
}
