import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("Control API: lists of the newest first, and their search")
struct NewestFirstTests {
    /// All of a list, page by page, the newest first, and how many pages there were.
    private func all(_ running: RunningWorld, _ name: String, _ query: String = "", limit: Int = 3) throws
        -> (elements: [JSONValue], pages: Int)
    {
        var elements: [JSONValue] = []
        var before = ""
        for pages in 1...10_000 {
            let page = try running.get("/v1/\(name)?order=newest&limit=\(limit)\(query)\(before)")
            let found = try #require(page[name]?.arrayValue)
            #expect(found.count <= limit)
            elements += found
            guard page["more"] == true else { return (elements, pages) }
            before = "&before=\(try #require(page["next"]?.intValue))"
        }
        Issue.record("the list has no end")
        return (elements, 0)
    }

    private func filled() throws -> RunningWorld {
        let running = try RunningWorld()
        for amount in 1...7 {
            let order: JSONValue = ["from": "alice", "to": "bob", "amount": .string(String(amount))]
            try running.post("/v1/transactions", order, status: 201)
            if amount > 2 { try running.post("/v1/chain/forge") }
            _ = try running.push(someToken(amount % 2 == 0 ? "a" : "b"))
        }
        _ = try running.ok("GET", running.node() + "/api/blocks?limit=1")
        _ = try running.ok("GET", running.node() + "/api/node/status")
        // A call is listed once it is answered.
        #expect(try running.eventually { try running.list("requests", "/v1/requests").count == 2 })
        return running
    }

    @Test(
        "each holds what the list of the oldest first holds, the other way round",
        arguments: ["events", "pushes", "requests", "transactions", "blocks"]
    )
    func reversed(name: String) throws {
        let running = try filled()
        let ascending = try running.list(name, "/v1/\(name)?limit=10000")
        #expect(ascending.count >= 2)
        for limit in [1, 3, 10_000] {
            // Events may have come since: pools move, and the audit looks around.
            let descending = try all(running, name, limit: limit).elements.suffix(ascending.count)
            #expect(Array(descending) == ascending.reversed())
        }
    }

    @Test(
        "an empty list has an end too",
        arguments: ["pushes", "requests", "transactions"]
    )
    func empty(name: String) throws {
        let running = try RunningWorld()
        let page = try running.get("/v1/\(name)?order=newest")
        #expect(page[name] == [])
        #expect(page["more"] == false)
    }

    @Test(
        "search finds words and members, at any depth, in both orders",
        arguments: [
            ("transactions", "amount:3", 1), ("transactions", "kind:transfer", 7),
            ("transactions", "TRANSFER", 7),
            ("transactions", "state:forged%20-amount:7", 6), ("transactions", "nodes:alpha", 0),
            ("transactions", "alpha:forged", 7), ("transactions", "%22in%20a%20block%22", 0),
            ("pushes", "status:200", 7), ("pushes", "status:20", 0), ("pushes", "reason:null", 7),
            ("pushes", "bbbbbbbb", 4), ("pushes", "token:aaaa%20-bbbb", 3), ("pushes", "rule:accepted", 7),
            ("events", "kind:block.forged", 5), ("events", "height:4", 2),
            ("events", "-kind:block%20height:4", 1),
            ("requests", "path:blocks", 1), ("requests", "get", 2), ("blocks", "height:5", 1),
            ("blocks", "transactionCount:3", 1), ("pushes", "nothing-of-the-kind", 0),
        ]
    )
    func search(name: String, query: String, count: Int) throws {
        let running = try filled()
        #expect(try all(running, name, "&q=\(query)").elements.count == count)
        #expect(try running.list(name, "/v1/\(name)?limit=10000&q=\(query)").count == count)
    }

    @Test("filters go with both, and several states with each other")
    func filters() throws {
        let running = try filled()
        #expect(try all(running, "pushes", "&token=\(someToken("a"))").elements.count == 3)
        #expect(try all(running, "events", "&kind=block.forged&q=height:4").elements.count == 1)
        #expect(try all(running, "transactions", "&state=queued,forged").elements.count == 7)
        #expect(try running.list("transactions", "/v1/transactions?state=held,dropped").isEmpty)
        #expect(
            try running.call("GET", "/v1/transactions?state=forged,lost").json["error"]?["field"] == "state"
        )
    }

    @Test(
        "refuses what does not go together",
        arguments: [
            ("order=up", "order"), ("before=3", "before"), ("order=newest&after=3", "after"),
            ("order=newest&wait=1", "wait"), ("order=newest&atLeast=1", "atLeast"),
            ("order=newest&before=x", "before"), ("order=newest&before=-1", "before"),
        ]
    )
    func refusals(query: String, field: String) throws {
        let running = try RunningWorld()
        for name in ["events", "pushes", "requests", "transactions", "blocks"] {
            let answer = try running.call("GET", "/v1/\(name)?\(query)")
            #expect(answer.status == 400)
            #expect(answer.json["error"]?["field"] == .string(field), "\(name)")
        }
    }

    @Test("numbers at the ends are answered, not trapped on")
    func extremes() throws {
        let running = try filled()
        for name in ["events", "pushes", "requests", "transactions", "blocks"] {
            for before in ["0", "1", "9223372036854775807", "9223372036854775806"] {
                #expect(try running.call("GET", "/v1/\(name)?order=newest&before=\(before)").status == 200)
            }
            #expect(try running.call("GET", "/v1/\(name)?after=9223372036854775807").status == 200)
        }
    }

    @Test("a block is shown by height or id, with its transactions")
    func block() throws {
        let running = try filled()
        let block = try running.get("/v1/blocks/2")
        #expect(block["transactionCount"] == 3)
        #expect(
            block["transactions"]?.arrayValue?.compactMap { $0["amount"]?.stringValue }.sorted() == [
                "1", "2", "3",
            ]
        )
        #expect(try running.get("/v1/blocks/\(block.text("id"))") == block)
        #expect(block["totalFee"] == "150000000")
        for unknown in ["99", "0", "-1", "99999999999999999999999", "x"] {
            #expect(try running.call("GET", "/v1/blocks/\(unknown)").status == 404)
        }
    }

    @Test("every word of a search may be hostile")
    func hostile() throws {
        let running = try filled()
        for query in [":", "-", "%22", "-:", "a:", ":a", "--", "%00", "%ff", "kind:%22", "%22%20", "+++"] {
            #expect(try running.call("GET", "/v1/events?order=newest&q=\(query)").status == 200, "\(query)")
        }
    }
}
