import Foundation
import JSONValue
import TestSupport
import Testing

@Suite("Scenarios", .timeLimit(.minutes(5)))
struct ScenarioTests {
    private static let list = Fixture.packageRoot + "/Fixtures/scenarios"

    @Test(
        "the whole list passes in eight worlds at once, three times with the same result",
        .withPythonClients
    )
    func list() async throws {
        let folder = try Folder()
        let names = try FileManager.default.contentsOfDirectory(atPath: Self.list).filter {
            !$0.hasPrefix("_")
        }
        var reports: [String] = []
        for number in 1...3 {
            let files = ["--json", folder.path("\(number).json"), "--junit", folder.path("\(number).xml")]
            let ending = try await Mocknet.run(
                ["run", Self.list, "--jobs", "8", "--patience", "4"] + files,
                within: 120
            )
            #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
            let report = try JSONValue(parsing: String(contentsOfFile: files[1], encoding: .utf8))
            #expect(report["passed"]?.intValue == Int64(2 * names.count))
            reports.append(report.withoutMeasured.text)
        }
        #expect(Set(reports).count == 1)
        _ = try await Mocknet.client(
            "scenario_files.py",
            [Fixture.packageRoot + "/Fixtures/junit/junit.xsd", folder.path("1.xml")]
        )
        let checked = try await Mocknet.client(
            "scenario_files.py",
            [Fixture.packageRoot + "/Fixtures/scenario.schema.json", Self.list]
        )
        #expect(try JSONValue(parsing: checked.output)["files"]?.intValue == Int64(names.count))
    }

    @Test("each scenario that the documentation shows ends as stated")
    func documented() async throws {
        let folder = try Folder()
        let text = try String(contentsOfFile: Fixture.packageRoot + "/Docs/scenarios.md", encoding: .utf8)
        let blocks = text.components(separatedBy: "```yaml\n").dropFirst().compactMap {
            $0.components(separatedBy: "```").first
        }
        #expect(blocks.count == 2)
        for (number, block) in blocks.enumerated() { _ = try folder.write(block, to: "\(number).yml") }
        let ending = try await Mocknet.run(["run", folder.path, "--jobs", "2"])
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
    }

    /// A story that ends badly in any world.
    private static let failing = """
        name: In vain
        parties:
          pager: {device: simulated, topic: com.example.alerts}
          alerts: {service: simulated, topic: com.example.alerts}
        steps:
          - {push: pager, from: alerts, body: "<Smoke & fire>"}
          - expect: {push: pager, status: 410}
            within: 10ms
        """

    @Test("a failure is exit status 1, told, annotated, reported and kept", .withPythonClients)
    func failure() async throws {
        let folder = try Folder()
        let file = try folder.write(Self.failing, to: "vain.yml")
        let ending = try await Mocknet.run(
            [
                "run", file, "--seed", "5", "--artifacts", folder.path("kept"), "--junit",
                folder.path("vain.xml"),
            ],
            environment: ["GITHUB_ACTIONS": "true"]
        )
        #expect(ending.status == 1)
        let step = "APNs answers a push to pager with 410: not so within 10ms"
        #expect(ending.output.contains("  \(file):7:5: \(step)\n"))
        #expect(ending.output.contains("    nearest: status 200, token pager: status is 200, not 410\n"))
        #expect(ending.output.contains("  again: mocknet run --seed 5 \(file)\n"))
        #expect(ending.output.contains("::error file=\(file),line=7,col=5,title=In vain (seed 5)::\(step)\n"))
        let kept = try FileManager.default.subpathsOfDirectory(atPath: folder.path("kept"))
        for name in ["journal.jsonl", "world.json", "timeline.txt", "result.json"] {
            #expect(kept.contains { $0.hasSuffix("-vain-seed5/" + name) }, "\(kept)")
        }
        _ = try await Mocknet.client(
            "scenario_files.py",
            [Fixture.packageRoot + "/Fixtures/junit/junit.xsd", folder.path("vain.xml")]
        )
    }

    @Test("without a world it is exit status 2")
    func noWorld() async throws {
        let folder = try Folder()
        let file = try folder.write(Self.failing, to: "vain.yml")
        let ending = try await Mocknet.run(["run", file, "--state-dir", file])
        #expect(ending.status == 2, "\(ending.output)")
        #expect(ending.output.hasSuffix("0 passed, 0 failed, 1 without a world\n"))
    }

    @Test("shards that are joined are the whole")
    func shards() async throws {
        let folder = try Folder()
        let file = try folder.write("name: short\nsteps: [{forge: 1}]\n", to: "short.yml")
        let seeds = ["run", file, "--seed", "10", "--repeat", "5", "--json"]
        for shard in 1...2 {
            let part = seeds + [folder.path("\(shard).json"), "--shard", "\(shard)/2"]
            #expect(try await Mocknet.run(part).status == 0)
        }
        let parts = (1...2).map { folder.path("\($0).json") }
        let joined = try await Mocknet.run(["report", "merge"] + parts + ["--json", "-"])
        let whole = try await Mocknet.run(seeds + ["-"])
        #expect(joined.status == 0 && whole.status == 0)
        #expect(
            try JSONValue(parsing: joined.output).withoutMeasured
                == JSONValue(parsing: whole.output).withoutMeasured
        )
        #expect(whole.errors.hasSuffix("5 passed, 0 failed, 0 without a world\n"))
    }

    @Test("a world plays a scenario that comes in a call, in a fresh world or in itself")
    func calls() async throws {
        let world = try await RunningWorld(["--forging", "manual"])
        let story =
            "name: n\nparties: {phone: {device: simulated}}\nsteps: [{forge: 2}, {expect: {height: 3}}]\n"
        func post(_ text: String, _ query: String) async throws -> JSONValue {
            let ending = try await run(
                "curl",
                ["-sS", "--data-binary", text, world.control + "/v1/scenarios/run" + query]
            )
            return try JSONValue(parsing: ending.output)
        }
        let fresh = try await post(
            story.replacingOccurrences(of: "height: 3", with: "height: {at least: 3}"),
            "?seed=9"
        )
        #expect(fresh["outcome"] == "passed", "\(fresh.text)")
        #expect(fresh["seed"] == 9)
        #expect(try await world.call("GET", "/v1/chain")["height"]?.intValue == 1)
        #expect(try await post(story, "?world=this")["outcome"] == "passed")
        #expect(try await world.call("GET", "/v1/chain")["height"]?.intValue == 3)
        let mistake = try await post("name: n\nsteps: [{forg: 1}]\n", "")
        let message = mistake["error"]?["message"]?.stringValue ?? ""
        #expect(message.hasPrefix("scenario:2:10: unknown step forg, did you mean forge?"), "\(message)")
        #expect(try await post("", "")["error"]?["code"] == "badRequest")
        #expect(try await post(story, "?world=other")["error"]?["field"] == "world")
    }

    @Test("a scenario is played in a world that runs, with what only others can do left to them")
    func against() async throws {
        let world = try await RunningWorld(["--ans", "as-deployed", "--ans-poll", "50ms"])
        let folder = try Folder()
        let file = try folder.write(
            """
            name: attached
            world: {blockInterval: 100ms, ans: as-deployed, ansPoll: 20ms}
            parties: {phone: {device: simulated, owner: alice}}
            steps:
              - expect: {registration: phone, account: alice}
              - {message: Hi, from: bob, to: alice, as: hi}
              - expect: {push: phone, transaction: hi, status: 200}
            """,
            to: "attached.yml"
        )
        let at = ["--against", world.control]
        let alone = try await Mocknet.run(["run", file] + at)
        #expect(alone.status == 0, "\(alone.output)")
        // A phone that somebody else has signed in.
        let external = try await Mocknet.run(["run", file, "--verbose", "--external", "phone"] + at)
        #expect(external.status == 0, "\(external.output)")
        #expect(external.output.contains("phone (external)") == false)
    }

    @Test("exec keeps what tells of a failure of the program")
    func execKeeps() async throws {
        let folder = try Folder()
        let ending = try await Mocknet.run(["exec", "--artifacts", folder.path("kept"), "--", "false"])
        #expect(ending.status == 1)
        #expect(ending.errors.contains("mocknet: kept in \(folder.path("kept"))"))
        let kept = try FileManager.default.contentsOfDirectory(atPath: folder.path("kept")).sorted()
        #expect(kept == ["journal.jsonl", "timeline.txt", "world.json"])
    }
}

extension JSONValue {
    /// The value without the members that depend on the moment.
    fileprivate var withoutMeasured: JSONValue {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutMeasured))
        case .object(let object):
            .object(
                JSONObject(
                    object.members.filter { $0.key != "measured" }.map { ($0.key, $0.value.withoutMeasured) }
                )
            )
        case .null, .bool, .number, .string: self
        }
    }
}
