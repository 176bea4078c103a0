import AdamantLedger
import AdamantModel
import Determinism
import HTTPDaemon
import JSONValue
import NodeServer
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: a long random walk")
struct RandomWalkTests {
    private static let paths = [
        "/api/node/status", "/api/loader/status", "/api/loader/status/sync", "/api/loader/status/ping",
        "/api/peers/version", "/api/peers", "/api/peers/get", "/api/peers/count", "/api/accounts",
        "/api/accounts/getBalance", "/api/accounts/getPublicKey", "/api/accounts/delegates",
        "/api/accounts/delegates/fee", "/api/accounts/top", "/api/accounts/count", "/api/blocks",
        "/api/blocks/get",
        "/api/blocks/getHeight", "/api/blocks/getEpoch", "/api/blocks/getFee", "/api/blocks/getFees",
        "/api/blocks/getNethash", "/api/blocks/getBroadhash", "/api/blocks/getMilestone",
        "/api/blocks/getReward",
        "/api/blocks/getSupply", "/api/blocks/getStatus", "/api/transactions", "/api/transactions/get",
        "/api/transactions/count", "/api/transactions/queued", "/api/transactions/unconfirmed",
        "/api/transactions/queued/get", "/api/transactions/unconfirmed/get", "/api/chats/get",
        "/api/chatrooms/@",
        "/api/chatrooms/@/@", "/api/states/get", "/api/delegates", "/api/delegates/get",
        "/api/delegates/count",
        "/api/delegates/search", "/api/delegates/voters", "/api/delegates/getNextForgers",
        "/api/delegates/forging/getForgedByAccount", "/api/delegates/forging/status", "/api/dapps",
        "/api/dapps/categories", "/api/dapps/get", "/api/chats/messages", "/api/chats/senders",
        "/api/delegates/fee",
    ]
    private static let posts = [
        "/api/transactions/process", "/api/chats/process", "/api/states/store", "/api/states/get",
        "/api/accounts/new", "/api/accounts/delegates", "/api/delegates", "/api/transactions",
        "/api/chats/normalize", "/api/states/normalize", "/api/transactions/normalize",
        "/api/accounts/generatePublicKey", "/api/delegates/forging/enable", "/api/nothing",
        "/api/delegates/nothing",
    ]
    private static let names = [
        "limit", "offset", "orderBy", "type", "types", "senderId", "recipientId", "isIn", "inId", "senderIds",
        "recipientIds", "senderPublicKey", "recipientPublicKey", "senderPublicKeys", "fromHeight", "toHeight",
        "fromTimestamp", "toTimestamp", "fromUnixTime", "minAmount", "maxAmount", "minFee", "maxFee",
        "noClutter",
        "minConfirmations", "ownerAddress", "ownerPublicKey", "returnAsset", "returnUnconfirmed", "blockId",
        "id",
        "height", "publicKey", "address", "username", "q", "key", "keyIds", "generatorPublicKey", "start",
        "end",
        "previousBlock", "totalFee", "reward", "numberOfTransactions", "ip", "port", "state", "version",
        "isDelegate", "withoutDirectTransfers", "includeDirectTransfers", "and:type", "or:senderId",
        "AND:fromHeight",
        "xor:a", "unknown", "value", "message", "amount", "recipientId", "secret",
    ]
    /// What may answer with status 500 beside paths that lead nowhere.
    private static let exceptions = [
        "API endpoint not found", "API error: Cannot convert undefined or null to object",
        "API error: root[config[params]] is not a function",
        "API error: __private.getUnconfirmedTransaction is not a function", "API error: Invalid public key: ",
    ]

    private struct Walk {
        var generator: SeededGenerator
        var addresses: [String] = []
        var ids = ["1", "99999999999999999999"]

        mutating func one<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }

        mutating func value() -> String {
            let odd = [
                "", "-1", "0", "1", "2", "3", "7", "100", "101", "1001", "2147483648", "9223372036854775807",
                "-9223372036854775808", "1e9", "1.5", "0x10", "abc", "null", "%00", "%F0%9F%98%80", "%FF",
                "U", "U1",
                "u1", "timestamp:desc", "timestamp:asc", "height", "type:x", "id:desc:x", "_", "genesis_1",
                "%25", "k",
                "U1,U2", "1,2", "0,8", "ab", "127.0.0.1",
                "41cb57609fce17bdc6e130d7e01b5fa0955ba613d8d1226bff680df944047059",
                "c07a4d10270db58e1300124713becddecefd9cf4dac6f313cfa7aac719e23516",
            ]
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: return one(addresses)
            case 1: return one(ids)
            default: return one(odd)
            }
        }

        mutating func target(_ paths: [String]) -> String {
            var path = one(paths)
            while let place = path.firstIndex(of: "@") {
                path.replaceSubrange(place...place, with: one([one(addresses), value(), "U1", "u1"]))
            }
            if Int.random(in: 0..<20, using: &generator) == 0 { path += one(["/", "/x", "%2F", "//"]) }
            let count = Int.random(in: 0..<4, using: &generator)
            guard count > 0 else { return path }
            return path + "?"
                + (0..<count).map { _ in one(RandomWalkTests.names) + "=" + value() }.joined(separator: "&")
        }

        mutating func body(_ posted: JSONValue) -> JSONValue {
            var object = posted.objectValue ?? JSONObject()
            let values: [JSONValue] = [
                .null, true, 0, -1, 1, 8, 9, 275_000_100, 4_294_967_296, "", "x", "U1", [], [:],
                ["chat": [:]],
                ["votes": ["+1", 5]], ["delegate": ["username": "a", "publicKey": "b"]],
                ["state": ["value": 1]],
                .string(one(addresses)),
            ]
            for _ in 0..<Int.random(in: 0..<3, using: &generator) {
                let name = one([
                    "type", "amount", "timestamp", "senderPublicKey", "recipientId", "asset", "signature",
                    "senderId",
                    "timestampMs", "requesterPublicKey", "publicKey", "message", "value", "secret", "limit",
                    "key",
                ])
                object[name] = one([nil] + values.map(Optional.some))
            }
            let inner = JSONValue.object(object)
            return one([["transaction": inner], ["transaction": inner], inner, ["transaction": one(values)]])
        }
    }

    @Test(
        "answers every request, and nothing but the known exceptions with status 500",
        arguments: ["0.9", "0.10"]
    )
    func walks(version: String) throws {
        let world = try TestWorld(version: version, balance: 2_000_000_000_000, startHeight: 50)
        let server = NodeServer(backend: world, node: 0)
        var walk = Walk(generator: SeededGenerator(seed: 11, purpose: version))
        walk.addresses = [TestWorld.alice, TestWorld.bob, TestWorld.poor, TestWorld.delegate]
            .map { $0.address(cryptography: SystemCryptography()).text }
        var statuses: [Int: Int] = [:]
        for step in 0..<6_000 {
            let request = try self.request(step, &walk, world)
            guard case .respond(let response) = server.handle(request) else {
                #expect(version == "0.10" && request.path.lowercased().hasPrefix("/api/transactions"))
                continue
            }
            statuses[response.status, default: 0] += 1
            let text = String(decoding: response.body, as: UTF8.self)
            switch response.status {
            case 200:
                let json = try JSONValue(parsing: response.body)
                #expect(json["success"]?.boolValue != nil, "\(request.target): \(text)")
            case 500: #expect(Self.exceptions.contains { text.contains($0) }, "\(request.target): \(text)")
            default: #expect([404, 503].contains(response.status), "\(request.target): \(text)")
            }
            if step.isMultiple(of: 40) { world.advance() }
        }
        #expect(statuses[200, default: 0] > 3_000)
        #expect(world.state.withLock { $0.ledger.height } > 101)
    }

    /// A GET, or a post that is often valid.
    private func request(_ step: Int, _ walk: inout Walk, _ world: TestWorld) throws -> HTTPRequest {
        guard step.isMultiple(of: 4) else {
            return HTTPRequest(method: "GET", target: walk.target(Self.paths))
        }
        let cryptography = SystemCryptography()
        let pair = walk.one([TestWorld.alice, TestWorld.bob, TestWorld.poor])
        let address = pair.address(cryptography: cryptography)
        let key = Hex.encode(TestWorld.delegate.publicKey)
        let (asset, type): (Asset, Int) = walk.one([
            (.none, 0), (.chat(message: "ab", ownMessage: "cd", type: walk.one([0, 1, 2, 3])), 8),
            (.state(value: "v", key: "k", type: 0), 9), (.delegate(username: walk.one(["a", "b"])), 2),
            (.votes([walk.one(["+", "-"]) + key]), 3),
        ])
        let transaction = Transaction(
            signing: asset,
            type: type,
            timestamp: world.state.withLock { Int32($0.now.epochSeconds) },
            recipient: type == 3 ? address : type == 0 || type == 8 ? Address(walk.one(walk.addresses)) : nil,
            amount: type == 0 ? walk.one([1, 5, 1_000_000]) : 0,
            by: pair,
            cryptography: cryptography
        )
        walk.ids.append(transaction.id.description)
        return HTTPRequest(
            method: "POST",
            target: walk.target(Self.posts),
            headers: [("Content-Type", "application/json")],
            body: walk.body(transaction.postedJSON).bytes
        )
    }
}

extension TestWorld {
    /// Lets five seconds pass, with a block.
    fileprivate func advance() {
        state.withLock { $0.now = $0.now.adding(milliseconds: 5_000) }
        forge()
    }
}
