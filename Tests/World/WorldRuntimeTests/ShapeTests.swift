import JSONValue
import Testing
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The member names that outsiders rely on.
@Suite("Control API: what it answers")
struct ShapeTests {
    @Test("the world tells its addresses, its accounts and its ANS")
    func world() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let world = try running.get("/v1/world")
        #expect(
            world.members
                == [
                    "id", "seed", "startedAt", "ready", "height", "nodes", "apns", "proxy", "control",
                    "caFile", "ans", "accounts",
                ]
        )
        #expect(world["id"] == "default")
        #expect(world["seed"] == 7)
        #expect(world["ready"] == true)
        #expect(world["height"] == 1)
        let nodes = try #require(world["nodes"]?.arrayValue)
        #expect(nodes.map { $0.text("name") } == ["alpha", "beta"])
        #expect(nodes[0].members == ["name", "url", "socketUrl", "tlsUrl", "version"])
        #expect(nodes[0]["version"] == "0.9.0")
        #expect(world["apns"]?.members == ["production", "sandbox"])
        #expect(world["ans"]?.members == ["address", "publicKey", "passphrase", "privateKey"])
        let accounts = try #require(world["accounts"]?.arrayValue)
        #expect(
            accounts.map { $0.text("name") } == [
                "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "zero",
            ]
        )
        #expect(accounts[0].members == ["name", "address", "publicKey", "passphrase", "balance"])
        #expect(accounts.prefix(10).allSatisfy { $0["balance"] == "100000000000" })
        #expect(accounts[10]["balance"] == "0")
        #expect(try running.get("/v1/health") == ["ready": true])
    }

    @Test("accounts are made, named, funded and found by name and address")
    func accounts() throws {
        let running = try RunningWorld()
        let made = try running.post("/v1/accounts", ["name": "mallory", "balance": "250000000"], status: 201)
        #expect(made.members == ["name", "address", "publicKey", "passphrase", "balance"])
        #expect(made["balance"] == "250000000")
        #expect(made.text("passphrase").split(separator: " ").count == 12)
        #expect(try running.get("/v1/accounts/mallory") == made)
        #expect(try running.get("/v1/accounts/\(made.text("address"))") == made)
        let again = try running.post("/v1/accounts", ["passphrase": .string(made.text("passphrase"))])
        #expect(again == made, "the same account, under the name it has")
        let funded = try running.post("/v1/accounts/zero/fund", ["amount": "5"])
        #expect(funded["balance"] == "5")
        #expect(funded["name"] == "zero")
        let stranger = try running.post("/v1/accounts/U123456/fund", ["amount": "6"])
        #expect(stranger["balance"] == "6")
        #expect(stranger["passphrase"] == .null)
        #expect(try running.list("accounts", "/v1/accounts").count == 13)
    }

    @Test("a transaction is signed, submitted, and found where it is")
    func transactions() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let sent = try running.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "message": "Hello", "node": "beta"],
            status: 201
        )
        #expect(sent.members == ["transactionId"])
        let id = sent.text("transactionId")
        let queued = try running.get("/v1/transactions/\(id)")
        #expect(queued["state"] == "queued")
        #expect(queued["nodes"] == ["alpha": "queued", "beta": "queued"])
        try running.post("/v1/chain/forge")
        let forged = try running.get("/v1/transactions/\(id)")
        #expect(forged["state"] == "forged")
        #expect(forged["height"] == 2)
        let onNode = try running.ok("GET", running.node(1) + "/api/transactions/get?id=\(id)&returnAsset=1")
        #expect(onNode["transaction"]?["asset"]?["chat"]?["type"] == 1)
    }

    @Test("equal transfers within one second are two transactions")
    func equalTransfers() throws {
        let running = try RunningWorld()
        let order: JSONValue = ["from": "alice", "to": "bob", "amount": "1"]
        let ids = try (0..<3).map { _ in
            try running.post("/v1/transactions", order, status: 201).text("transactionId")
        }
        #expect(Set(ids).count == 3)
        try running.post("/v1/chain/forge")
        #expect(try running.balance("bob") == "100000000003")
    }

    @Test("the chain, the clock and APNs show their settings")
    func settings() throws {
        let running = try RunningWorld()
        let chain = try running.get("/v1/chain")
        #expect(chain.members == ["height", "forging", "intervalMilliseconds", "lastBlock"])
        #expect(chain["forging"] == "manual")
        let clock = try running.get("/v1/clock")
        #expect(clock.members == ["now", "epochSeconds", "offsetSeconds", "frozen"])
        #expect(clock["offsetSeconds"] == 0)
        let usual: JSONValue = [
            "tokens": "open", "credentials": "any-key", "profile": "apple", "settings": "constant",
            "alpn": "optional", "tokenUpdateMinutes": 0, "oldTokenSeconds": 0,
            "oldTokenJitterSeconds": 0, "tokenRequestsPerSecond": 0, "tokenRequestsBurst": 50,
            "backgroundPerHour": 3, "powerSavingSeconds": 0, "storedChoice": "latest",
        ]
        let apns = try running.get("/v1/apns")
        for name in usual.members { #expect(apns[name] == usual[name], "\(name)") }
        let set = try running.patch("/v1/apns", ["tokens": "strict", "credentials": "syntax"])
        #expect(set["tokens"] == "strict")
        #expect(set["credentials"] == "syntax")
        #expect(try running.push(someToken()).json["reason"] == "BadDeviceToken")
    }

    @Test("device tokens are set and listed")
    func tokens() throws {
        let running = try RunningWorld()
        let since = "2026-01-01T00:00:00.000Z"
        let set = try running.ok(
            "PUT",
            "/v1/apns/tokens/\(someToken("A"))",
            ["state": "unregistered", "since": .string(since)]
        )
        #expect(set.members == ["token", "state", "since", "topic", "environment"])
        #expect(set["token"] == .string(someToken("a")))
        #expect(try running.list("tokens", "/v1/apns/tokens") == [set])
        let answer = try running.push(someToken())
        #expect(answer.status == 410)
        #expect(answer.json == ["reason": "Unregistered", "timestamp": 1_767_225_600_000])
    }

    @Test("nodes show their versions, rates and switches")
    func nodes() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        let node = try running.get("/v1/nodes/beta")
        #expect(
            node.members.prefix(19)
                == [
                    "name", "url", "socketUrl", "tlsUrl", "version", "online", "offlineMode", "socket",
                    "socketClients", "socketEvents", "height", "failureRate", "failureMix", "latency",
                    "lagBlocks", "syncing",
                    "loading", "clockSkewMilliseconds", "relayMilliseconds",
                ]
        )
        #expect(try running.list("nodes", "/v1/nodes").count == 2)
        let changed = try running.patch(
            "/v1/nodes/beta",
            [
                "version": "0.10.2", "countAsString": true, "failureRate": 0.25,
                "failureMix": ["status503": 1, "resetBefore": 0, "timeout": 0, "resetAfter": 0],
            ]
        )
        #expect(changed["version"] == "0.10.2")
        #expect(changed["maxTransactionAgeSeconds"] == 5)
        #expect(changed["countAsString"] == true)
        #expect(changed["failureRate"]?.doubleValue == 0.25)
        #expect(changed["failureMix"]?["status503"]?.doubleValue == 1)
        #expect(try running.get("/v1/nodes/alpha")["version"] == "0.9.0")
    }

    @Test("fault rules are made, changed, counted and removed")
    func faults() throws {
        let running = try RunningWorld()
        let rule: JSONValue = [
            "target": "node", "match": ["path": "/api/node/status"], "limit": 1,
            "effect": ["kind": "status", "status": 500, "body": "down"],
        ]
        let made = try running.post("/v1/faults", rule, status: 201)
        #expect(made["id"] == "f1")
        for member in ["target", "match", "limit", "effect"] { #expect(made[member] == rule[member]) }
        for _ in 1...2 { _ = try running.call("GET", running.node() + "/api/node/status") }
        let counted = try running.get("/v1/faults/f1")
        #expect(counted["matched"] == 2)
        #expect(counted["fired"] == 1)
        #expect(counted["spent"] == true)
        let patched = try running.patch("/v1/faults/f1", ["limit": 2])
        #expect(patched["limit"] == 2)
        #expect(patched["matched"] == 2)
        #expect(try running.list("faults", "/v1/faults") == [patched])
        try running.ok("DELETE", "/v1/faults/f1", status: 204)
        #expect(try running.call("GET", "/v1/faults/f1").status == 404)
        try running.post("/v1/faults", rule, status: 201)
        try running.ok("DELETE", "/v1/faults", status: 204)
        #expect(try running.list("faults", "/v1/faults").isEmpty)
    }

    @Test("calls of nodes are listed with who made them")
    func requests() throws {
        let running = try RunningWorld { $0.nodeCount = 2 }
        _ = try running.call(
            "GET",
            running.node(1) + "/api/blocks/getHeight",
            headers: [("User-Agent", "me/1")]
        )
        _ = try running.call("GET", running.node(0) + "/api/node/status?x=1")
        let calls = try running.list("requests", "/v1/requests?agent=me/1&wait=5")
        #expect(calls.count == 1)
        #expect(
            calls[0].members == [
                "seq", "at", "node", "client", "agent", "method", "path", "query", "status", "faultId",
                "transactionId", "height", "attempt",
            ]
        )
        #expect(calls[0]["node"] == "beta" && calls[0]["attempt"]?.isNull == true)
        #expect(calls[0]["status"] == 200)
        #expect(try running.list("requests", "/v1/requests?query=x%3D1").count == 1)
        #expect(try running.list("requests", "/v1/requests?node=gamma").isEmpty)
    }

    @Test("pushes are listed, found by id, and removed")
    func pushes() throws {
        let running = try RunningWorld()
        let answer = try running.push(someToken(), transaction: "12345", recipient: "U1")
        #expect(answer.status == 200)
        let page = try running.get(
            "/v1/pushes?recipient=U1&transactionId=12345&status=200&token=\(someToken("A"))"
        )
        let pushes = try #require(page["pushes"]?.arrayValue)
        let push = try #require(pushes.first)
        for member in [
            "seq", "id", "receivedAt", "environment", "connection", "token", "headers", "payload",
            "payloadBytes",
            "status", "reason", "timestamp", "apnsId", "verdict", "provider", "transactionId", "recipient",
            "delivery",
        ] {
            #expect(push[member] != nil, "\(member)")
        }
        #expect(push["verdict"]?.members == ["rule", "alsoWouldHave", "lints", "faultId"])
        #expect(push["delivery"] == .null, "nobody was given that token")
        #expect(page["next"] == push["seq"])
        #expect(
            try running.events("push.received")[0]["seq"] == push["seq"],
            "its number is that of its event"
        )
        let alone = try running.get("/v1/pushes/\(push.text("id").uppercased())")
        #expect(
            Data(base64Encoded: alone.text("payloadBase64"))?.count
                == push["payloadBytes"]?.intValue.map(Int.init)
        )
        #expect(try running.get("/v1/pushes?delivery=stored")["pushes"] == [])
        try running.ok("DELETE", "/v1/pushes", status: 204)
        #expect(try running.get("/v1/pushes")["pushes"] == [])
        #expect(try running.call("GET", "/v1/pushes/\(push.text("id"))").status == 404)
    }

    @Test("events carry number, time, kind, node, transaction, fault and data")
    func events() throws {
        let running = try RunningWorld()
        try running.post("/v1/transactions", ["from": "alice", "to": "bob", "amount": "7"], status: 201)
        let page = try running.get("/v1/events?kind=transaction.accepted&node=alpha")
        let event = try #require(page["events"]?.arrayValue?.first)
        #expect(event.members == ["seq", "at", "kind", "node", "transactionId", "faultId", "data"])
        #expect(event["data"]?["kind"] == "transfer")
        #expect(page["next"] == event["seq"])
        #expect(try running.get("/v1/events?transactionId=1")["events"] == [])
    }
}
