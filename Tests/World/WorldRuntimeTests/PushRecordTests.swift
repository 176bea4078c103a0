import APNsRules
import Files
import HTTPClient
import JSONValue
import Recording
import TestSupport
import Testing
import Threads

@testable import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("World: the record of pushes beyond memory")
struct PushRecordTests {
    /// A world that keeps eight records in memory and puts away four at a time.
    private static func world(_ change: (inout WorldConfiguration) -> Void = { _ in }) throws -> RunningWorld
    {
        let running = try RunningWorld {
            $0.pushBounds.inMemory = 8
            $0.pushBounds.block = 4
            change(&$0)
        }
        try running.patch("/v1/apns", ["credentials": "off"])
        return running
    }

    /// Pushes in turn to three tokens, each with a transaction of its own; every fifth is refused.
    private static func push(_ running: RunningWorld, _ numbers: Range<Int>) throws {
        for number in numbers {
            let topic = number % 5 == 4 ? "" : "com.example.\(number % 2)"
            _ = try running.push(
                someToken(["a", "b", "c"][number % 3]),
                transaction: String(number),
                recipient: "U\(number % 4)",
                topic: topic
            )
        }
    }

    /// Waits until no more is in memory than has to be.
    private static func settle(_ running: RunningWorld) throws {
        #expect(
            try running.eventually {
                running.world.state.withLock { $0.pushes.blocks.reduce(0) { $0 + $1.records.count } } < 12
            }
        )
    }

    private static func numbers(_ running: RunningWorld, _ query: String) throws -> [String] {
        try running.list("pushes", "/v1/pushes?limit=1000&" + query).map { $0.text("transactionId") }
    }

    @Test(
        "the newest first is the same list the other way round, page by page, of what is put away too",
        arguments: [
            "", "q=topic:example.1", "q=-c", "q=MissingTopic", "token=\(someToken("b"))", "q=none",
            "status=200&q=U3", "status=-200",
        ]
    )
    func newestFirst(query: String) throws {
        let running = try Self.world()
        try Self.push(running, 0..<60)
        try Self.settle(running)
        let oldest = try running.list("pushes", "/v1/pushes?limit=1000&" + query)
        for limit in [1, 7, 1000] {
            var found: [JSONValue] = []
            var before = ""
            var hasMore = true
            while hasMore {
                let page = try running.get("/v1/pushes?order=newest&limit=\(limit)&\(query)\(before)")
                found += page["pushes"]?.arrayValue ?? []
                hasMore = page["more"] == true
                before = "&before=\(try #require(page["next"]?.intValue))"
            }
            #expect(found == oldest.reversed())
        }
    }

    @Test("what is put away is listed, found and filtered like what is in memory")
    func lists() throws {
        let running = try Self.world()
        let whole = try RunningWorld()
        try whole.patch("/v1/apns", ["credentials": "off"])
        try Self.push(running, 0..<60)
        try Self.push(whole, 0..<60)
        try Self.settle(running)
        #expect(running.world.state.withLock { $0.pushes.files.map(\.count) } == [52])
        for query in [
            "", "status=200", "status=400", "status=-200", "status=-400&recipient=U3", "reason=MissingTopic",
            "topic=com.example.1", "recipient=U3",
            "transactionId=17", "token=\(someToken("B"))&status=200", "delivery=notDelivered",
            "token=\(someToken("a"))&recipient=U2&topic=com.example.0", "reason=BadTopic",
        ] {
            let found = try Self.numbers(running, query)
            #expect(found == (try Self.numbers(whole, query)), "\(query)")
            #expect(found.isEmpty == (query == "reason=BadTopic"), "\(query)")
        }
        #expect(try Self.numbers(running, "status=-200") == Self.numbers(running, "q=-status:200"))
        let all = try running.list("pushes", "/v1/pushes?limit=1000")
        var paged: [JSONValue] = []
        var after: Int64 = 0
        while true {
            let page = try running.get("/v1/pushes?limit=7&after=\(after)")
            guard page["pushes"] != [] else { break }
            paged += page["pushes"]?.arrayValue ?? []
            after = try #require(page["next"]?.intValue)
        }
        #expect(paged == all)
        for push in [all[0], all[30], all[59]] {
            let alone = try running.get("/v1/pushes/\(push.text("id").uppercased())")
            #expect(alone["seq"] == push["seq"] && alone["payloadBase64"] != nil)
            #expect(try running.call("GET", "/v1/pushes/\(push.text("id"))/apns").status == 200)
        }
        let missing = "/v1/pushes/00000000-0000-4000-8000-000000000000"
        #expect(try running.call("GET", missing).status == 404)
        #expect(try running.get("/v1/pushes")["evicted"] == 0)
    }

    @Test("a wait among records that are put away ends with the push it waits for")
    func waits() throws {
        let running = try Self.world()
        try Self.push(running, 0..<30)
        try Self.settle(running)
        let waiting = try Later {
            try Self.numbers(running, "wait=20&token=\(someToken("c"))&transactionId=32")
        }
        try Self.push(running, 30..<34)
        #expect(try waiting.value() == ["32"])
    }

    @Test("a push that waits for its device is delivered from the record, and told so there")
    func deliversLate() throws {
        let running = try Self.world()
        let device = try running.post("/v1/devices", ["topic": "com.example.1"], status: 201)
        try running.post("/v1/devices/d1/offline")
        _ = try running.push(
            device.text("token"),
            topic: "com.example.1",
            aps: ["alert": ["title": "T", "body": "B"]]
        )
        let first = try #require(try running.list("pushes", "/v1/pushes?delivery=stored").first)
        try Self.push(running, 0..<40)
        try Self.settle(running)
        #expect(try running.list("pushes", "/v1/pushes?delivery=stored") == [first])
        try running.post("/v1/devices/d1/online")
        #expect(
            try running.eventually {
                let now = try running.get("/v1/pushes/\(first.text("id"))")
                return now["delivery"]?["presentation"]?["place"] == "banner"
            }
        )
        let shown = try running.list("pushes", "/v1/pushes?delivery=delivered")
        #expect(shown.map { $0["id"] } == [first["id"]])
        #expect(try running.list("pushes", "/v1/pushes?delivery=stored").isEmpty)
        #expect(try running.list("pushes", "/v1/pushes").first == shown.first)
        // Nothing is left in memory beside the newest.
        #expect(try running.eventually { running.world.state.withLock { $0.pushes.aside.isEmpty } })
        #expect(try running.list("pushes", "/v1/pushes").first == shown.first)
        #expect(try running.events("push.delivered").count == 1)
    }

    @Test("a banner that a later push replaces changes a record that was put away long ago")
    func collapsesLate() throws {
        let running = try Self.world()
        let device = try running.post("/v1/devices", ["topic": "com.example.1"], status: 201)
        func alert(_ body: String) throws {
            _ = try running.push(
                device.text("token"),
                topic: "com.example.1",
                headers: [("apns-collapse-id", "pump")],
                aps: ["alert": ["title": "T", "body": .string(body)]]
            )
        }
        try alert("one")
        #expect(
            try running.eventually {
                try running.list("pushes", "/v1/pushes").first?["delivery"]?["presentation"]?["at"] != nil
            }
        )
        try Self.push(running, 0..<30)
        try Self.settle(running)
        try alert("two")
        #expect(try running.events("push.collapsed").count == 1)
        let collapsed = try running.list("pushes", "/v1/pushes?delivery=collapsed")
        #expect(collapsed.count == 1)
        #expect(try running.list("pushes", "/v1/pushes").first == collapsed.first)
    }

    @Test("beyond the bound of the file the oldest give way, are counted, and an event says so once")
    func evicts() throws {
        let running = try Self.world { $0.pushBounds.inFile = 12 }
        try Self.push(running, 0..<60)
        try Self.settle(running)
        #expect(try running.eventually { try running.get("/v1/pushes")["evicted"] == 40 })
        #expect(try Self.numbers(running, "") == (40..<60).map { String($0) })
        let events = try running.events("pushes.evicted")
        #expect(events.map { $0["data"]?["why"] } == ["the record holds no more than 12"])
        #expect(try running.get("/v1/pushes")["evictedWhy"] == "the record holds no more than 12")
    }

    @Test("with no room on the disk the world goes on, and tells what gave way and why")
    func fullDisk() throws {
        let running = try Self.world { $0.pushBounds.maximumPages = 8 }
        try Self.push(running, 0..<120)
        try Self.settle(running)
        let evicted = try #require(try running.get("/v1/pushes")["evicted"]?.intValue)
        #expect(evicted > 0 && evicted % 4 == 0)
        #expect(try Self.numbers(running, "").count == 120 - Int(evicted))
        #expect(try Self.numbers(running, "").suffix(8) == (112..<120).map { String($0) })
        let event = try #require(try running.events("pushes.evicted").first)
        #expect(event["data"]?.text("why").contains("full") == true)
        #expect(try running.get("/v1/health")["ready"] == true)
    }

    @Test("what comes faster than it can be written gives way too, but for what waits for a device")
    func evictsUnwritten() throws {
        let running = try Self.world()
        try Self.push(running, 0..<1)
        let number = try #require(try running.list("pushes", "/v1/pushes").first?["seq"]?.intValue)
        let pushed = running.world.state.withLock { $0.pushes.find(Int(number)) }
        var record = try #require(pushed)
        var bounds = PushBounds()
        bounds.inMemory = 8
        bounds.unwritten = 8
        bounds.block = 4
        var archive = PushArchive(bounds: bounds)
        for number in 1...40 {
            record.sequence = Int64(number)
            record.delivery = number == 2 ? PushDelivery(.stored, device: "d1", at: record.receivedAt) : nil
            archive.append(record)
        }
        #expect(archive.evicted == 24)
        let page = try archive.page(after: 0, limit: 100, where: PushFilter())
        #expect(page.map(\.sequence) == Array(25...40))
        #expect(archive.find(2)?.isWaiting == true && archive.find(3) == nil)
        let notice = archive.takeNotice()
        #expect(notice?.why == "they came faster than they could be written")
        #expect(archive.takeNotice() == nil, "it is told once")
        archive.putAway()
        #expect(archive.blocks.count == 2 && archive.last == 40)
        #expect(try archive.page(after: 0, limit: 100, where: PushFilter()).count == 16)
    }

    @Test("removing all and a reset leave nothing, and what comes then is put away again")
    func removes() throws {
        let running = try Self.world()
        try Self.push(running, 0..<30)
        try running.ok("DELETE", "/v1/pushes", status: 204)
        #expect(try Self.numbers(running, "").isEmpty)
        try Self.push(running, 0..<30)
        #expect(try Self.numbers(running, "").count == 30)
        try running.post("/v1/reset")
        #expect(try Self.numbers(running, "").isEmpty)
        try running.patch("/v1/apns", ["credentials": "off"])
        try Self.push(running, 0..<30)
        try Self.settle(running)
        #expect(try Self.numbers(running, "token=\(someToken("a"))").count == 10)
    }

    @Test("a kept world shows the whole record again, and its folder holds nothing of the file")
    func reopens() throws {
        let folder = try TemporaryFolder()
        let open = { try Self.world { $0.dataDirectory = folder.path } }
        var running = try open()
        let device = try running.post("/v1/devices", ["topic": "com.example.1"], status: 201)
        try running.post("/v1/devices/d1/offline")
        _ = try running.push(device.text("token"), topic: "com.example.1")
        try Self.push(running, 0..<40)
        try Self.settle(running)
        let before = try running.list("pushes", "/v1/pushes?limit=1000")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!names.contains { $0.hasPrefix("pushes") })
        running.world.stop()
        running = try open()
        #expect(try running.list("pushes", "/v1/pushes?limit=1000") == before)
        #expect(running.world.state.withLock { $0.pushes.files.reduce(0) { $0 + $1.count } } >= 28)
        try running.post("/v1/devices/d1/online")
        #expect(try running.events("push.delivered").count == 1)
        #expect(try running.list("pushes", "/v1/pushes?delivery=stored").isEmpty)
    }

    @Test("an exported record is imported whole, and a reset goes back to it whatever happened since")
    func imports() throws {
        let folder = try TemporaryFolder()
        let running = try Self.world()
        let device = try running.post("/v1/devices", ["topic": "com.example.1"], status: 201)
        try running.post("/v1/devices/d1/offline")
        _ = try running.push(device.text("token"), topic: "com.example.1")
        try Self.push(running, 0..<40)
        try Self.settle(running)
        let before = try running.list("pushes", "/v1/pushes?limit=1000")
        let client = HTTPClient(options: .init(timeoutMilliseconds: 30_000))
        let file = try client.send(HTTPClientRequest(url: running.control + "/v1/export"))
        try Files.write(file.body, to: folder.path + "/world")
        let copy = try Self.world { $0.importFile = folder.path + "/world" }
        #expect(try copy.list("pushes", "/v1/pushes?limit=1000") == before)
        for _ in 1...2 {
            try Self.push(copy, 40..<60)
            try copy.post("/v1/devices/d1/online")
            #expect(
                try copy.eventually { try copy.list("pushes", "/v1/pushes?delivery=stored").isEmpty }
            )
            #expect(try Self.numbers(copy, "").count == 61)
            #expect(try Self.numbers(copy, "transactionId=3") == ["3"])
            try copy.post("/v1/reset")
            #expect(try copy.list("pushes", "/v1/pushes?limit=1000") == before)
            try copy.patch("/v1/apns", ["credentials": "off"])
        }
        try copy.ok("DELETE", "/v1/pushes", status: 204)
        #expect(try copy.list("pushes", "/v1/pushes").isEmpty)
        try copy.post("/v1/reset")
        #expect(try copy.list("pushes", "/v1/pushes?limit=1000") == before)
    }
}
