import Files
import HTTPClient
import JSONValue
import TestSupport
import Testing
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("World: exported and imported")
struct ExportTests {
    private static let phrase =
        "legal winner thank year wave sausage worth useful legal winner thank yellow"

    /// Writes what a world exports into a file.
    private static func export(_ running: RunningWorld, to path: String) throws {
        let client = HTTPClient(options: .init(timeoutMilliseconds: 30_000))
        let answer = try client.send(HTTPClientRequest(url: running.control + "/v1/export"))
        #expect(answer.status == 200)
        #expect(answer.header("Content-Type") == "application/octet-stream")
        try Files.write(answer.body, to: path)
    }

    /// What both worlds must say alike.
    private static func facts(_ running: RunningWorld) throws -> [JSONValue] {
        var facts = [try running.get("/v1/chain")["lastBlock"] ?? .null]
        facts += try [
            "/v1/chain/snapshots", "/v1/accounts", "/v1/pushes", "/v1/apns/tokens",
            "/v1/registry",
        ].map { try running.get($0) }
        facts += try running.list("held", "/v1/held").map { $0["transactionId"] ?? .null }
        for transaction in try running.list("transactions", "/v1/transactions?limit=10000") {
            var shown = transaction.objectValue ?? JSONObject()
            shown["seq"] = nil
            facts.append(.object(shown))
        }
        for node in 0..<(try running.list("nodes", "/v1/nodes").count) {
            for path in [
                "/api/transactions?limit=1000&orderBy=height:asc&returnAsset=1", "/api/blocks/getHeight",
                "/api/chats/get?limit=1000&orderBy=timestamp:desc",
            ] {
                var answer = try running.ok("GET", running.node(node) + path).objectValue ?? JSONObject()
                answer["nodeTimestamp"] = nil
                facts.append(.object(answer))
            }
        }
        return facts
    }

    /// A world with something of everything, and two branches beside the present.
    private static func busyWorld(_ change: (inout WorldConfiguration) -> Void = { _ in }) throws
        -> RunningWorld
    {
        let running = try RunningWorld {
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            $0.nodeCount = 2
            $0.extraAccounts = [.init(passphrase: phrase, name: "extra", amountUnits: 500)]
            change(&$0)
        }
        func send(_ from: String, _ to: String, _ amount: String) throws -> String {
            try running.post(
                "/v1/transactions",
                ["from": .string(from), "to": .string(to), "amount": .string(amount)],
                status: 201
            ).text("transactionId")
        }
        try running.post("/v1/accounts", ["name": "mallory", "balance": "77"], status: 201)
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/chain/forge", ["blocks": 3])
        try running.post("/v1/chain/snapshots", ["name": "first"], status: 201)
        let lost = try send("alice", "bob", "1")
        try running.post("/v1/accounts", ["name": "branchling", "balance": "3"], status: 201)
        try running.post("/v1/chain/forge", ["blocks": 2])
        _ = try send("carol", "bob", "2")
        try running.post("/v1/chain/snapshots", status: 201)
        try running.post("/v1/chain/snapshots", ["name": "gone"], status: 201)
        try running.ok("DELETE", "/v1/chain/snapshots/gone", status: 204)
        try running.post("/v1/chain/reorg", ["depth": 2, "drop": .array([.string(lost)])])
        try running.post(
            "/v1/transactions",
            ["from": "dave", "to": "mallory", "message": "Hello"],
            status: 201
        )
        try running.post("/v1/chain/forge")
        let rule: JSONValue = ["target": "node", "limit": 1, "effect": ["kind": "hold"]]
        try running.post("/v1/faults", rule, status: 201)
        try running.ok(
            "POST",
            running.node() + "/api/transactions/process",
            try running.transfer(from: "judy", to: "ivan")
        )
        _ = try send("erin", "bob", "4")
        // The older of two that exceed a balance together is lost.
        _ = try send("frank", "bob", "99900000000")
        _ = try send("frank", "bob", "99800000000")
        try running.post("/v1/devices/phone/offline")
        let token = try running.get("/v1/devices/phone").text("token")
        _ = try running.push(token, transaction: "1")
        try running.ok("PUT", "/v1/apns/tokens/\(someToken())", ["state": "bad"])
        try running.patch("/v1/ans", ["behaviour": "ordered"])
        try running.patch("/v1/clock", ["frozen": true, "now": "2026-06-01T00:00:00.000Z"])
        return running
    }

    @Test(
        "an imported world says all that the exported one does, and can be exported again",
        arguments: [false, true]
    )
    func roundTrip(kept: Bool) throws {
        let folder = try TemporaryFolder()
        let original = try Self.busyWorld { if kept { $0.dataDirectory = folder.path + "/original" } }
        let before = try Self.facts(original)
        let file = folder.path + "/world"
        try Self.export(original, to: file)
        var paths = [file]
        for data in [nil, folder.path + "/data"] {
            let copy = try RunningWorld {
                $0.blockIntervalMilliseconds = RunningWorld.longBlock
                $0.seed = nil
                $0.importFile = paths.last
                $0.dataDirectory = data
            }
            #expect(try Self.facts(copy) == before)
            #expect(try copy.get("/v1/world")["seed"] == 7)
            #expect(try copy.get("/v1/devices/phone")["believesRegistered"] == true)
            #expect(try copy.get("/v1/ans")["behaviour"] == "ordered")
            #expect(try copy.get("/v1/clock")["now"] == "2026-06-01T00:00:00.000Z")
            paths.append(folder.path + "/again\(paths.count)")
            try Self.export(copy, to: try #require(paths.last))
        }
    }

    @Test("an imported world lives on: pools are forged, branches can be gone back to, draws do not repeat")
    func livesOn() throws {
        let folder = try TemporaryFolder()
        let original = try Self.busyWorld()
        try Self.export(original, to: folder.path + "/world")
        let data = folder.path + "/data"
        var copy = try RunningWorld {
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            $0.importFile = folder.path + "/world"
            $0.dataDirectory = data
        }
        for world in [original, copy] {
            try world.post("/v1/chain/forge")
            #expect(try world.post("/v1/chain/snapshots", status: 201).text("id") == "s4")
        }
        #expect(try copy.balance("bob") == original.balance("bob"))
        for snapshot in ["s2", "first", "s4"] {
            for world in [original, copy] { try world.post("/v1/chain/snapshots/\(snapshot)/revert") }
            #expect(try Self.facts(copy)[2...] == Self.facts(original)[2...], "\(snapshot)")
        }
        try copy.post("/v1/chain/reorg", ["depth": 3])
        let device = try copy.post("/v1/devices", status: 201)
        #expect(device["id"] == "d2")
        let tip = try copy.get("/v1/chain")["lastBlock"]
        copy.world.stop()
        copy = try RunningWorld {
            $0.dataDirectory = data
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
        }
        #expect(try copy.get("/v1/chain")["lastBlock"] == tip)
        #expect(try copy.list("devices", "/v1/devices").count == 2)
        try copy.post("/v1/chain/snapshots/s2/revert")
        try original.post("/v1/chain/snapshots/s2/revert")
        #expect(try copy.balance("branchling") == original.balance("branchling"))
    }

    @Test(
        "a reset goes back to what was imported, also when the world was opened again",
        arguments: [false, true]
    )
    func reset(kept: Bool) throws {
        let folder = try TemporaryFolder()
        try Self.export(try Self.busyWorld(), to: folder.path + "/world")
        let data = folder.path + "/data"
        var copy = try RunningWorld {
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            $0.importFile = folder.path + "/world"
            if kept { $0.dataDirectory = data }
        }
        let before = try Self.facts(copy)
        func move() throws {
            try copy.post("/v1/chain/forge", ["blocks": 3])
            try copy.post("/v1/chain/snapshots", ["name": "later"], status: 201)
            try copy.post("/v1/devices", status: 201)
        }
        try move()
        if kept {
            copy.world.stop()
            copy = try RunningWorld {
                $0.dataDirectory = data
                $0.blockIntervalMilliseconds = RunningWorld.longBlock
            }
        }
        for _ in 1...2 {
            try copy.post("/v1/reset")
            #expect(try Self.facts(copy) == before)
            #expect(try copy.list("devices", "/v1/devices").count == 1)
            try move()
        }
        guard kept else { return }
        try copy.post("/v1/reset")
        copy.world.stop()
        copy = try RunningWorld {
            $0.dataDirectory = data
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
        }
        #expect(try Self.facts(copy) == before)
    }

    @Test("what is no whole file of this version is refused with one line that names it, and nothing is kept")
    func refusesFiles() throws {
        let folder = try TemporaryFolder()
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 2])
        let good = folder.path + "/good"
        try Self.export(running, to: good)
        let bytes = try Files.read(good)
        let end = try #require(bytes.firstIndex(of: 10))
        func changed(_ place: Int) -> [UInt8] {
            var copy = bytes
            copy[place] ^= 1
            return copy
        }
        let text = String(decoding: bytes[...end], as: UTF8.self)
        let newer = Array(text.replacing("\"version\":1", with: "\"version\":2").utf8) + bytes[(end + 1)...]
        var cases: [([UInt8], String)] = [
            ([], "is no exported world"), (Array("hello\n".utf8), "is no exported world"),
            (Array(bytes[..<end]), "is no exported world"), (Array("{}\n".utf8), "is no exported world"),
            (newer, "has version 2 of the format, and this program reads version 1"),
            (changed(bytes.count - 1), "is damaged"), (changed(bytes.count - 40), "is damaged"),
            (bytes + [0], "is damaged"), (changed(end + 2), " is "),
            (Array(bytes[...end]), "is truncated"),
        ]
        for cut in [1, 44, 45, 46, 200] { cases.append((Array(bytes.dropLast(cut)), "is truncated")) }
        for place in stride(from: end + 6, to: bytes.count, by: max(1, bytes.count / 60)) {
            cases.append((changed(place), " is "))
        }
        for (content, message) in cases {
            let path = folder.path + "/bad"
            try Files.write(content, to: path)
            var configuration = running.world.configuration
            configuration.importFile = path
            configuration.dataDirectory = folder.path + "/data"
            let error = #expect(throws: WorldError.self) { _ = try World(configuration) }
            #expect(error?.exitCode == 2)
            let line = error?.message ?? ""
            #expect(line.hasPrefix("--import: \(path)") && line.contains(message), "\(line)")
            #expect(!line.contains("\n") && !Files.exists(folder.path + "/data/world.sqlite"))
        }
        var missing = running.world.configuration
        missing.importFile = folder.path + "/none"
        let error = #expect(throws: WorldError.self) { _ = try World(missing) }
        #expect(error?.message == "--import: \(folder.path)/none: No such file or directory")
    }

    @Test(
        "what contradicts the file is refused with the reason",
        arguments: ["seed", "nodes", "account", "data"]
    )
    func contradicts(what: String) throws {
        let folder = try TemporaryFolder()
        let running = try RunningWorld { $0.nodeCount = 2 }
        try Self.export(running, to: folder.path + "/world")
        var configuration = running.world.configuration
        configuration.importFile = folder.path + "/world"
        switch what {
        case "seed": configuration.seed = 8
        case "nodes": configuration.nodeCount = 3
        case "account": configuration.extraAccounts = [.init(passphrase: Self.phrase, amountUnits: 1)]
        default:
            configuration.dataDirectory = folder.path + "/data"
            try RunningWorld { $0.dataDirectory = folder.path + "/data" }.world.stop()
        }
        let error = #expect(throws: WorldError.self) { _ = try World(configuration) }
        #expect(error?.exitCode == 2)
        #expect(error?.message.hasPrefix("--import: ") == true, "\(error?.message ?? "")")
        #expect(error?.message.contains(folder.path) == true, "\(error?.message ?? "")")
    }
}
