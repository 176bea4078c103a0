@testable import CommandLineInterface
import Files
import JSONValue
import ScenarioModel
import ScenarioRunner
import Testing
import TestSupport

@Suite("Run and report")
struct RunTests {
    /// What a command line prints, and its exit status.
    private func run(_ words: [String]) -> (code: Int32, output: String, errors: String) {
        let capture = Capture()
        let code = capture.run(words)
        return (code, capture.output.text, capture.error.text)
    }

    static let usages: [([String], String)] = [
        (["run"], "FILE is missing; see mocknet run --help"),
        (
            ["run", "x", "--seed", "-1"],
            "--seed: must be an integer from 0 to 18446744073709551615, not '-1'"
        ),
        (["run", "x", "--repeat", "0"], "--repeat: must be an integer from 1 to 1000000, not '0'"),
        (["run", "x", "--jobs", "many"], "--jobs: must be an integer from 1 to 64, not 'many'"),
        (["run", "x", "--shard", "5/4"], "--shard: must be I/N with I from 1 to N, such as 1/4, not '5/4'"),
        (["run", "x", "--shard", "0/4"], "--shard: must be I/N with I from 1 to N, such as 1/4, not '0/4'"),
        (
            ["run", "x", "--against", "here"],
            "--against: must be a URL such as http://127.0.0.1:36600, not 'here'"
        ),
        (
            ["run", "x", "--against", "http://h", "--jobs", "2"],
            "--jobs: one world cannot play several stories at once; leave out --against or --jobs"
        ),
        (["run", "x", "--control-token", "12345678"], "--control-token: goes with --against"),
        (["run", "/none/such.yml"], "/none/such.yml:1:1: /none/such.yml: No such file or directory"),
        (["report", "merge"], "FILE is missing; see mocknet report merge --help"),
        (["report", "merge", "/none/such.json"], "there is no file /none/such.json"),
    ]

    @Test("wrong usage is one line and exit status 64", arguments: usages)
    func usage(words: [String], message: String) {
        let ended = run(words)
        #expect(ended.code == 64)
        #expect(ended.errors == "mocknet: \(message)\n")
    }

    static let worlds: [(String, String)] = [
        ("{nods: 2}", "2:9: unknown key nods, did you mean nodes?"),
        ("{nodes: 0}", "2:9: nodes: must be an integer from 1 to 24, not '0'"),
        ("{blockInterval: 5}", "2:9: blockInterval: must be a duration such as 250ms, 5s or 2m, not '5'"),
        ("{ans: maybe}", "2:9: ans: must be one of none, as-deployed, ordered, not 'maybe'"),
        ("{nodes: 1, nodeVersion: [beta=0.10]}", "2:19: 'beta=0.10' names no node; there are alpha"),
        (
            "{seed: 7}",
            "2:9: seed: a scenario's world is a fresh one on free ports, which is gone afterwards; "
                + "seeds stands beside world"
        ),
        ("{failureMix: {}}", "2:9: "),
        ("{faults: [{effect: {}}]}", "2:18: faults: "),
    ]

    @Test("a mistake in a scenario's world names file, line and column", arguments: worlds)
    func world(section: String, message: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("name: n\nworld: \(section)\nsteps: []\n", to: "s.yml")
        let ended = run(["run", folder.path + "/s.yml"])
        #expect(ended.code == 64)
        let wanted = "mocknet: \(folder.path)/s.yml:\(message)"
        #expect(message.hasSuffix(": ") ? ended.errors.hasPrefix(wanted) : ended.errors == wanted + "\n")
    }

    @Test(
        "a world that runs is not given what cannot be changed in it",
        arguments: ["startHeight: 9", "failureMix: {timeout: 1}", "relayDelay: 1s"]
    )
    func running(setting: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("name: n\nworld: {\(setting)}\nsteps: []\n", to: "s.yml")
        let ended = run(["run", folder.path + "/s.yml", "--against", "http://127.0.0.1:1"])
        #expect(ended.code == 64)
        let key = setting.prefix { $0 != ":" }
        #expect(ended.errors.contains("s.yml"), "\(ended.errors)")
        #expect(ended.errors.contains(": \(key) cannot be changed in a world that runs; "), "\(ended.errors)")
    }

    @Test("each file of a folder with a mistake is named before anything is played")
    func folder() throws {
        let folder = try TemporaryFolder()
        #expect(
            run(["run", folder.path]).errors
                == "mocknet: \(folder.path): there is no scenario in this folder\n"
        )
        try folder.write("name: n\n", to: "a.yml")
        try folder.write("steps: []\n", to: "b.yaml")
        try folder.write("[]", to: "_part.yml")
        try folder.write("{", to: "notes.txt")
        let ended = run(["run", folder.path])
        #expect(ended.code == 64)
        #expect(ended.output.isEmpty)
        #expect(
            ended.errors == "mocknet: \(folder.path)/a.yml:1:1: steps is missing\n"
                + "mocknet: \(folder.path)/b.yaml:1:1: name is missing\n"
        )
    }

    @Test("an external party has to be one of the story")
    func external() throws {
        let folder = try TemporaryFolder()
        try folder.write("name: n\nparties: {phone: {device: simulated}}\nsteps: []\n", to: "a.yml")
        #expect(
            run(["run", folder.path, "--external", "fone"]).errors
                == "mocknet: --external: there is no party fone, did you mean phone?\n"
        )
    }

    /// A story that needs nobody, of a party with a name.
    private static let story = "name: n\nparties: {\"alice's phone\": {device: simulated}}\nsteps: []\n"
    /// A port that nobody listens at.
    private static let nowhere = "http://127.0.0.1:9"

    @Test("the command that plays a story again is quoted for a shell where that is needed")
    func again() throws {
        let folder = try TemporaryFolder()
        try folder.write(Self.story, to: "a b.yml")
        let file = folder.path + "/a b.yml"
        let ended = run(["run", file, "--against", Self.nowhere, "--external", "alice's phone"])
        #expect(ended.code == 2)
        let words = "--seed 1 --against \(Self.nowhere) --external 'alice'\\''s phone' '\(file)'"
        #expect(ended.output.contains("  again: mocknet run \(words)\n"), "\(ended.output)")
    }

    @Test(
        "a word stays as it is where a shell takes it so",
        arguments: [
            ("a-b_1.yml", "a-b_1.yml"), ("/x/y.yml", "/x/y.yml"), ("http://[::1]:9", "'http://[::1]:9'"),
            ("", "''"), ("$(x)", "'$(x)'"), ("it's", #"'it'\''s'"#), ("é", "'é'"), ("~", "'~'"),
        ]
    )
    func words(text: String, word: String) {
        #expect(ShellWord.plain(text) == word)
    }

    @Test("each failure is kept in a folder of its own, whatever the files are called")
    func artifacts() throws {
        let folder = try TemporaryFolder()
        for name in ["race.json", "race.yml"] { try folder.write(Self.story, to: name) }
        let kept = folder.path + "/kept"
        let ended = run(["run", folder.path, "--against", Self.nowhere, "--artifacts", kept])
        #expect(ended.code == 2)
        let stem = folder.path.drop { $0 == "/" }.replacing("/", with: "-") + "-race-seed1"
        for (name, file) in [(stem, "race.json"), (stem + "-2", "race.yml")] {
            #expect(ended.output.contains("  kept in \(kept)/\(name)\n"), "\(ended.output)")
            let result = try JSONValue(parsing: Files.read("\(kept)/\(name)/result.json"))
            #expect(result["file"]?.stringValue == "\(folder.path)/\(file)")
        }
    }

    @Test("the folders of failures are called by file and seed, and by a number where that is not enough")
    func folders() {
        let stories: [(file: String, seed: UInt64)] = [
            ("./a/b.yml", 1), ("a-b.yml", 1), ("a-b.yml", 2), ("a b.yaml", 1), ("a-b-seed1-2.yml", 1),
            ("A-b", 2),
        ]
        #expect(
            ArtifactFolders.names(of: stories) == [
                "a-b-seed1", "a-b-seed1-2", "a-b-seed2", "a-b-seed1-3", "a-b-seed1-2-seed1", "A-b-seed2-2",
            ]
        )
    }

    @Test("the schema that is printed is the one in Fixtures")
    func schema() throws {
        let ended = run(["run", "--schema"])
        #expect(ended.code == 0)
        let kept = String(decoding: try Fixture.bytes("scenario.schema.json"), as: UTF8.self)
        #expect(ended.output == kept, "mocknet run --schema > Fixtures/scenario.schema.json")
    }

    @Test("shards share a list without leaving or doubling anything", arguments: [1, 2, 3, 7])
    func shards(count: Int) {
        let list = Array(0..<10)
        let parts = (1...count).map { ScenarioCampaign.shard(list, number: $0, of: count) }
        #expect(parts.flatMap(\.self).sorted() == list)
        #expect(parts.map(\.count).max().map { $0 * count - list.count < count } == true)
    }

    private static let failed: JSONValue = [
        "name": "A, b: c", "file": "a.yml", "seed": 7, "outcome": "failed",
        "failure": ["place": "dir/a.yml:3:5", "step": "100% of it", "reason": "one\ntwo"],
        "repeat": "mocknet run --seed 7 a.yml",
        "measured": ["milliseconds": 1251, "nearest": ["nearest: x"], "timeline": ["+0.000s  a"]],
    ]

    @Test("GitHub is given an annotation of the step, escaped as it wants it")
    func annotation() {
        #expect(
            ResultText.annotation(Self.failed)
                == "::error file=dir/a.yml,line=3,col=5,title=A%2C b%3A c (seed 7)::100%25 of it: one%0Atwo"
        )
        #expect(ResultText.annotation(["outcome": "passed"]) == nil)
    }

    @Test("a failure is told with what came near, what happened, and the command that plays it again")
    func text() {
        #expect(
            ResultText.lines(Self.failed) == [
                "FAILED  A, b: c (seed 7)  1.2 s", "  dir/a.yml:3:5: 100% of it: one\ntwo", "    nearest: x",
                "  what happened until then:", "    +0.000s  a", "  again: mocknet run --seed 7 a.yml",
            ]
        )
    }

    @Test("reports are merged, and what failed in one of them fails the whole")
    func merge() throws {
        let folder = try TemporaryFolder()
        let passed: JSONValue = ["name": "n", "file": "b.yml", "seed": 1, "outcome": "passed"]
        try folder.write(ScenarioReport([passed]).json.text, to: "a.json")
        try folder.write(ScenarioReport([Self.failed]).json.text, to: "b.json")
        try folder.write("{}", to: "c.json")
        let (a, b) = (folder.path + "/a.json", folder.path + "/b.json")
        let whole = run(["report", "merge", a, b, "--json", "-"])
        #expect(whole.code == 1)
        let report = try #require(ScenarioReport(json: try JSONValue(parsing: Array(whole.output.utf8))))
        #expect(report.results == [Self.failed, passed])
        #expect(run(["report", "merge", a]).output == "1 passed, 0 failed, 0 without a world\n")
        #expect(run(["report", "merge", a]).code == 0)
        let bad = run(["report", "merge", folder.path + "/c.json"])
        #expect(bad.errors == "mocknet: \(folder.path)/c.json: is no report of mocknet run --json\n")
    }
}
