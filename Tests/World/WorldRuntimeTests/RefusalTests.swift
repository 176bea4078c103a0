import JSONValue
import Testing
import WorldRuntime

@Suite("Control API: what it refuses")
struct RefusalTests {
    /// One world for all rows: none of them changes anything.
    private static let shared = Result { try RunningWorld() }

    /// A call, and the status and field of its refusal.
    struct Row: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let body: JSONValue?
        let status: Int
        let field: String?

        init(_ method: String, _ path: String, _ status: Int, _ field: String? = nil) {
            (self.method, self.path, body, self.status, self.field) = (method, path, nil, status, field)
        }

        init(_ method: String, _ path: String, _ body: JSONValue, _ status: Int, _ field: String? = nil) {
            (self.method, self.path, self.body, self.status, self.field) = (method, path, body, status, field)
        }

        var testDescription: String { "\(method) \(path) \(body?.text ?? "")" }
    }

    @Test("what takes nothing says so, and an action names what it takes itself")
    func knownNames() throws {
        let running = try Self.shared.get()
        try running.post("/v1/devices", ["name": "named"], status: 201)
        func message(_ method: String, _ path: String, _ body: JSONValue? = nil) throws -> String {
            try running.call(method, path, body).json["error"]?.text("message") ?? ""
        }
        #expect(try message("GET", "/v1/nodes?after=1") == "unknown parameter 'after'; none is expected")
        let device = "/v1/devices/named/"
        #expect(try message("POST", device + "online", ["x": 1]) == "unknown member 'x'; none is expected")
        #expect(
            try message("POST", device + "quiet", ["account": "bob"])
                == "unknown member 'account'; known here: from, to"
        )
        #expect(
            try message("POST", device + "fly", ["x": 1])
                == "unknown member 'x'; known here: account, from, to"
        )
    }

    static let unknown = [
        Row("GET", "/v1/accounts/nobody", 404),
        Row("POST", "/v1/accounts/nobody/fund", ["amount": "1"], 404),
        Row("GET", "/v1/accounts/U999", 404),
        Row("GET", "/v1/transactions/1", 404),
        Row("GET", "/v1/transactions/x", 404),
        Row("POST", "/v1/held/h1/release", [:], 404),
        Row("GET", "/v1/nodes/omega", 404),
        Row("PATCH", "/v1/nodes/omega", [:], 404),
        Row("GET", "/v1/faults/f9", 404),
        Row("PATCH", "/v1/faults/f9", [:], 404),
        Row("DELETE", "/v1/faults/f9", 404),
        Row("DELETE", "/v1/apns/keys/K", 404),
        Row("GET", "/v1/pushes/x", 404),
        Row("GET", "/v1/pushes/x/apns", 404),
        Row("POST", "/v1/devices/d9/test-push", [:], 404),
        Row("GET", "/v1/devices/d9", 404),
        Row("POST", "/v1/devices/d9/launch", [:], 404),
        Row("GET", "/v2/world", 404),
        Row("DELETE", "/v1/worlds/w9", 404),
        Row("DELETE", "/v1/worlds/default", 409),
        Row("GET", "/worlds/w9/v1/world", 404),
        Row("GET", "/worlds/w9", 404),
        Row("GET", "/worlds/", 404),
        Row("POST", "/v1/worlds", ["nodes": 2], 422, "nodes"),
        Row("PUT", "/v1/world", [:], 405),
        Row("POST", "/v1/ans/stop", [:], 409),
        Row("POST", "/v1/ans/poll", [:], 409),
    ]

    static let members = [
        Row("POST", "/v1/accounts", ["passphrase": "not words"], 422, "passphrase"),
        Row("POST", "/v1/accounts", ["name": "alice"], 409),
        Row("POST", "/v1/accounts", ["name": ""], 422, "name"),
        Row("POST", "/v1/accounts", ["name": "U77"], 422, "name"),
        Row("POST", "/v1/accounts", ["name": "ans"], 422, "name"),
        Row("POST", "/v1/accounts", ["balance": 5], 422, "balance"),
        Row("POST", "/v1/accounts", ["balance": "-5"], 422, "balance"),
        Row("POST", "/v1/accounts", ["balance": "99999999999999999999"], 422, "balance"),
        Row("POST", "/v1/accounts", ["rich": true], 422, "rich"),
        Row("POST", "/v1/accounts/alice/fund", [:], 422, "amount"),
        Row("POST", "/v1/accounts/alice/fund", ["amount": "0"], 422, "amount"),
        Row("POST", "/v1/accounts/alice/fund", ["amount": "9223372036854775807"], 409),
        Row("POST", "/v1/transactions", [:], 422, "from"),
        Row("POST", "/v1/transactions", ["from": "nobody", "to": "bob"], 422, "from"),
        Row("POST", "/v1/transactions", ["from": "alice"], 422, "to"),
        Row("POST", "/v1/transactions", ["from": "alice", "to": "?"], 422, "to"),
        Row("POST", "/v1/transactions", ["from": "alice", "to": "U999", "message": "x"], 422, "to"),
        Row("POST", "/v1/transactions", ["from": "alice", "to": "bob"], 422, "amount"),
        Row("POST", "/v1/transactions", ["from": "alice", "to": "bob", "kind": "signal"], 422, "message"),
        Row("POST", "/v1/transactions", ["from": "alice", "to": "bob", "kind": "vote"], 422, "kind"),
        Row(
            "POST",
            "/v1/transactions",
            ["from": "alice", "to": "bob", "amount": "1", "node": "x"],
            422,
            "node"
        ),
        Row("POST", "/v1/transactions", ["from": "zero", "to": "bob", "amount": "1"], 422),
        Row("PATCH", "/v1/chain", ["forging": "always"], 422, "forging"),
        Row("PATCH", "/v1/chain", ["intervalMilliseconds": 49], 422, "intervalMilliseconds"),
        Row("POST", "/v1/chain/forge", ["blocks": 0], 422, "blocks"),
        Row("PATCH", "/v1/clock", ["now": "yesterday"], 422, "now"),
        Row("PATCH", "/v1/clock", ["frozen": 1], 422, "frozen"),
        Row("POST", "/v1/clock/advance", [:], 422, "seconds"),
        Row("POST", "/v1/clock/advance", ["seconds": 1e300], 422, "seconds"),
        Row("PATCH", "/v1/nodes/alpha", ["failureRate": 1.5], 422, "failureRate"),
        Row("PATCH", "/v1/nodes/alpha", ["failureMix": ["status503": 0.9]], 422, "failureMix"),
        Row("PATCH", "/v1/nodes/alpha", ["version": "1"], 422, "version"),
        Row("PATCH", "/v1/nodes/alpha", ["countAsString": "yes"], 422, "countAsString"),
        Row("PATCH", "/v1/nodes/alpha", ["maxTransactionAgeSeconds": -1], 422, "maxTransactionAgeSeconds"),
        Row("PATCH", "/v1/apns", ["tokens": "shut"], 422, "tokens"),
        Row("PATCH", "/v1/apns", ["credentials": "none"], 422, "credentials"),
        Row("PATCH", "/v1/apns", ["profile": "google"], 422, "profile"),
        Row("PATCH", "/v1/apns", ["settings": "none"], 422, "settings"),
        Row("PATCH", "/v1/apns", ["dropsStreams": "yes"], 422, "dropsStreams"),
        Row("PATCH", "/v1/apns", ["overLimit": "ignore"], 422, "overLimit"),
        Row("PATCH", "/v1/apns", ["alpn": "never"], 422, "alpn"),
        Row("PATCH", "/v1/apns", ["idleSeconds": -1], 422, "idleSeconds"),
        Row("PATCH", "/v1/apns", ["errorLimit": 1.5], 422, "errorLimit"),
        Row("PATCH", "/v1/apns", ["certificates": "apple"], 422, "certificates"),
        Row("PATCH", "/v1/apns", ["tokenUpdateMinutes": 31_536_001], 422, "tokenUpdateMinutes"),
        Row("PATCH", "/v1/apns", ["tokenUpdateScope": "world"], 422, "tokenUpdateScope"),
        Row("PATCH", "/v1/apns", ["wedgesOnExpired": 1], 422, "wedgesOnExpired"),
        Row("PATCH", "/v1/apns", ["environmentReason": "Bad"], 422, "environmentReason"),
        Row("PATCH", "/v1/apns", ["malformedPayload": "drop"], 422, "malformedPayload"),
        Row("PATCH", "/v1/apns", ["strict": ["everything"]], 422, "strict"),
        Row("PATCH", "/v1/apns", ["strict": true], 422, "strict"),
        Row("PATCH", "/v1/apns", ["service": "down"], 422, "service"),
        Row("PUT", "/v1/apns/keys/K", [:], 422, "teamId"),
        Row("PUT", "/v1/apns/keys/K", ["teamId": ""], 422, "teamId"),
        Row("PUT", "/v1/apns/keys/K", ["teamId": "T", "key": "not PEM"], 422, "key"),
        Row("PUT", "/v1/apns/keys/K", ["teamId": "T", "environment": "moon"], 422, "environment"),
        Row("PUT", "/v1/apns/keys/K", ["teamId": "T", "topics": "a"], 422, "topics"),
        Row("PUT", "/v1/apns/keys/K", ["teamId": "T", "state": "lost"], 422, "state"),
        Row("PUT", "/v1/apns/keys/\(String(repeating: "k", count: 65))", ["teamId": "T"], 400, "keyId"),
        Row("PATCH", "/v1/apns", ["oldTokenSeconds": -1], 422, "oldTokenSeconds"),
        Row("PATCH", "/v1/apns", ["oldTokenSeconds": 1.5], 422, "oldTokenSeconds"),
        Row("PATCH", "/v1/apns", ["oldTokenJitterSeconds": 1_000_000_000_000], 422, "oldTokenJitterSeconds"),
        Row("PATCH", "/v1/apns", ["tokenRequestsPerSecond": -0.5], 422, "tokenRequestsPerSecond"),
        Row("PATCH", "/v1/apns", ["tokenRequestsBurst": 0], 422, "tokenRequestsBurst"),
        Row("PATCH", "/v1/apns", ["backgroundPerHour": -1], 422, "backgroundPerHour"),
        Row("PATCH", "/v1/apns", ["powerSavingSeconds": "long"], 422, "powerSavingSeconds"),
        Row("PATCH", "/v1/apns", ["storedChoice": "first"], 422, "storedChoice"),
        Row(
            "PUT",
            "/v1/apns/tokens/\(someToken())",
            ["state": "bad", "environment": "moon"],
            422,
            "environment"
        ),
        Row("PUT", "/v1/apns/tokens/xyz", ["state": "bad"], 400, "token"),
        Row("PUT", "/v1/apns/tokens/\(someToken())", [:], 422, "state"),
        Row("PUT", "/v1/apns/tokens/\(someToken())", ["state": "gone"], 422, "state"),
        Row("PUT", "/v1/apns/tokens/\(someToken())", ["state": "bad", "since": "now"], 422, "since"),
        Row("PATCH", "/v1/ans", ["behaviour": "perfect"], 422, "behaviour"),
        Row("PATCH", "/v1/ans", ["pollSeconds": 0], 422, "pollSeconds"),
        Row("POST", "/v1/devices", ["owner": "nobody"], 422, "owner"),
        Row("POST", "/v1/devices", ["behaviour": "perfect"], 422, "behaviour"),
        Row("POST", "/v1/devices", ["nodes": []], 422, "nodes"),
        Row("POST", "/v1/devices", ["nodes": ["omega"]], 422, "nodes"),
        Row("POST", "/v1/devices", ["nodes": "alpha"], 422, "nodes"),
        Row("POST", "/v1/devices", ["environment": "moon"], 422, "environment"),
        Row("POST", "/v1/devices", ["topic": ""], 422, "topic"),
        Row("POST", "/v1/devices", ["topic": "com.example.alerts", "nodes": ["omega"]], 422, "nodes"),
        Row("POST", "/v1/devices", ["sound": 1], 422, "sound"),
        Row("POST", "/v1/devices", ["extensionMilliseconds": -1], 422, "extensionMilliseconds"),
        Row("POST", "/v1/devices", ["extensionMilliseconds": 600_001], 422, "extensionMilliseconds"),
        Row("POST", "/v1/faults", ["target": "node"], 422, "effect"),
        Row("POST", "/v1/faults", ["target": "moon", "effect": ["kind": "reset"]], 422, "target"),
        Row(
            "POST",
            "/v1/faults",
            ["target": "node", "match": ["color": 1], "effect": ["kind": "reset"]],
            422,
            "match.color"
        ),
    ]

    static let queries = [
        Row("GET", "/v1/pushes?limit=0", 400, "limit"),
        Row("GET", "/v1/pushes?limit=10001", 400, "limit"),
        Row("GET", "/v1/pushes?after=-1", 400, "after"),
        Row("GET", "/v1/pushes?after=x", 400, "after"),
        Row("GET", "/v1/pushes?delivery=lost", 400, "delivery"),
        Row("GET", "/v1/pushes?colour=red", 400, "colour"),
        Row("GET", "/v1/events?wait=601", 400, "wait"),
        Row("GET", "/v1/events?atLeast=-1", 400, "atLeast"),
        Row("GET", "/v1/events?transactionId=x", 400, "transactionId"),
        Row("GET", "/v1/events/stream?after=x", 400, "after"),
        Row("GET", "/v1/requests?status=x", 400, "status"),
        Row("GET", "/v1/held?limit=x", 400, "limit"),
        Row("GET", "/v1/world?x=1", 400, "x"),
    ]

    @Test(
        "refuses what there is not, what cannot be used, and what cannot be read",
        arguments: unknown + members + queries
    )
    func refuses(row: Row) throws {
        let answer = try Self.shared.get().call(row.method, row.path, row.body)
        #expect(answer.status == row.status, "\(answer.text)")
        let error = try #require(answer.json["error"])
        #expect(error["field"]?.stringValue == row.field, "\(answer.text)")
        #expect(!error.text("code").isEmpty)
        #expect(!error.text("message").isEmpty)
    }

    @Test("an unknown action is answered with those that a device knows")
    func unknownAction() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone"], status: 201)
        let answer = try running.call("POST", "/v1/devices/\(device.text("id"))/fly", [:])
        #expect(answer.status == 404)
        for action in ["sign-in", "rotate-token", "notifications-push"] {
            #expect(answer.text.contains(action))
        }
        #expect(
            try running.call("POST", "/v1/devices/phone/sign-in", [:]).json["error"]?["field"] == "account"
        )
        let unknown = try running.call("POST", "/v1/devices/phone/block", ["account": "nobody"])
        #expect(unknown.status == 422)
        #expect(unknown.json["error"]?["field"] == "account")
        let stray = try running.call("POST", "/v1/devices/phone/launch", ["account": "alice"])
        #expect(stray.status == 422)
        #expect(stray.json["error"]?["field"] == "account")
        #expect(try running.call("POST", "/v1/devices/phone/sign-out", [:]).status == 409)
    }

    @Test("a refused transaction is answered in the node's words and noted")
    func refusedTransaction() throws {
        let running = try RunningWorld()
        let answer = try running.call(
            "POST",
            "/v1/transactions",
            ["from": "zero", "to": "bob", "amount": "1"]
        )
        #expect(answer.status == 422)
        let message = try #require(answer.json["error"]?.text("message"))
        #expect(message.hasPrefix("Account does not have enough ADM"))
        let posted = try running.ok(
            "POST",
            running.node() + "/api/transactions/process",
            try running.transfer(from: "zero", to: "bob")
        )
        #expect(posted["success"] == false)
        let events = try running.events("transaction.refused", atLeast: 2)
        for event in events {
            #expect(event["node"] == "alpha")
            #expect(event["data"]?.members == ["kind", "sender", "recipient", "error"])
            #expect(event["data"]?["error"] == .string(message))
            #expect(event["data"]?["kind"] == "transfer")
        }
    }

    @Test("the event of a refusal repeats no more than a kilobyte of what was posted")
    func longText() throws {
        let running = try RunningWorld()
        let long = String(repeating: "x", count: 100_000)
        try running.ok(
            "POST",
            running.node() + "/api/transactions/process",
            ["transaction": ["recipientId": .string(long), "type": .string(long)]]
        )
        let event = try #require(try running.events("transaction.refused").first)
        #expect(event["data"]?["recipient"] == .string(String(repeating: "x", count: 1024) + "…"))
        #expect(event.text.utf8.count < 4000)
    }

    @Test("quiet hours and test pushes that cannot be are refused")
    func refusesActions() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["topic": "com.example.alerts"], status: 201)
        let rows = [
            Row("POST", "quiet", [:], 422, "from"), Row("POST", "quiet", ["from": "22:00"], 422, "to"),
            Row("POST", "quiet", ["from": "22:00", "to": "22:00"], 422, "from"),
            Row("POST", "quiet", ["from": "22", "to": "07:00"], 422, "from"),
            Row("POST", "quiet-off", ["from": "22:00"], 422, "from"),
            Row("POST", "launch", ["to": "22:00"], 422, "to"), Row("POST", "test-push", [:], 409),
            Row("POST", "test-push", ["seconds": 0], 422, "seconds"),
            Row("POST", "test-push", ["seconds": 601], 422, "seconds"),
            Row("POST", "test-push", ["account": "alice"], 422, "account"),
        ]
        for row in rows {
            let answer = try running.call("POST", "/v1/devices/d1/\(row.path)", row.body)
            #expect(answer.status == row.status, "\(row.testDescription): \(answer.text)")
            #expect(answer.json["error"]?["field"]?.stringValue == row.field, "\(row.testDescription)")
        }
        try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        let stranger = try running.call("POST", "/v1/devices/phone/test-push", ["from": "nobody"])
        #expect(stranger.json["error"]?["field"] == "from")
    }
}
