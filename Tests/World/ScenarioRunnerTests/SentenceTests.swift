import ScenarioModel
import ScenarioRunner
import Testing

@Suite("Scenarios: what they say")
struct SentenceTests {
    static let sentences: [(String, String)] = [
        (
            "{device: watch, behaviour: ordered, owner: alice}",
            "watch (ordered) is switched on, alice signs in"
        ),
        ("{device: watch}", "watch (as-deployed) is switched on"),
        ("{sign-in: phone, account: bob}", "phone: sign-in of bob"),
        ("{sign-out: phone}", "phone: sign-out"),
        ("{message: Hi, from: bob, to: alice}", "bob sends alice a message “Hi”"),
        ("{transfer: 1.50, from: bob, to: alice}", "bob sends alice a transfer of 1.5 ADM"),
        ("{signal: add, device: phone, from: bob}", "bob sends ans a signal to add phone"),
        ("{signal: hello, from: bob}", "bob sends ans a signal “hello”"),
        ("{fault: lost, effect: {kind: reset, when: before}}", "fault: lost is set"),
        ("{clear: faults}", "all faults are taken away"),
        ("{token: phone, state: bad}", "APNs holds the token of phone for bad"),
        ("{ans: ordered, every: 50ms}", "the ANS behaves ordered, each 50ms"),
        ("{ans: poll}", "the ANS polls"), ("{forge: 1}", "1 block is made"),
        ("{forge: 2}", "2 blocks are made"), ("{advance: 90s}", "the clock goes on by 90s"),
        ("{node: alpha, online: false}", "alpha is changed: online false"),
        ("{push: phone, from: siren, title: Fire}", "siren pushes “Fire” to phone"),
        ("{push: phone, from: siren, title: Fire, note: the siren}", "the siren"),
        ("{set: {a: 1, b: x}}", "a is 1, b is x"),
        ("{expect: {registration: phone, account: alice}}", "the chain has phone registered for alice"),
        (
            "{expect no: {registration: phone, account: alice}}",
            "the chain does not have phone registered for alice"
        ),
        ("{expect: {row: phone}}", "the ANS has a row for phone"),
        ("{expect no: {row: phone}}", "the ANS has no row for phone"),
        ("{expect: {device: phone, believesRegistered: true}}", "phone believes it is registered"),
        ("{expect: {device: phone, believesRegistered: false}}", "phone knows it is not registered"),
        ("{expect: {device: phone, queuedRemovals: 0}}", "phone keeps no removals for another try"),
        ("{expect: {device: phone, queuedRemovals: 1}}", "phone keeps one removal for another try"),
        ("{expect: {device: phone, queuedRemovals: 2}}", "phone keeps 2 removals for another try"),
        ("{expect: {device: phone, online: true}}", "phone has online true"),
        ("{expect: {banner: phone, text: Hi}}", "phone shows “Hi”"),
        ("{expect: {banner: phone}}", "phone shows a banner"),
        ("{expect: {push: phone, status: 200}}", "APNs answers a push to phone with 200"),
        (
            "{expect: {push: phone, status: 410, reason: Unregistered}, exactly: 1}",
            "APNs answers a push to phone with 410 Unregistered, once and not again"
        ),
        (
            "{expect: {push: any, status: {not: 200}}, at least: 2}",
            "APNs answers a push to any device with not 200, 2 times or more"
        ),
        (
            "{expect: {push: phone}, exactly: '${seed}'}",
            "APNs gets a push to phone, ${seed} times and not again"
        ),
        ("{never: {push: phone}, for: 1500ms}", "never for 1500 ms: APNs gets a push to phone"),
        ("{expect no: {push: phone}}", "no sign that APNs gets a push to phone"),
        (
            "{expect: {in order: [{event: a.b}, {transaction: any, state: forged}]}}",
            "in this order: the journal tells of a.b; a transaction is forged"
        ),
        ("{expect: {height: {at least: 3}}}", "the chain is at height at least 3"),
        ("{expect: {finding: right-owner}}", "the audit finds right-owner"),
        ("{expect: {held: any}}", "a transaction is held back"),
        ("{expect: {request: alpha, path: /api}}", "alpha gets a call, path /api"),
    ]

    @Test("a step is a sentence", arguments: sentences)
    func says(step: String, sentence: String) throws {
        let story = try Story(
            "name: n\nparties: {phone: {device: simulated}, siren: {service: simulated}}\nsteps:\n  - \(step)\n"
        )
        #expect(story.source.scenario.steps.map(\.sentence) == [sentence])
    }

    @Test("loops are written out, with their values in every text")
    func loops() throws {
        let story = try Story(
            """
            name: n
            steps:
              - repeat: 2
                steps:
                  - for: who
                    in: [alice, 7]
                    steps: [{message: "${who} ${round}", from: bob, to: alice}, {forge: "${round}"}]
            """
        )
        #expect(
            story.source.scenario.steps.map(\.sentence) == [
                "bob sends alice a message “alice 1”", "1 block is made",
                "bob sends alice a message “7 1”", "1 block is made",
                "bob sends alice a message “alice 2”", "2 blocks are made",
                "bob sends alice a message “7 2”", "2 blocks are made",
            ]
        )
    }
}
