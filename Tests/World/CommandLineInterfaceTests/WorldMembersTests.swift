import AdamantModel
import JSONValue
import TestSupport
import Testing
import WorldRuntime

@testable import CommandLineInterface

@Suite("Settings of further worlds")
struct WorldMembersTests {
    private func read(_ members: JSONValue) throws(WorldForm.Refusal) -> WorldConfiguration {
        var base = WorldConfiguration()
        base.ports = .free
        return try WorldForm.settings.read(members.objectValue ?? JSONObject(), base)
    }

    private func refusal(_ members: JSONValue) -> WorldForm.Refusal? {
        do throws(WorldForm.Refusal) {
            _ = try read(members)
            return nil
        } catch {
            return error
        }
    }

    @Test("settings are read by the names that mocknet.yml has, as JSON or as texts")
    func names() throws {
        let phrase = try #require(TestAccounts.all.first).phrase
        let world = try read([
            "nodes": 3, "nodeVersion": ["0.9", "0.10"], "failureRate": "0.25", "seed": 7, "nodeTLS": true,
            "forging": "manual", "blockInterval": "250ms", "relayDelay": "1500ms", "ans": "ordered",
            "accounts": [["passphrase": .string(phrase), "name": "kim", "balance": 12]],
            "devices": [["owner": "alice"]], "faults": [["effect": ["kind": "hold"]]],
            "failureMix": ["status503": 1], "ansPoll": nil, "replay": nil, "tripwire": nil,
        ])
        #expect(world.ports == .free && world.nodeCount == 3)
        #expect(world.nodeVersions == ["0.9", "0.10", "0.10"])
        #expect(world.failureRate == 0.25 && world.seed == 7 && world.nodeTLS)
        #expect(world.forging == .manual && world.blockIntervalMilliseconds == 250)
        #expect(world.relayMilliseconds == 1500 && world.ans == .ordered)
        #expect(world.extraAccounts.map(\.name) == ["kim"])
        #expect(world.extraAccounts.first?.amountUnits == 1_200_000_000)
        #expect(world.devices == [["owner": "alice"]] && world.faultRules.count == 1)
        #expect(world.ansPollMilliseconds == 2000)
        #expect(try read(["seed": "18446744073709551615"]).seed == .max)
    }

    static let unusable: [(JSONValue, String)] = [
        (["node": 3], "node"),
        (["bogus": nil], "bogus"),
        (["portBase": nil], "portBase"),
        (["nodes": 25], "nodes"),
        (["nodes": [1]], "nodes"),
        (["nodes": ["a": 1]], "nodes"),
        (["nodeVersion": ["gamma=0.10"]], "nodeVersion"),
        (["blockInterval": 5], "blockInterval"),
        (["portBase": 0], "portBase"),
        (["data": "/tmp"], "data"),
        (["controlToken": "secret-token"], "controlToken"),
        (["accounts": ["x"]], "accounts[0]"),
        (["accounts": "x"], "accounts"),
        (["accounts": [["name": "kim"]]], "accounts[0].passphrase"),
        (["accounts": [["passphrase": "one two"]]], "accounts[0].passphrase"),
        (["accounts": [["phrase": "x"]]], "accounts[0].phrase"),
        (["devices": [:]], "devices"),
        (["faults": [["effect": ["kind": "hold"]], ["effect": ["kind": "no"]]]], "faults[1].effect.kind"),
        (["faults": [["effect": ["kind": "hold"], "match": ["node": "beta"]]]], "faults[0].match.node"),
        (
            ["foreignAns": "U1", "faults": [["effect": ["kind": "hold"], "match": ["token": "a"]]]],
            "faults[0].match.token"
        ),
        (["failureMix": ["status503": 2]], "failureMix.status503"),
    ]

    @Test("a member that cannot be used is named", arguments: unusable)
    func refuses(members: JSONValue, field: String) {
        #expect(refusal(members)?.field == field)
    }

    /// A world that lets further ones be made, and its control API.
    private func started(in folder: TemporaryFolder) throws -> (World, ControlAPI) {
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.stateDirectory = folder.path
        let world = try World(configuration, furtherWorlds: .settings)
        try world.start()
        return (world, ControlAPI(base: world.description["control"]?.stringValue ?? "", token: nil))
    }

    @Test("a world of these settings runs beside the first, and what only it can refuse is named as well")
    func runs() throws {
        let folder = try TemporaryFolder()
        let (world, api) = try started(in: folder)
        defer { world.stop() }
        let made = try api.post("/v1/worlds", ["nodes": 2, "nodeTLS": true, "seed": 9])
        #expect(made["nodes"]?.arrayValue?.count == 2 && made["seed"] == 9)
        #expect(made["nodes"]?.arrayValue?.last?["tlsUrl"]?.stringValue?.hasPrefix("https://") == true)
        // A front end finds it by its control address.
        let further = ControlAPI(base: made["control"]?.stringValue ?? "", token: nil)
        #expect(further.isHealthy())
        #expect(try further.get("/v1/nodes")["nodes"]?.arrayValue?.count == 2)
        for (member, value) in [("devices", [["owner": "nobody"]]), ("accounts", [["passphrase": "a"]])]
            as [(String, JSONValue)]
        {
            let error = #expect(throws: CommandFailure.self) {
                try api.post("/v1/worlds", .object(JSONObject([(member, value)])))
            }
            #expect(error?.message.contains(member) == true && error?.exitCode == 64)
        }
        try api.delete("/v1/worlds/w1")
        #expect(!further.isHealthy())
    }

    @Test("a further world has tripwires of its own, unless something listens there already")
    func tripwires() throws {
        let folder = try TemporaryFolder()
        let (world, api) = try started(in: folder)
        defer { world.stop() }
        let made = try api.post("/v1/worlds", ["tripwire": [0]])
        let further = ControlAPI(base: made["control"]?.stringValue ?? "", token: nil)
        let port = try #require(try further.get("/v1/audit")["tripwires"]?.arrayValue?.first?.intValue)
        #expect(!ControlAPI(base: "http://127.0.0.1:\(port)", token: nil).isHealthy())
        let found = try further.get("/v1/audit?rule=no-callback&wait=10")["findings"]?.arrayValue ?? []
        #expect(found.first?["evidence"]?.stringValue?.contains("tripwire at port \(port)") == true)
        #expect(try api.get("/v1/audit")["findings"] == [])
        let error = #expect(throws: CommandFailure.self) {
            try api.post("/v1/worlds", ["tripwire": [.int(port)]])
        }
        #expect(
            error?.message.contains("--tripwire") == true && error?.exitCode == 64,
            "\(error?.message ?? "")"
        )
        #expect(try api.get("/v1/worlds")["worlds"]?.arrayValue?.count == 1)
    }
}
