import JSONValue
import ScenarioModel
import ScenarioRunner
import Testing
import TestSupport
import WorldRuntime

@Suite("Scenarios: playing", .timeLimit(.minutes(2)))
struct PlayerTests {
    /// A pager that alerts can be pushed to at once.
    private static let pager = """
        name: n
        parties:
          pager: {device: simulated, topic: com.example.alerts}
          alerts: {service: simulated, topic: com.example.alerts}
        steps:

        """

    @Test("a failed expectation tells place, step, reason and what came nearest, and ends the story")
    func failure() throws {
        let (result, lines) = try Story(
            Self.pager + """
                  - {push: pager, from: alerts, body: Smoke}
                  - expect: {push: pager, status: 410}
                    within: 1ms
                  - launch: pager
                """
        ).play()
        #expect(result["outcome"] == "failed")
        #expect(
            result["failure"] == [
                "place": "s.yml:7:5", "step": "APNs answers a push to pager with 410",
                "reason": "not so within 1ms",
            ]
        )
        #expect(Story.outcomes(result) == ["passed", "passed", "passed", "failed", "skipped"])
        #expect(result["repeat"] == "again")
        let nearest = result["measured"]?["nearest"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(nearest == ["nearest: status 200, token pager: status is 200, not 410"])
        #expect(lines.contains("   ✗ APNs answers a push to pager with 410: not so within 1ms"))
        let timeline = result["measured"]?["timeline"]?.arrayValue?.compactMap(\.stringValue) ?? []
        #expect(timeline.contains { $0.hasSuffix("apns            answers 200 to a push for pager") })
    }

    static let failures: [(String, String)] = [
        ("- expect: {push: pager}\n  exactly: 1\n  within: 1ms", "not so within 1ms; there were 2"),
        ("- expect: {push: pager}\n  at least: 3\n  within: 1ms", "not so within 1ms; there were 2"),
        ("- expect no: {push: pager}\n  within: 1ms", "not so within 1ms; there were 2"),
        ("- never: {banner: pager, body: first}\n  for: 5s", "it became so"),
        (
            "- expect: {in order: [{push: pager, collapse: b}, {push: pager, collapse: a}]}\n  within: 1ms",
            "not so within 1ms; 1 of 2 came in this order"
        ),
        ("- expect: {answer: {status: 410}}\n  within: 1ms", "not so within 1ms"),
        ("- expect: {height: {at least: 9}}\n  within: 1ms", "not so within 1ms"),
        ("- expect: {device: pager, online: false}\n  within: 1ms", "not so within 1ms"),
        (
            "- {message: Hi, from: zero, to: bob}",
            "Account does not have enough ADM: U5002801043287585913 balance: 0"
        ),
        ("- {launch: pager, refused: gone}", "it was not refused, and “gone” was expected"),
        (
            "- {message: Hi, from: zero, to: bob, refused: gone}",
            "it was refused with “Account does not have enough ADM: U5002801043287585913 balance: 0”, not “gone”"
        ),
        ("- {push: pager, from: alerts, body: x, type: shout}", "APNs answered 400 InvalidPushType"),
        ("- {call: {method: GET, path: /v1/none}}", "there is no GET /v1/none"),
        ("- {node: alpha, onlin: false}", "unknown member 'onlin'; known here: "),
        ("- {release: all}", "nothing of it is held back"),
        (
            "- set: {x: 0123456789}\n- repeat: 30\n  steps:\n    - set: {x: ['${x}', '${x}']}",
            "the value of x is larger than 1048576 bytes"
        ),
        (
            "- set: {x: aaaaaaaaaa}\n- repeat: 30\n  steps:\n    - set: {x: '${x}${x}'}",
            "a text is larger than 1048576 bytes"
        ),
        ("- {forge: 1, save: {x: none.at.all}}", "save: the answer has no none.at.all"),
        (
            "- {message: Hi, from: zero, to: bob, as: m, refused: not have enough}\n- expect: {transaction: m}\n  within: 1ms",
            "not so within 1ms"
        ),
    ]

    @Test("what does not end as stated is told with its reason", arguments: failures)
    func reasons(steps: String, reason: String) throws {
        let lines = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        let (result, _) = try Story(
            Self.pager + """
                  - {push: pager, from: alerts, body: first, collapse: a}
                  - {push: pager, from: alerts, body: second, collapse: b}

                """ + lines
        ).play { $0.forging = .manual }
        #expect(result["outcome"] == "failed")
        let told = result["failure"]?["reason"]?.stringValue ?? ""
        #expect(reason.hasSuffix(": ") ? told.hasPrefix(reason) : told == reason)
    }

    static let successes = [
        "- expect: {push: pager, status: 200, topic: com.example.alerts, payload: {aps: {alert: {body: first}}}}",
        "- expect: {push: pager}\n  exactly: 2\n  for: 50ms",
        "- expect: {push: pager, status: {any of: [200, 410]}, collapse: {not: a}}\n  exactly: 1",
        "- expect: {push: any, recipient: null}\n  at least: 2",
        "- expect: {in order: [{event: push.received}, {push: pager, collapse: b}]}",
        "- expect: {banner: pager, body: first}",
        "- expect no: {unshown: pager}",
        "- never: {push: pager, reason: {contains: Bad}}\n  for: 20ms",
        "- expect: {device: pager, online: true, owner: null, lastDeliveredAt: {not: null}}",
        "- expect: {answer: {status: 200}}",
        "- {forge: 2, save: {h: height}}\n- expect: {height: '${h}'}\n- expect: {height: {at least: 3, at most: 3}}",
        "- set: {text: Hello}\n- {message: '${text}, ${seed}', from: bob, to: alice, as: m}\n- {forge: 1}\n"
            + "- expect: {transaction: m, from: bob, to: alice, state: forged}\n- expect: {event: transaction.forged, transaction: m}",
        "- for: who\n  in: [alice, bob]\n  steps:\n    - {account: 'cousin-${who}', balance: 2}\n- {transfer: 1, from: cousin-alice, to: cousin-bob}",
        "- fault: lost\n  match: {sender: bob, path: /api/chats/process}\n  effect: {kind: error, message: no}\n"
            + "- expect: {fault: lost, fired: 0}\n- clear: lost\n- {preset: unregistered}\n"
            + "- {push: pager, from: alerts, body: x, refused: Unregistered}\n- clear: faults",
        "- {snapshot: before}\n- {message: m, from: bob, to: alice, as: m}\n- {forge: 1}\n- {revert: before}\n"
            + "- expect: {transaction: m, state: reverted}",
        "- {clock: frozen}\n- {advance: 1h}\n- {clock: 2030-01-01T00:00:00Z}\n- {clock: running}\n- {ans: as-deployed, every: 50ms}\n"
            + "- {ans: start}\n- expect: {ans: {running: true, behaviour: as-deployed}}",
        "- {forging: interval, every: 50ms}\n- expect: {height: {at least: 2}}\n- {apns: {tokens: strict}}\n"
            + "- {push: pager, from: alerts, token: '${pager.token}', body: x}",
        "- call: {method: GET, path: /api/blocks}\n  refused: there is no\n- {call: {path: /v1/chain/forge, body: {blocks: 2}}}",
        "- {device: phone, owner: carol}\n- {forge: 1}\n- expect: {registration: phone, account: carol}\n"
            + "- {test-push: phone, seconds: 1}\n- expect: {answer: {outcome: lost}}\n- expect: {request: alpha, path: /api/chats/process, transaction: {not: null}}",
        "- fault: held\n  effect: {kind: hold}\n- {device: phone, owner: dave}\n- expect: {held: any, from: dave, to: ans, fault: held}\n"
            + "- {release: all}\n- {forge: 1}\n- expect: {registration: phone}",
        "- {device: phone, owner: dave}\n- {forge: 1}\n- {message: m, from: bob, to: dave, as: m}\n- {forge: 1}\n- {reorg: 1, keep: [m], blocks: 2}\n"
            + "- expect: {transaction: m, state: forged, height: 3}",
    ]

    @Test("each kind of step and expectation does what it says", arguments: successes)
    func everything(steps: String) throws {
        let lines = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
        let (result, told) = try Story(
            Self.pager + """
                  - {push: pager, from: alerts, body: first, collapse: a}
                  - {push: pager, from: alerts, body: second, collapse: b}

                """ + lines
        ).play { $0.forging = .manual }
        #expect(result["outcome"] == "passed", "\(result.prettyText)\n\(told.joined(separator: "\n"))")
    }

    @Test("an exact number has to stay what it is")
    func moreCome() throws {
        let (result, _) = try Story(
            """
            name: n
            world: {}
            parties: {phone: {device: simulated, owner: alice}}
            steps:
              - expect: {event: block.forged}
                exactly: 2
                for: 5s
            """
        ).play { $0.blockIntervalMilliseconds = 400 }
        #expect(result["failure"]?["reason"]?.stringValue?.hasPrefix("more came; there were ") == true)
    }

    @Test("a scene that fails does not end the others, and a moral is told of one that does not")
    func scenes() throws {
        let (result, lines) = try Story(
            """
            name: n
            scenes:
              - title: in vain
                steps: [{expect: {height: 99}, within: 1ms}]
              - title: good
                moral: It goes on.
                steps: [{forge: 1}]
            """
        ).play { $0.forging = .manual }
        #expect(result["outcome"] == "failed")
        #expect(Story.outcomes(result) == ["failed", "passed"])
        #expect(lines.contains("2  good"))
        #expect(lines.last == "   → It goes on.")
    }

    @Test(
        "what an external party does is told and left to others, and its token is that of its owner's registration"
    )
    func external() throws {
        let (result, lines) = try Story(
            """
            name: n
            parties: {real: {device: external, owner: carol}}
            steps:
              - {sign-in: real, account: carol}
              - {device: stand-in, owner: carol}
              - expect: {registration: real, account: carol}
              - never: {push: real}
                for: 10ms
            """
        ).play()
        #expect(result["outcome"] == "passed", "\(result.prettyText)")
        let told = "somebody has to do it, since this party is external: real: sign-in of carol"
        #expect(lines.contains("   … " + told))
    }

    @Test("a story that takes longer than it is given ends, with all its scenes")
    func limit() throws {
        let story = try Story(
            """
            name: n
            scenes:
              - {title: waits, steps: [{never: {push: any}, for: 10m}]}
              - {title: goes on, steps: [{forge: 1}]}
            """
        )
        let (result, _) = try story.play(limitMilliseconds: 100)
        #expect(result["outcome"] == "failed")
        #expect(Story.outcomes(result) == ["failed", "failed"])
        let reason = result["failure"]?["reason"]?.stringValue
        #expect(reason == "the story takes longer than 100ms, all that it is given here")
    }

    @Test("a world that cannot start is an error, and so is one that stops answering")
    func noWorld() throws {
        let story = try Story("name: n\nsteps: [{forge: 1}]\n")
        let (result, _) = try story.play { $0.importFile = "/none/such" }
        #expect(result["outcome"] == "error")
        #expect(result["failure"]?["place"] == "s.yml:1:1")
        let gone = ScenarioRun.RunningWorld(base: "http://127.0.0.1:9", token: nil, nodeCount: 1, changes: [])
        let unreachable = ScenarioRun(story.source, seed: 1, command: "again").play(in: .running(gone))
        #expect(unreachable["outcome"] == "error")
    }

    @Test(
        "in a world that runs already only what comes later counts, and it has to have the nodes of the story"
    )
    func running() throws {
        let folder = try TemporaryFolder()
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.stateDirectory = folder.path
        configuration.forging = .manual
        let world = try World(configuration)
        try world.start()
        defer { world.stop() }
        let base = try #require(world.description["control"]?.stringValue)
        let story = try Story(
            Self.pager + """
                  - {push: pager, from: alerts, body: b}
                  - expect: {push: any}
                    exactly: 1
                    for: 1ms
                  - expect: {request: any}
                    exactly: 0
                    for: 1ms
                """
        )
        func play(nodes: Int) -> JSONValue {
            let running = ScenarioRun.RunningWorld(
                base: base,
                token: nil,
                nodeCount: nodes,
                changes: [("PATCH", "/v1/chain", ["forging": "instant"])]
            )
            return ScenarioRun(story.source, seed: 1, command: "again").play(in: .running(running))
        }
        #expect(play(nodes: 1)["outcome"] == "passed")
        #expect(play(nodes: 1)["outcome"] == "passed")
        let few = play(nodes: 2)
        #expect(few["failure"]?["reason"]?.stringValue?.hasPrefix("the story needs 2 nodes, ") == true)
    }
}
