import HTTPClient
import JSONValue
import Synchronization
import Testing
import WorldRuntime

@Suite("Control API: lists and streams")
struct ListTests {
    @Test("pages follow one another by next, and an empty page repeats what was asked for")
    func pages() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 7])
        var after: Int64 = 0
        var heights: [Int64] = []
        while true {
            let page = try running.get("/v1/events?kind=block.forged&limit=3&after=\(after)")
            let events = try #require(page["events"]?.arrayValue)
            heights += events.compactMap { $0["data"]?["height"]?.intValue }
            let next = try #require(page["next"]?.intValue)
            if events.isEmpty {
                #expect(next == after)
                break
            }
            after = next
        }
        #expect(heights == [2, 3, 4, 5, 6, 7, 8])
        #expect(try running.get("/v1/pushes?after=41")["next"] == 41)
        #expect(try running.get("/v1/held?after=17")["next"] == 17)
        #expect(try running.get("/v1/requests?after=5")["next"] == 5)
    }

    @Test("a waiting list answers as soon as there is enough")
    func waits() throws {
        let running = try RunningWorld()
        let pushes = try Later {
            try running.list("pushes", "/v1/pushes?wait=20&atLeast=2&reason=Unregistered")
        }
        try running.ok(
            "PUT",
            "/v1/apns/tokens/\(someToken())",
            ["state": "unregistered", "since": "2020-01-01T00:00:00Z"]
        )
        for token in [someToken("b"), someToken(), someToken()] { _ = try running.push(token) }
        #expect(try pushes.value().count == 2)
    }

    @Test("a waiting list answers with what there is when the time is over")
    func timesOut() throws {
        let running = try RunningWorld()
        _ = try running.push(someToken())
        #expect(try running.list("pushes", "/v1/pushes?wait=1&atLeast=2").count == 1)
    }

    @Test("a list that waits for more than its page holds answers as soon as they are there, with that page")
    func waitsForMoreThanAPage() throws {
        let running = try RunningWorld()
        try running.post("/v1/faults", ["effect": ["kind": "hold"]], status: 201)
        for amount in 1...3 as ClosedRange<Int64> {
            let body = try running.transfer(from: "alice", to: "bob", amount: amount)
            try running.ok("POST", running.node() + "/api/transactions/process", body)
            _ = try running.push(someToken(), aps: ["alert": ["title": .string("You have \(amount)")]])
        }
        try running.post("/v1/chain/forge", ["blocks": 3])
        let lists = [
            ("events", "/v1/events"), ("pushes", "/v1/pushes"), ("requests", "/v1/requests"),
            ("held", "/v1/held"), ("transactions", "/v1/transactions"), ("blocks", "/v1/blocks"),
            ("decisions", "/v1/faults/decisions"), ("findings", "/v1/audit"),
        ]
        for (name, path) in lists {
            // Whoever does not answer before the time is over is not answered by this client.
            let answer = try running.get("\(path)?limit=2&wait=600&atLeast=3")
            let page = try running.get("\(path)?limit=2")
            #expect(answer[name]?.arrayValue?.count == 2, "\(path)")
            #expect(answer["next"] == page["next"], "\(path)")
        }
    }

    @Test("a list that waits for more than its page holds answers with that page when the time is over")
    func timesOutAbovePage() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 3])
        #expect(try running.list("blocks", "/v1/blocks?limit=2&wait=1&atLeast=10000").count == 2)
    }

    @Test("a list that waits for what becomes of a push is told of it")
    func waitsForDelivery() throws {
        let running = try RunningWorld()
        let device = try running.post("/v1/devices", ["name": "phone", "owner": "alice"], status: 201)
        try running.post("/v1/devices/phone/offline")
        #expect(try running.push(device.text("token")).status == 200)
        let delivered = try Later { try running.list("pushes", "/v1/pushes?wait=20&delivery=delivered") }
        try running.post("/v1/devices/phone/online")
        #expect(try delivered.value().count == 1)
    }

    @Test("a stream resumes behind the event a client has seen, and goes on past a page")
    func resumes() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge", ["blocks": 1200])
        let last = try #require(try running.get("/v1/events")["last"]?.intValue)
        let seen = Mutex("")
        let stream = HTTPClient(options: .init(timeoutMilliseconds: 30_000))
        let request = HTTPClientRequest(
            url: running.control + "/v1/events/stream?kind=block.forged",
            headers: [("Last-Event-ID", "3")]
        )
        _ = try? stream.stream(request) { status, bytes in
            seen.withLock { text in
                text += String(decoding: bytes, as: UTF8.self)
                return status == 200 && !text.contains("id: \(last)\n")
            }
        }
        let ids = seen.withLock { $0 }.split(separator: "\n").filter { $0.hasPrefix("id: ") }
            .compactMap { Int64($0.dropFirst(4)) }
        #expect(ids == Array(4...last))
    }

    @Test("a stream without a position begins with what comes next")
    func beginsNow() throws {
        let running = try RunningWorld()
        try running.post("/v1/chain/forge")
        let seen = Mutex("")
        let done = try Later {
            let stream = HTTPClient(options: .init(timeoutMilliseconds: 30_000))
            _ = try? stream.stream(HTTPClientRequest(url: running.control + "/v1/events/stream")) {
                _,
                bytes in
                seen.withLock { text in
                    text += String(decoding: bytes, as: UTF8.self)
                    return !text.contains("block.forged")
                }
            }
        }
        // Which of these the stream sees first depends on when it was opened; it sees none from before.
        while seen.withLock({ $0 }).isEmpty { try running.post("/v1/chain/forge") }
        try done.value()
        #expect(!seen.withLock { $0 }.contains("id: 1\n"))
    }
}
