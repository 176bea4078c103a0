import ScenarioModel
import ScenarioRunner
import Testing
import TestSupport
import WorldRuntime

/// Every mistake in a scenario names its place, what was found, and what was expected.
@Suite("Scenarios: mistakes")
struct MistakeTests {
    /// The message for a text; nil when it is read without one.
    static func mistake(_ text: String) -> String? {
        do throws(ScenarioError) {
            _ = try ScenarioSource(
                text: Array(text.utf8),
                name: "s.yml",
                nodeNames: WorldConfiguration.nodeNames
            )
            return nil
        } catch {
            return error.description
        }
    }

    /// A story of these steps, whose first stands in line 4.
    static func story(_ text: String) -> String {
        "name: n\nparties: {phone: {device: simulated}, real: {device: external}, siren: {service: simulated}}\nsteps:\n"
            + text
    }

    @Test("what can stand in a scenario is read without a mistake")
    func good() {
        #expect(Self.mistake(Self.story("  - launch: phone\n")) == nil)
        #expect(Self.mistake(#"{"name": "JSON", "steps": [{"forge": 1}]}"#) == nil)
    }

    static let whole: [(String, String)] = [
        ("", "s.yml:1:1: a scenario is a mapping with name and steps, not nothing"),
        ("- 1\n", "s.yml:1:1: a scenario is a mapping with name and steps, not a sequence"),
        ("name: [", "s.yml:2:1: did not find expected node content"),
        ("name: n\nname: m\n", "s.yml:2:1: the key name is there already, in line 1"),
        ("steps: []\n", "s.yml:1:1: name is missing"),
        ("name: n\n", "s.yml:1:1: steps is missing"),
        ("name: {}\nsteps: []\n", "s.yml:1:7: name: a text is expected, not a mapping"),
        (
            "name: n\nstep: []\n",
            "s.yml:2:1: unknown key step, did you mean steps?; known here: name, story, seeds, world, parties, "
                + "steps, scenes"
        ),
        ("name: n\nsteps: 1\n", "s.yml:2:8: steps: a sequence of steps is expected, not '1'"),
        (
            "name: n\nsteps: []\nscenes: []\n",
            "s.yml:3:1: scenes: there are steps already; a story has one of both"
        ),
        ("name: n\nscenes: []\n", "s.yml:2:1: scenes: a sequence of scenes is expected, not a sequence"),
        ("name: n\nscenes: [1]\n", "s.yml:2:10: a scene is a mapping with title and steps, not '1'"),
        ("name: n\nscenes: [{steps: []}]\n", "s.yml:2:10: title is missing"),
        ("name: n\nscenes: [{title: t}]\n", "s.yml:2:10: steps is missing"),
        (
            "name: n\nscenes: [{titel: t}]\n",
            "s.yml:2:11: unknown key titel, did you mean title?; known here: title, moral, steps"
        ),
        (
            "name: n\nseeds: 7\nsteps: []\n",
            "s.yml:2:8: seeds: a sequence of whole numbers is expected, not '7'"
        ),
        (
            "name: n\nseeds: [1, -2]\nsteps: []\n",
            "s.yml:2:12: seeds: whole numbers from 0 are expected, each once, not '-2'"
        ),
        (
            "name: n\nseeds: [1, 1]\nsteps: []\n",
            "s.yml:2:12: seeds: whole numbers from 0 are expected, each once, not '1'"
        ),
        ("name: n\nworld: 3\nsteps: []\n", "s.yml:2:8: world: a mapping of settings is expected, not '3'"),
    ]

    @Test("of the whole", arguments: whole)
    func ofTheWhole(text: String, message: String) {
        #expect(Self.mistake(text) == message)
    }

    static let parties: [(String, String)] = [
        ("[]", "s.yml:2:10: parties: a mapping of names is expected, not a sequence"),
        (
            "{phone: 1}",
            "s.yml:2:18: phone: a mapping such as {device: simulated, owner: alice} is expected, not '1'"
        ),
        (
            "{phone: {devise: simulated}}",
            "s.yml:2:19: phone: its first key tells what it is, device, account, service, not devise, "
                + "did you mean device?"
        ),
        (
            "{phone: {device: simulatd}}",
            "s.yml:2:27: device: one of simulated, external is expected, not 'simulatd', did you mean simulated?"
        ),
        (
            "{phone: {device: simulated, ower: alice}}",
            "s.yml:2:38: unknown key ower, did you mean owner?; known here: device, behaviour, owner, nodes, "
                + "topic, environment, offClearsCache, sound, extensionMilliseconds"
        ),
        (
            "{phone: {device: simulated, owner: alise}}",
            "s.yml:2:45: owner: there is no account alise, did you mean alice?; there are alice, bob, carol, dave, "
                + "erin, frank, grace, heidi, ivan, judy, zero, ans"
        ),
        (
            "{phone: {device: simulated, behaviour: as deployed}}",
            "s.yml:2:49: behaviour: one of as-deployed, ordered is expected, not 'as deployed', "
                + "did you mean as-deployed?"
        ),
        (
            "{phone: {device: simulated, nodes: [beta]}}",
            "s.yml:2:46: nodes: there is no node beta; there is alpha"
        ),
        (
            "{dora: {account: simulated, balance: 1 ADM}}",
            "s.yml:2:47: balance: an amount in ADM with up to 8 decimals is expected, not '1 ADM'"
        ),
        (
            "{alice: {device: simulated}}",
            "s.yml:2:11: alice is taken: every world has an account of this name"
        ),
        ("{alpha: {device: simulated}}", "s.yml:2:11: alpha is taken: every world has one"),
        ("{any: {device: simulated}}", "s.yml:2:11: 'any' cannot be the name of a party"),
        (
            "{phone: {device: external, behaviour: ordered}}",
            "s.yml:2:37: unknown key behaviour; known here: device, owner, token, topic, environment"
        ),
    ]

    @Test("of parties", arguments: parties)
    func ofParties(text: String, message: String) {
        #expect(Self.mistake("name: n\nparties: \(text)\nsteps: []\n") == message)
    }

    static let faults: [(String, String)] = [
        ("{fault: f, match: {}}", "s.yml:4:6: fault: effect is missing, a mapping"),
        (
            "{fault: f, effect: {kind: explode}}",
            "s.yml:4:25: fault: effect.kind: must be one of "
        ),
        (
            "{fault: f, match: {node: beta}, effect: {kind: reset}}",
            "s.yml:4:24: fault: match.node: "
        ),
        (
            "{fault: f, match: {sender: bobb}, effect: {kind: reset}}",
            "s.yml:4:32: sender: there is no account bobb, did you mean bob?; there are "
        ),
        (
            "{fault: f, match: {token: watch}, effect: {kind: reset}}",
            "s.yml:4:31: token: there is no device watch; there are phone, real"
        ),
        (
            "{fault: f, limits: 1, effect: {kind: reset, when: before}}",
            "s.yml:4:16: fault: limits: is unknown here; known are "
        ),
        (
            "{preset: goaway-lingr}",
            "s.yml:4:14: preset: there is no preset goaway-lingr, did you mean goaway-linger?; Docs/faults.md lists them"
        ),
        ("{clear: f}", "s.yml:4:13: clear: there is no fault f; there is none yet"),
    ]

    @Test("of faults, which are read as a world reads them", arguments: faults)
    func ofFaults(text: String, message: String) throws {
        let found = try #require(Self.mistake(Self.story("  - \(text)\n")))
        #expect(found.hasPrefix(message))
    }

    static let expectations: [(String, String)] = [
        (
            "{expect: phone}",
            "s.yml:4:14: expect: a mapping such as {push: phone, status: 200} is expected, not 'phone'"
        ),
        (
            "{expect: {pus: phone}}",
            "s.yml:4:15: nothing is known of pus, did you mean push?; what can be expected is transaction, "
                + "registration, held, height, node, push, device, banner, unshown, row, event, finding, trace, request, "
                + "fault, ans, answer"
        ),
        ("{expect: {push: watch}}", "s.yml:4:21: push: there is no device watch; there are phone, real"),
        (
            "{expect: {push: phone, stats: 200}}",
            "s.yml:4:28: unknown key stats, did you mean status?; known here: status, reason, transaction, "
                + "recipient, delivery, why, place, rule, token, environment, topic, type, priority, collapse, "
                + "expiration, payload"
        ),
        (
            "{expect: {push: phone, status: ok}}",
            "s.yml:4:36: status: a whole number from 0 to 999 is expected, not 'ok'"
        ),
        (
            "{expect: {push: phone, status: {atleast: 1}}}",
            "s.yml:4:37: unknown pattern atleast, did you mean at least?; known here: contains, not, at least, "
                + "at most, any of"
        ),
        (
            "{expect: {push: phone, delivery: lost}}",
            "s.yml:4:38: delivery: one of delivered, stored, throttled, replaced, collapsed, expired, discarded, "
                + "notDelivered is expected, not 'lost'"
        ),
        (
            "{expect: {push: phone, transaction: hello}}",
            "s.yml:4:41: transaction: there is no transaction hello; there is none yet"
        ),
        (
            "{expect: {push: phone}, within: fast}",
            "s.yml:4:37: within: a time such as 250ms, 5s, 2m, 1h or 30d is expected, not 'fast'"
        ),
        ("{expect: {push: phone}, within: 1h}", "s.yml:4:37: within: a time up to 10m is expected, not '1h'"),
        (
            "{expect: {push: phone}, exactly: -1}",
            "s.yml:4:38: exactly: a whole number from 0 to 10000 is expected, not '-1'"
        ),
        (
            "{expect: {device: phone}, exactly: 1}",
            "s.yml:4:31: exactly: it is one thing that is so or not; it cannot be counted"
        ),
        ("{never: {push: phone}, within: 1s}", "s.yml:4:28: unknown key within; known here: for, note"),
        (
            "{expect no: {push: phone}, exactly: 1}",
            "s.yml:4:32: unknown key exactly; known here: within, for, note"
        ),
        (
            "{expect: {in order: [{push: phone}]}}",
            "s.yml:4:25: in order: a sequence of two or more is expected, not a sequence"
        ),
        (
            "{expect: {in order: [{push: phone}, {row: phone}]}}",
            "s.yml:4:41: in order: only transaction, push, event have an order, not row"
        ),
        ("{never: {in order: []}}", "s.yml:4:14: in order: it goes with expect alone"),
        (
            "{expect: {banner: real}}",
            "s.yml:4:23: banner: real is external; nobody here sees its screen or its state"
        ),
        ("{expect: {event: e, fault: f}}", "s.yml:4:32: fault: there is no fault f; there is none yet"),
    ]

    @Test("of expectations", arguments: expectations)
    func ofExpectations(text: String, message: String) {
        #expect(Self.mistake(Self.story("  - \(text)\n")) == message)
    }

    static let variables: [(String, String)] = [
        ("{message: '${x}', from: bob, to: alice}", "s.yml:4:15: message: there is no ${x}"),
        (
            "{message: '${phon.id}', from: bob, to: alice}",
            "s.yml:4:15: message: there is no ${phon.id}, did you mean phone?"
        ),
        (
            "{message: '${phone.tokn}', from: bob, to: alice}",
            "s.yml:4:15: message: there is no ${phone.tokn}; of the device phone there is ${phone.id}, ${phone.token}"
        ),
        ("{message: 'a ${b', from: bob, to: alice}", "s.yml:4:15: message: '${' is not closed by '}'"),
        ("{call: {path: '/${y}'}}", "s.yml:4:19: path: there is no ${y}"),
        ("{repeat: 0, steps: []}", "s.yml:4:14: repeat: a whole number from 1 to 1000 is expected, not '0'"),
        (
            "{repeat: '${seed}', steps: []}",
            "s.yml:4:14: repeat: a whole number from 1 to 1000 is expected, not '${seed}': loops are written out "
                + "before anything is played, and only those around this one have values then"
        ),
        ("{expect: {push: phone}, exactly: '${n}'}", "s.yml:4:38: exactly: there is no ${n}"),
        ("{repeat: 2}", "s.yml:4:6: repeat: steps is missing"),
        ("{repeat: 2, steps: [], in: []}", "s.yml:4:28: unknown key in; known here: steps"),
        ("{for: x, steps: []}", "s.yml:4:6: for: in is missing, the values that x takes"),
        ("{for: x, in: 3, steps: []}", "s.yml:4:18: in: a sequence of 1 to 1000 values is expected, not '3'"),
        ("{for: 'x y', in: [1], steps: []}", "s.yml:4:11: 'x y': a name is letters, digits, - and _"),
        (
            "{for: a, in: [\(String(repeating: "x", count: 1000))], steps: [{for: b, in: ['\(String(repeating: "${a}", count: 100))'], "
                + "steps: []}]}",
            "s.yml:4:1044: with the values of its loops this is too long a text"
        ),
        (
            "{repeat: 101, steps: [{repeat: 100, steps: [{forge: 1}]}]}",
            "s.yml:4:27: more than 10000 steps"
        ),
        (
            "{repeat: 2, steps: [{message: m, from: bob, to: ans, as: m}]}",
            "s.yml:4:62: as: there is a transaction m already"
        ),
        ("{repeat: 2, steps: [{snapshot: s}]}", "s.yml:4:36: snapshot: there is a snapshot s already"),
        (
            "{include: other.yml}",
            "s.yml:4:15: include: there are no files here; the text has to hold everything"
        ),
    ]

    @Test("of variables, loops and inclusion", arguments: variables)
    func ofVariables(text: String, message: String) {
        #expect(Self.mistake(Self.story("  - \(text)\n")) == message)
    }

    @Test("in included files, which name themselves")
    func included() throws {
        let folder = try TemporaryFolder()
        func read(_ files: [String: String]) throws -> String? {
            for (name, text) in files { try folder.write(text, to: name) }
            do throws(ScenarioError) {
                _ = try ScenarioSource(
                    file: folder.path + "/main.yml",
                    nodeNames: WorldConfiguration.nodeNames
                )
                return nil
            } catch {
                return error.description.replacing(folder.path + "/", with: "")
            }
        }
        let main = "name: n\nsteps:\n  - include: a.yml\n"
        #expect(try read(["main.yml": main, "a.yml": "- forge: 1\n"]) == nil)
        #expect(
            try read(["main.yml": main, "a.yml": "parties: {p: {device: simulated}}\nsteps: [{launch: p}]\n"])
                == nil
        )
        #expect(try read(["a.yml": "- forge: 1\n- forge: x\n"])?.hasPrefix("a.yml:2:10: forge: ") == true)
        #expect(
            try read(["a.yml": "- include: none.yml\n"]) == "a.yml:1:12: none.yml: No such file or directory"
        )
        #expect(
            try read(["a.yml": "- include: main.yml\n"])
                == "a.yml:1:12: include: the files include each other: main.yml, a.yml, main.yml"
        )
        #expect(
            try read(["a.yml": "stpes: []\n"])
                == "a.yml:1:1: unknown key stpes, did you mean steps?; known here: parties, steps"
        )
    }

    @Test("a file that is not there, or not UTF-8, is named")
    func unreadable() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/none.yml"
        #expect(throws: ScenarioError.self) { try ScenarioSource(file: path, nodeNames: []) }
        #expect(Self.mistake("name: \u{0}") != nil)
    }
}
