import Foundation
import MocknetClient
import TestSupport
import Testing

/// Each call is made of a world in a process of its own.
@Suite("The calls of the client library")
struct CallTests {
    @Test("every documented call has a method")
    func everyCallHasAMethod() throws {
        let folder = Fixture.packageRoot + "/Sources/Client/MocknetClient/Calls"
        let text = try FileManager.default.contentsOfDirectory(atPath: folder)
            .map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
        var made = Set(
            text.matches(of: /"(GET|POST|PUT|PATCH|DELETE)",\s*"(\/[^"]*)"/)
                .map { "\($0.1) \(Self.withoutNames(String($0.2)))" }
        )
        made.formUnion(
            text.matches(of: /list\(\s*"[a-z]+",\s*"(\/[^"]*)"/).map {
                "GET \(Self.withoutNames(String($0.1)))"
            }
        )
        let page = try String(contentsOfFile: Fixture.packageRoot + "/Docs/control-api.md", encoding: .utf8)
        let documented = Set(
            page.matches(of: /(?m)^### `([A-Z]+) (\/[^`]*)`$/)
                .map { "\($0.1) \($0.2.replacing(/\{[a-zA-Z]+\}/, with: "{}"))" }
                .filter { $0.contains(" /v1/") || $0 == "GET /metrics" || $0 == "GET /openapi.json" }
        )
        // Events are read in pages that wait, since URLSession cannot stream everywhere; test-push is a call of its own.
        let others: Set = ["GET /v1/events/stream"]
        #expect(documented.count > 50)
        #expect(documented.subtracting(made).subtracting(others).sorted() == [])
    }

    /// A path as the page writes it, with an empty pair of braces for each name.
    private static func withoutNames(_ path: String) -> String {
        path.replacing(/\\\(segment\([a-zA-Z]+\)\)/, with: "{}")
    }

    @Test("accounts, transactions and the chain")
    func chain() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let world = process.world
        #expect(await world.isReady())
        #expect(try await world.describe().control == process.description.control)
        #expect(try await world.accounts().contains { $0.name == "alice" })
        let carl = try await world.makeAccount(name: "carl", balance: 300_000_000)
        #expect(carl.balance == "300000000")
        #expect(try await world.fund("carl", amount: 1).balance == "300000001")

        let snapshot = try await world.takeSnapshot(name: "before")
        let message = try await world.sendMessage("one", from: "carl", to: "bob", node: "alpha")
        #expect(try await world.transaction(message).state == "forged")
        #expect(try await world.transactions(kind: "message").map(\.id) == [message])
        let newest = try #require(try await world.blocks(after: snapshot.height).first)
        #expect(newest.height == snapshot.height + 1 && newest.transactionCount == 1)
        #expect(try await world.block(newest.id).transactions?.map(\.id) == [message])
        let reorganized = try await world.reorganize(depth: 1, ["keep": [.string(message)]])
        #expect(reorganized.reverted.map(\.transactions) == [1])
        try await world.revert(to: "before")
        #expect(try await world.chain().height == snapshot.height)
        #expect(try await world.snapshots().map(\.name) == ["before"])
        try await world.deleteSnapshot("before")
        #expect(try await world.snapshots().isEmpty)

        #expect(try await world.setForging("manual").forging == "manual")
        #expect(try await world.forge(blocks: 2).height == snapshot.height + 2)
        #expect(try await world.export().count > 1000)
    }

    @Test("fixtures are loaded, and nothing in them breaks a rule")
    func fixtures() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let world = process.world
        let size: JSON = ["rows": 30, "addresses": 20, "largest": 5]
        #expect(try await world.loadRegistry(size)["rows"]?.integerValue == 30)
        let registry = try await world.registry()
        #expect(registry.rows.count == 30 && !registry.more)
        let page = try await world.registry(after: registry.rows[9].seq, limit: 5)
        #expect(page.rows.map(\.token) == registry.rows[10..<15].map(\.token) && page.more)
        #expect(page.totals["rows"] == 30)
        #expect(try await world.makeAccounts(3, seed: 5)["count"]?.integerValue == 3)
        #expect(try await world.auditParties().map { $0["party"]?.stringValue }.contains("apple"))
        #expect(try await world.audit(rule: "no-content").isEmpty)
    }

    @Test("a further world knows nothing of the first, and ends by itself")
    func furtherWorlds() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let other = try await process.world.makeWorld(["seed": 9, "nodes": 2, "forging": "instant"])
        let description = try await other.describe()
        #expect(description.seed == 9 && description.nodes.count == 2)
        try await other.sendMessage("Hello", from: "alice", to: "bob")
        #expect(try await other.transactions().count == 1)
        #expect(try await process.world.transactions().isEmpty)
        #expect(try await process.world.worlds().map(\.id).contains(description.id))
        try await process.world.deleteWorld(description.id)
        let error = await #expect(throws: MocknetError.self) { try await other.chain() }
        guard case .refused(404, _, _, _)? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    @Test("the clock is set, advanced and stopped")
    func clock() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let world = process.world
        let noon = Date(timeIntervalSince1970: 1_780_000_000.25)
        #expect(try await world.setClock(frozen: true, now: noon).now == noon)
        let later = try await world.advanceClock(seconds: 90)
        #expect(later.now == noon + 90)
        #expect(try await world.clock().frozen)
        #expect(later.epochSeconds == 1_780_000_090 - 1_504_371_600)
    }

    @Test("nodes, requests and faults")
    func faults() async throws {
        let process = try await TestedWorld.start(["--nodes", "2"])
        defer { process.stop() }
        let world = process.world
        #expect(try await world.nodes().map(\.name) == ["alpha", "beta"])
        #expect(try await world.changeNode("beta", ["lagBlocks": 2, "failureRate": 0.5]).lagBlocks == 2)
        #expect(try await world.node("beta").failureRate == 0.5)
        try await world.changeNode("beta", ["failureRate": 0.0, "lagBlocks": 0])

        let hold: JSON = ["target": "node", "match": ["chatType": 1], "effect": ["kind": "hold"], "limit": 1]
        let rule = try await world.addFault(hold)
        #expect(rule.rule["effect"]?["kind"]?.stringValue == "hold")
        #expect(try await world.changeFault(rule.id, ["limit": 2]).rule["limit"]?.integerValue == 2)
        #expect(try await world.fault(rule.id).fired == 0)
        #expect(try await world.faultDecisions()["decisions"]?.arrayValue?.isEmpty == true)
        #expect(try await world.faults().count == 1)
        #expect(try await world.held().isEmpty)
        try await world.deleteFault(rule.id)
        let presets = try await world.faultPresets()
        let name = try #require(presets.first?["name"]?.stringValue)
        #expect(try await world.addFaults(preset: name).isEmpty == false)
        try await world.deleteFaults()
        #expect(try await world.faults().isEmpty)

        _ = try await world.makeDevice("phone", owner: "bob", ["nodes": ["alpha"]])
        let posts = try await world.requests(["path": "/api/chats/process", "status": "200"])
        #expect(posts.map(\.node) == ["alpha"])
        #expect(try await world.registry().rows.map(\.address) == [try await world.account("bob").address])
    }

    @Test("APNs, its keys and its tokens")
    func apns() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let world = process.world
        #expect(try await world.changeAPNs(["tokens": "strict"])["tokens"]?.stringValue == "strict")
        #expect(try await world.apns()["credentials"]?.stringValue == "any-key")
        try await world.setProviderKey("ABCDE12345", ["teamId": "TEAM123456", "state": "revoked"])
        #expect(try await world.providerKeys().map { $0["state"]?.stringValue } == ["revoked"])
        try await world.deleteProviderKey("ABCDE12345")
        let token = String(repeating: "a1", count: 32)
        let since = Date(timeIntervalSince1970: 1_780_000_000)
        #expect(try await world.setToken(token, state: "unregistered", since: since).since == since)
        #expect(try await world.tokens().map(\.token) == [token])
        #expect(try await world.pushes().isEmpty)
        try await world.deletePushes()
    }

    @Test("a test push, its record and its events")
    func testPush() async throws {
        let process = try await TestedWorld.start(["--ans", "ordered"])
        defer { process.stop() }
        let world = process.world
        #expect(try await world.notificationService().behaviour == "ordered")
        try await world.changeNotificationService(pollSeconds: 0.05)
        try await world.makeDevice("phone", owner: "bob")
        let result = try await world.testPush("phone", message: "Are you there?")
        #expect(result.outcome == "shown")
        let push = try #require(try await world.pushes(PushFilter(transactionId: result.transactionId)).first)
        #expect(push.delivery?.state == "delivered")
        #expect(try await world.push(push.id)["payloadBase64"]?.stringValue?.isEmpty == false)
        #expect(try await world.simulatorFile(ofPush: push.id).count > 100)
        for try await event in world.eventStream(kind: "push.received") {
            #expect(event.data["push"]?.stringValue == push.id)
            break
        }
        #expect(try await world.perform("sign-out", on: "phone").owner == nil)
        #expect(try await world.devices().map(\.believesRegistered) == [false])
        try await world.stopNotificationService()
        try await world.startNotificationService()
        try await world.pollNotificationService()
    }

    @Test("a refusal tells status, code and member")
    func refusals() async throws {
        let process = try await TestedWorld.start()
        defer { process.stop() }
        let world = process.world
        let error = await #expect(throws: MocknetError.self) {
            try await world.changeNode("alpha", ["colour": "red"])
        }
        guard case .refused(422, _, _, "colour")? = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        let missing = await #expect(throws: MocknetError.self) { try await world.account("nobody/at all?") }
        guard case .refused(404, _, _, _)? = missing else {
            Issue.record("another error: \(String(describing: missing))")
            return
        }
    }
}
