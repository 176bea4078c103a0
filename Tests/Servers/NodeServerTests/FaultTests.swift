import AdamantLedger
import AdamantModel
import FaultRules
import JSONValue
import NodeServer
import Synchronization
import TestSupport
import Testing

@Suite("Node: faults")
struct FaultTests {
    private static func accepted(_ transaction: Transaction) -> String {
        #"{"success":true,"nodeTimestamp":275000100,"transactionId":"\#(transaction.id)"}"#
    }

    private static func rule(_ effect: JSONValue, match: JSONValue = [:], limit: JSONValue = nil) -> JSONValue
    {
        var rule = JSONObject([("target", "node"), ("match", match), ("effect", effect)])
        if !limit.isNull { rule["limit"] = limit }
        return .object(rule)
    }

    private static func location(_ transaction: Transaction, in world: TestWorld) -> TransactionLocation? {
        world.state.withLock { $0.ledger.location(of: transaction.id, node: 0) }
    }

    @Test("answers any status and body, and processes nothing")
    func status() throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "status", "status": 502, "body": "<p>bad</p>"], limit: 1))
        try world.addFault(Self.rule(["kind": "status", "status": 429, "body": ["a": 1]], limit: 1))
        try world.addFault(Self.rule(["kind": "status", "status": 404], limit: 1))
        let post = ClientRequest.post("/api/chats/process", transaction: chat)
        let answers = try world.send([post, post, post, post])
        #expect(answers.map(\.status) == [502, 429, 404, 200])
        #expect(answers.map(\.body) == ["<p>bad</p>", #"{"a":1}"#, "", Self.accepted(chat)])
        #expect(answers[0].header("Content-Type") == "text/html; charset=utf-8")
        #expect(answers[1].header("Content-Type") == "application/json; charset=utf-8")
        #expect(world.calls.map(\.faultId) == ["f1", "f2", "f3", nil])
    }

    @Test("answers an error in the node's envelope")
    func error() throws {
        let world = try TestWorld()
        try world.addFault(Self.rule(["kind": "error", "message": "Out \"of\" order"]))
        let answer = try world.send(.get("/api/node/status"))
        #expect(answer.status == 200)
        #expect(
            answer.body == #"{"success":false,"nodeTimestamp":275000100,"error":"Out \"of\" order"}"#
        )
    }

    @Test("resets with an RST, before and after the transaction was taken", arguments: ["before", "after"])
    func reset(moment: String) throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "reset", "when": .string(moment)], limit: 1))
        let post = ClientRequest.post("/api/chats/process", transaction: chat)
        let answers = try world.send([post, post])
        #expect(answers[0].failure == "RST")
        let isApplied = moment == "after"
        let again =
            #"{"success":false,"nodeTimestamp":275000100,"error":"Transaction is already processed: \#(chat.id)"}"#
        #expect(answers[1].body == (isApplied ? again : Self.accepted(chat)))
        #expect(world.calls.map(\.status) == [nil, 200])
        #expect(world.calls.first?.transactionId == chat.id.description)
    }

    @Test("keeps silent, then ends the connection", arguments: ["before", "after"])
    func timeout(moment: String) throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(
            Self.rule(["kind": "timeout", "when": .string(moment), "seconds": 1], limit: 1)
        )
        let post = ClientRequest.post("/api/chats/process", transaction: chat)
        #expect(try world.send(post, wait: 0.3).failure == "TIMEOUT")
        #expect(Self.location(chat, in: world) == (moment == "after" ? .queued : nil))
        try world.addFault(Self.rule(["kind": "timeout", "seconds": 0], limit: 1))
        #expect(try world.send(.get("/api/node/status")).failure == "EOF")
    }

    @Test("loses the refusal of a refused request")
    func afterRefusal() throws {
        let world = try TestWorld()
        try world.addFault(Self.rule(["kind": "reset", "when": "after"]))
        let poor = world.chat("{}", by: TestWorld.poor)
        #expect(try world.send(.post("/api/chats/process", transaction: poor)).failure == "RST")
        #expect(Self.location(poor, in: world) == nil)
    }

    @Test("delays the answer")
    func delay() throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "delay", "milliseconds": 600], limit: 2))
        #expect(try world.send(.get("/api/node/status"), wait: 0.3).failure == "TIMEOUT")
        #expect(try world.send(.post("/api/chats/process", transaction: chat)).body == Self.accepted(chat))
    }

    @Test("sends an answer slowly, whole in the end")
    func slow() throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "slow", "bytesPerSecond": 1], limit: 1))
        try world.addFault(Self.rule(["kind": "slow", "bytesPerSecond": 1000, "milliseconds": 1], limit: 1))
        #expect(try world.send(.get("/api/node/status"), wait: 0.3).failure == "TIMEOUT")
        let answer = try world.send(.post("/api/chats/process", transaction: chat))
        #expect(answer.body == Self.accepted(chat) && answer.failure.isEmpty)
        #expect(answer.header("Content-Length") == String(answer.body.utf8.count))
        #expect(answer.header("Transfer-Encoding") == nil)
        #expect(world.calls.map(\.faultId) == ["f1", "f2"])
    }

    @Test("breaks an answer off within its body, after the call was processed", arguments: [0, 10, 1 << 20])
    func truncate(bytes: Int64) throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "truncate", "bytes": .int(bytes)]))
        let answer = try world.send(.post("/api/chats/process", transaction: chat))
        let whole = Self.accepted(chat)
        #expect(answer.status == 200 && answer.header("Content-Length") == String(whole.utf8.count))
        #expect(answer.body == whole.prefix(Int(bytes)))
        #expect(answer.failure == (Int(bytes) < whole.utf8.count ? "SHORT" : ""))
        #expect(Self.location(chat, in: world) != nil)
    }

    @Test("changes bytes of an answer, the same for the same seed")
    func corrupt() throws {
        func answer(seed: UInt64) throws -> String {
            let world = try TestWorld(seed: seed)
            try world.addFault(Self.rule(["kind": "corrupt", "bytes": 2]))
            let answer = try world.send(.get("/api/blocks/getHeight"))
            #expect(answer.status == 200 && answer.failure.isEmpty)
            return answer.body
        }
        let clean = try TestWorld().body("/api/blocks/getHeight")
        let bodies = try [7, 7, 8].map { try answer(seed: $0) }
        #expect(bodies[0] == bodies[1] && bodies[0] != bodies[2])
        #expect(bodies.allSatisfy { $0 != clean })
    }

    @Test("numbers the posts of the same signed bytes")
    func attempts() throws {
        let world = try TestWorld()
        let chats = [world.chat("{}"), world.chat("{}", by: TestWorld.poor)]
        try world.addFault(
            Self.rule(["kind": "reset"], match: ["attempt": 1, "path": "/api/chats/process"])
        )
        let posts = chats.map { ClientRequest.post("/api/chats/process", transaction: $0) }
        let answers = try world.send([posts[0], posts[0], posts[1], posts[0], .get("/api/node/status")])
        #expect(answers.map(\.failure) == ["RST", "", "RST", "", ""])
        #expect(world.calls.map(\.attempt) == [1, 2, 1, 3, nil])
    }

    @Test("holds a checked transaction out of the pool, answered or not", arguments: ["success", "reset"])
    func hold(answer: String) throws {
        let world = try TestWorld()
        let chat = world.chat("{}")
        try world.addFault(Self.rule(["kind": "hold", "answer": .string(answer)], limit: 2))
        let posts = [chat, world.chat("{}", by: TestWorld.poor)].map {
            ClientRequest.post("/api/chats/process", transaction: $0)
        }
        let answers = try world.send(posts + [.get("/api/blocks/getHeight")])
        if answer == "success" {
            #expect(answers[0].body == Self.accepted(chat))
        } else {
            #expect(answers[0].failure == "RST")
        }
        #expect(answers[1].body.contains("does not have enough ADM"))
        #expect(answers[2].status == 200)
        #expect(world.state.withLock { $0.held.map(\.id) } == [chat.id])
        #expect(Self.location(chat, in: world) == nil)
        #expect(world.calls.map(\.faultId) == ["f1", "f1", nil])
    }

    @Test("takes a transaction that cannot be held as usual")
    func cannotHold() throws {
        let world = try TestWorld()
        world.state.withLock { $0.canHold = false }
        try world.addFault(Self.rule(["kind": "hold"]))
        let chat = world.chat("{}")
        #expect(try world.send(.post("/api/chats/process", transaction: chat)).body == Self.accepted(chat))
        #expect(Self.location(chat, in: world) == .queued)
    }

    @Test("looks at the transaction and inside signals")
    func matching() throws {
        let world = try TestWorld()
        let token = String(repeating: "ab", count: 32)
        func signal(_ action: String, salt: UInt8) -> Transaction {
            world.chat(#"{"token":"\#(token)","provider":"apns","action":"\#(action)"}"#, salt: salt)
        }
        try world.addFault(
            Self.rule(
                ["kind": "status", "status": 599],
                match: [
                    "method": "POST", "path": "/api/chats/process", "chatType": 3, "signalAction": "remove",
                    "sender": "U6833851493527812033", "recipient": "U14449473063418336855",
                ]
            )
        )
        let posts = [
            signal("add", salt: 1), signal("remove", salt: 2), world.chat("plain", type: 1, salt: 3),
            world.chat("not JSON", salt: 4),
        ].map { ClientRequest.post("/api/chats/process", transaction: $0) }
        #expect(try world.send(posts).map(\.status) == [200, 599, 200, 200])
    }

    @Test("answers 503 with a proxy's page, resets and keeps silent at the failure rate")
    func failureRate() throws {
        let world = try TestWorld()
        let mix = try FailureMix(["status503": 1])
        world.state.withLock { $0.book.setFailureRate(1, mix: mix, node: "alpha") }
        let answers = try world.send([.get("/api/node/status"), .get("/outside")])
        #expect(answers.map(\.status) == [503, 404])
        #expect(answers[0].header("Content-Type") == "text/html")
        #expect(answers[0].body.contains("<h1>503 Service Temporarily Unavailable</h1>"))
        #expect(world.calls.map(\.faultId) == ["failureRate", nil])
    }

    @Test("gives the k-th match the k-th decision, with 64 clients at once as with one", arguments: [1, 64])
    func concurrency(threads: Int) throws {
        let world = try TestWorld(seed: 11)
        let mix = try FailureMix(JSONValue(parsing: #"{"status503":0.5,"resetBefore":0.5}"#))
        world.state.withLock { $0.book.setFailureRate(0.4, mix: mix, node: "alpha") }
        let answers = try world.send(
            Array(repeating: .get("/api/node/status"), count: 400),
            threads: threads
        )
        let observed = answers.map { $0.failure.isEmpty ? String($0.status) : $0.failure }

        var book = FaultBook(seed: 11, nodeNames: ["alpha"])
        book.setFailureRate(0.4, mix: mix, node: "alpha")
        var request = FaultRequest(target: .node)
        (request.node, request.method, request.path) = ("alpha", "GET", "/api/node/status")
        let expected = (0..<400).map { _ in
            switch book.decide(request)?.effect {
            case .serviceUnavailable: "503"
            case .reset: "RST"
            default: "200"
            }
        }
        if threads == 1 {
            #expect(observed == expected)
        } else {
            #expect(observed.sorted() == expected.sorted())
        }
        #expect(Set(expected).count == 3)
    }

    @Test("resets every call while it is offline")
    func offline() throws {
        let world = try TestWorld()
        world.state.withLock { $0.status.isOnline = false }
        #expect(try world.send(.get("/api/node/status")).failure == "RST")
    }
}
