import AdamantModel
import Determinism
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

@Suite("World: after any moves of the chain")
struct ChainMoveTests {
    private static let isLong = ProcessInfo.processInfo.environment["MOCKNET_LONG"] != nil

    @Test(
        "every endpoint says what the blocks say, through forks, snapshots, restarts and imports",
        arguments: 1...(isLong ? 10 : 2)
    )
    func agrees(seed: Int) throws {
        let walk = try ChainWalk(seed: UInt64(seed))
        for round in 1...(Self.isLong ? 100 : 10) {
            for _ in 1...8 { try walk.move() }
            let problems = try walk.problems()
            #expect(
                problems.isEmpty,
                "seed \(seed) round \(round): \(problems.prefix(5)) after \(walk.moves)"
            )
            if !problems.isEmpty { return }
        }
    }
}

/// A random walk of a kept world by its control API, and what must hold wherever it is.
private final class ChainWalk {
    private static let names = ["alice", "bob", "carol", "dave", "zero"]

    private(set) var moves: [String] = []
    private let folder: TemporaryFolder
    private var generator: SeededGenerator
    private var running: RunningWorld
    private var data: String
    private var folders = 0
    /// What the world said when each snapshot was taken.
    private var facts: [String: [JSONValue]] = [:]
    /// The chain as the journal tells it: ids by height, from the first block on.
    private var told: [String] = []
    private var toldOfSnapshots: [String: [String]] = [:]
    private var lastEvent: Int64 = 0

    init(seed: UInt64) throws {
        folder = try TemporaryFolder()
        generator = SeededGenerator(seed: seed)
        data = folder.path + "/0"
        let data = data
        running = try RunningWorld {
            $0.nodeCount = 2
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            $0.seed = seed
            $0.dataDirectory = data
        }
        told = try chain()
    }

    private func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
    private func name() -> String { Self.names[number(0...Self.names.count - 1)] }

    // MARK: - Moves

    func move() throws {
        switch number(0...19) {
        case 0...6: try send()
        case 7...9:
            moves.append("forge")
            try running.post("/v1/chain/forge", ["blocks": .int(number(1...2))])
        case 10: try takeSnapshot()
        case 11, 12: try revert()
        case 13...15: try reorganize()
        case 16:
            moves.append("fund")
            try running.post("/v1/accounts/zero/fund", ["amount": .string(String(number(1...1_000_000_000)))])
        case 17: try holdOrRelease()
        case 18: try reopen()
        default: try importAgain()
        }
    }

    private func send() throws {
        var order = JSONObject([("from", .string(name())), ("to", .string(name()))])
        switch number(0...3) {
        case 0: order.append("message", .string("message \(number(0...9))"))
        case 1:
            let action = ["add", "remove"][number(0...1)]
            let text =
                #"{"token":"\#(someToken(["a", "b"][number(0...1)]))","provider":"apns","action":"\#(action)"}"#
            order["to"] = "ans"
            order.append("kind", "signal")
            order.append("message", .string(text))
        default:
            order.append("amount", .string(String([1, 500, 60_000_000_000][number(0...2)] + number(0...9))))
        }
        order.append("node", .string(["alpha", "beta"][number(0...1)]))
        let answer = try running.call("POST", "/v1/transactions", .object(order))
        moves.append("send \(answer.json.text("transactionId"))")
        #expect(answer.status == 201 || answer.status == 422, "\(answer.text)")
    }

    private func takeSnapshot() throws {
        let id = try running.post("/v1/chain/snapshots", status: 201).text("id")
        moves.append("snapshot \(id)")
        facts[id] = try served()
        toldOfSnapshots[id] = try chain()
    }

    private func revert() throws {
        let ids = facts.keys.sorted()
        guard !ids.isEmpty else { return }
        let id = ids[number(0...ids.count - 1)]
        moves.append("revert \(id)")
        try running.post("/v1/chain/snapshots/\(id)/revert")
        try expectServed(facts[id] ?? [], "snapshot \(id)")
    }

    private func reorganize() throws {
        let height = Int(try running.height())
        guard height > 1 else { return }
        let depth = number(1...min(height - 1, 4))
        var members = JSONObject([("depth", .int(depth))])
        let ids = try rows().filter { $0["height"]?.intValue ?? 0 > Int64(height - depth) }
            .map { $0.text("id") }
        for list in ["keep", "order", "delay", "drop"] {
            let named = ids.filter { _ in number(0...9) == 0 }
            let free = named.filter { id in
                !members.members.contains { $0.value.arrayValue?.contains(.string(id)) == true }
            }
            members.append(list, .array(free.map(JSONValue.string)))
        }
        moves.append("reorg \(JSONValue.object(members).text)")
        let answer = try running.post("/v1/chain/reorg", .object(members))
        #expect(answer["height"]?.intValue ?? 0 > Int64(height))
        func blocks(_ member: String) -> Set<String> {
            Set((answer[member]?.arrayValue ?? []).map { $0.text("id") })
        }
        #expect(blocks("forged").isDisjoint(with: blocks("reverted")))
    }

    private func holdOrRelease() throws {
        if let held = try running.list("held", "/v1/held").first {
            moves.append("release")
            let answer = try running.call("POST", "/v1/held/\(held.text("id"))/release")
            #expect(answer.status == 200 || answer.status == 409)
            return
        }
        moves.append("hold")
        let rule: JSONValue = [
            "target": "node", "limit": 1, "match": ["path": "/api/transactions/process"],
            "effect": ["kind": "hold"],
        ]
        try running.post("/v1/faults", rule, status: 201)
        let body = try running.transfer(from: "judy", to: "bob", amount: Int64(number(1...1_000_000)))
        try running.ok("POST", running.node() + "/api/transactions/process", body)
    }

    /// Opens the world again: after it stopped, or as it is after it was killed.
    private func reopen() throws {
        let before = try served() + listed()
        if number(0...1) == 0 {
            moves.append("stop and reopen")
            running.world.stop()
        } else {
            moves.append("kill and reopen")
            let image = nextFolder()
            try FileManager.default.copyItem(atPath: data, toPath: image)
            running.world.stop()
            data = image
        }
        try open(before) { $0.dataDirectory = data }
    }

    private func importAgain() throws {
        moves.append("export and import")
        let before = try served() + listed()
        let client = HTTPClient(options: .init(timeoutMilliseconds: 30_000))
        let export = try client.send(HTTPClientRequest(url: running.control + "/v1/export"))
        try Files.write(export.body, to: folder.path + "/world")
        running.world.stop()
        data = nextFolder()
        try open(before) {
            $0.dataDirectory = data
            $0.importFile = folder.path + "/world"
        }
    }

    private func open(_ before: [JSONValue], _ change: (inout WorldConfiguration) -> Void) throws {
        running = try RunningWorld {
            $0.seed = nil
            $0.blockIntervalMilliseconds = RunningWorld.longBlock
            change(&$0)
        }
        lastEvent = 0
        told = try chain()
        try expectServed(before, moves.last ?? "", with: listed())
    }

    private func nextFolder() -> String {
        folders += 1
        return folder.path + "/\(folders)"
    }

    // MARK: - What is served

    /// The rows of all transactions, in the chain's order.
    private func rows(_ query: String = "", node: Int = 0) throws -> [JSONValue] {
        let path = "/api/transactions?limit=1000&orderBy=height:asc&returnAsset=1" + query
        return try running.ok("GET", running.node(node) + path)["transactions"]?.arrayValue ?? []
    }

    private func balances(_ address: String, node: Int) throws -> JSONValue {
        var answer =
            try running.ok("GET", running.node(node) + "/api/accounts/getBalance?address=\(address)")
            .objectValue ?? JSONObject()
        answer["nodeTimestamp"] = nil
        return .object(answer)
    }

    private func addresses() throws -> [String] {
        try running.list("accounts", "/v1/accounts").map { $0.text("address") }
    }

    /// What must be the same whenever the world is where it was.
    private func served() throws -> [JSONValue] {
        var all = [try running.get("/v1/registry"), try running.get("/v1/accounts")]
        all.append(try running.get("/v1/chain")["lastBlock"] ?? .null)
        all += try running.list("held", "/v1/held")
        for node in 0...1 {
            all += try rows(node: node)
            let network = try running.ok("GET", running.node(node) + "/api/node/status")["network"]
            all.append(network ?? .null)
            for address in try addresses() { all.append(try balances(address, node: node)) }
        }
        return all
    }

    /// What a world that is opened again must list as before.
    private func listed() throws -> [JSONValue] {
        try running.list("transactions", "/v1/transactions?limit=10000").map { transaction in
            var members = transaction.objectValue ?? JSONObject()
            members["seq"] = nil
            return .object(members)
        } + [try running.get("/v1/chain/snapshots")]
    }

    private func expectServed(_ before: [JSONValue], _ place: String, with list: [JSONValue] = []) throws {
        let now = try served() + list
        guard now != before else { return }
        let other = zip(now, before).first { $0 != $1 }
        let what =
            other.map { "\($0.text) instead of \($1.text)" } ?? "\(now.count) things, not \(before.count)"
        Issue.record("\(place): \(what) after \(moves)")
    }

    /// Ids of all blocks, as the journal or the lists tell them; nil for blocks that hold nothing.
    private func chain() throws -> [String] {
        let height = Int(try running.height())
        var ids = Array(repeating: "", count: height)
        for row in try rows() {
            guard let place = row["height"]?.intValue, (1...Int64(height)).contains(place) else { continue }
            ids[Int(place) - 1] = row.text("blockId")
        }
        ids[height - 1] = try running.get("/v1/chain")["lastBlock"]?.text("id") ?? ""
        return ids
    }

    // MARK: - The oracle

    func problems() throws -> [String] {
        var problems: [String] = []
        func expect(_ isSo: Bool, _ what: String) { if !isSo { problems.append(what) } }
        let rows = try rows()
        let height = try running.height()
        let listed = try running.list("transactions", "/v1/transactions?limit=10000")
        expect(Set(rows.map { $0.text("id") }).count == rows.count, "a transaction is there twice")
        var balances: [String: Int64] = [:]
        for row in rows {
            let (amount, fee) = (row["amount"]?.intValue ?? 0, row["fee"]?.intValue ?? 0)
            balances[row.text("senderId"), default: 0] -= amount + fee
            balances[row.text("recipientId"), default: 0] += amount
            let confirmations = height - (row["height"]?.intValue ?? 0) + 1
            expect(
                row["confirmations"]?.intValue == confirmations,
                "\(row.text("id")) has other confirmations"
            )
        }
        for (node, nodeName) in ["alpha", "beta"].enumerated() {
            expect(try self.rows(node: node) == rows, "\(nodeName) has other rows")
            let tip = try running.ok("GET", running.node(node) + "/api/blocks/getHeight")["height"]?.intValue
            expect(tip == height, "\(nodeName) is at another height")
            for address in try addresses() {
                let waiting = listed.filter {
                    $0["sender"]?.stringValue == address && $0["nodes"]?[nodeName] == "unconfirmed"
                }
                let spent = waiting.reduce(Int64(0)) {
                    $0 + (units($1, "amount") ?? 0) + (units($1, "fee") ?? 0)
                }
                let shown = try self.balances(address, node: node)
                let balance = balances[address] ?? 0
                expect(units(shown, "balance") == balance, "\(address) has \(shown.text), not \(balance)")
                expect(
                    units(shown, "unconfirmedBalance") == balance - spent,
                    "\(address) has \(shown.text) left"
                )
                let own = rows.filter { $0.text("senderId") == address || $0.text("recipientId") == address }
                let page = try self.rows("&inId=\(address)", node: node).map { $0.text("id") }
                expect(page == own.map { $0.text("id") }, "\(address) has other rows")
            }
            for type in [0, 8] {
                let page = try self.rows("&and:type=\(type)", node: node).map { $0.text("id") }
                let own = rows.filter { $0["type"]?.intValue == Int64(type) }.map { $0.text("id") }
                expect(page == own, "there are other rows of type \(type)")
            }
        }
        let seen = Set(listed.map { $0.text("id") })
        let unseen = rows.filter { $0["height"] != 1 && !seen.contains($0.text("id")) }
        expect(unseen.isEmpty, "\(unseen.count) came unseen")
        for transaction in listed {
            let row = rows.first { $0["id"] == transaction["id"] }
            let isForged = transaction["state"] == "forged"
            expect((row != nil) == isForged, "\(transaction.text) is elsewhere")
            expect(row?["height"] == transaction["height"], "\(transaction.text) is at another height")
            expect(isForged || !transaction.text("why").isEmpty, "nobody knows why \(transaction.text)")
        }
        try followEvents(&problems)
        return problems
    }

    private func units(_ object: JSONValue, _ member: String) -> Int64? {
        object[member]?.stringValue.flatMap { Int64($0) }
    }

    /// Plays the journal's events of blocks and snapshots, which must lead to the chain that there is.
    private func followEvents(_ problems: inout [String]) throws {
        while true {
            let page = try running.get("/v1/events?after=\(lastEvent)&limit=10000")
            let events = page["events"]?.arrayValue ?? []
            for event in events {
                let data = event["data"] ?? [:]
                switch event.text("kind") {
                case "block.forged":
                    if data["height"]?.intValue != Int64(told.count + 1) {
                        problems.append("a gap before \(data.text)")
                    }
                    told.append(data.text("id"))
                case "block.reverted":
                    let last = told.popLast() ?? ""
                    if !last.isEmpty, last != data.text("id") {
                        problems.append("\(data.text) was not the last")
                    }
                case "snapshot.reverted":
                    let known = toldOfSnapshots[data.text("id")] ?? []
                    if told.count != data["commonHeight"]?.intValue.map({ Int($0) }) {
                        problems.append("\(told.count) blocks are left of \(data.text)")
                    }
                    told = known
                default: break
                }
            }
            lastEvent = page["next"]?.intValue ?? lastEvent
            if events.count < 10_000 { break }
        }
        let now = try chain()
        if now.count != told.count {
            problems.append("the journal tells of \(told.count) blocks, not \(now.count)")
        }
        for (height, pair) in zip(now, told).enumerated() where !pair.0.isEmpty && !pair.1.isEmpty {
            if pair.0 != pair.1 { problems.append("the journal tells of another block at \(height + 1)") }
        }
    }
}
