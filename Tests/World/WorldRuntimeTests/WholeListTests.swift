import JSONValue
import TestSupport
import Testing
import WorldRuntime

@Suite("Control API: lists that are there as a whole, told by pages")
struct WholeListTests {
    private static let names = ["one", "two", "three", "four", "five"]

    private func withDevices() throws -> RunningWorld {
        let running = try RunningWorld()
        for name in Self.names { try running.post("/v1/devices", ["name": .string(name)], status: 201) }
        return running
    }

    private func withRegistry() throws -> RunningWorld {
        let running = try RunningWorld()
        let size: JSONValue = ["seed": 5, "rows": 60, "addresses": 40, "largest": 12]
        try running.post("/v1/fixtures/registry", size, status: 201)
        return running
    }

    /// All of a list by its pages, and how many there were.
    private func pages(_ running: RunningWorld, _ path: String, _ name: String, _ place: String) throws
        -> (elements: [JSONValue], count: Int)
    {
        var elements: [JSONValue] = []
        var next = ""
        for count in 1...1000 {
            let page = try running.get(path + next)
            elements += try #require(page[name]?.arrayValue)
            guard page["more"] == true else { return (elements, count) }
            next = "&\(place)=\(try #require(page["next"]?.intValue))"
        }
        Issue.record("the list has no end")
        return (elements, 0)
    }

    @Test("devices come all together, or page by page in either order")
    func devices() throws {
        let running = try withDevices()
        let whole = try running.get("/v1/devices")
        let all = try #require(whole["devices"]?.arrayValue)
        #expect(all.map { $0.text("name") } == Self.names)
        #expect(whole["count"] == 5 && whole["more"] == false)
        let ascending = try pages(running, "/v1/devices?limit=2", "devices", "after")
        #expect(ascending.elements == all && ascending.count == 3)
        let descending = try pages(running, "/v1/devices?limit=2&order=newest", "devices", "before")
        #expect(descending.elements == all.reversed())
        let exact = try running.get("/v1/devices?limit=5")
        #expect(exact["more"] == false && exact["next"] == 5)
        #expect(try running.get("/v1/devices?after=5")["devices"] == [])
    }

    @Test("accounts and tokens come all together, or page by page in either order")
    func accountsAndTokens() throws {
        let running = try RunningWorld()
        for digit in "cab" {
            try running.ok("PUT", "/v1/apns/tokens/\(someToken(digit))", ["state": "bad"])
        }
        for (name, path, count) in [("accounts", "/v1/accounts", 12), ("tokens", "/v1/apns/tokens", 3)] {
            let whole = try running.get(path)
            let all = try #require(whole[name]?.arrayValue)
            #expect(all.count == count && whole["more"] == false, "\(path)")
            let ascending = try pages(running, path + "?limit=2", name, "after")
            #expect(ascending.elements == all && ascending.count == (count + 1) / 2)
            let descending = try pages(running, path + "?limit=2&order=newest", name, "before")
            #expect(descending.elements == all.reversed())
            #expect(try running.call("GET", path + "?limit=0").status == 400)
        }
        #expect(try running.list("accounts", "/v1/accounts?q=name:bob").map { $0.text("name") } == ["bob"])
        #expect(
            try running.list("tokens", "/v1/apns/tokens").map { $0.text("token").first } == ["a", "b", "c"]
        )
    }

    @Test("devices are searched, and told with as many banners as are wanted")
    func deviceSearch() throws {
        let running = try RunningWorld()
        let alerts: JSONValue = ["name": "alarm", "topic": "com.example.alerts"]
        let device = try running.post("/v1/devices", alerts, status: 201)
        try running.post("/v1/devices", ["name": "phone"], status: 201)
        #expect(try running.list("devices", "/v1/devices?q=com.example").map { $0.text("name") } == ["alarm"])
        #expect(try running.list("devices", "/v1/devices?q=name:phone").count == 1)
        #expect(try running.list("devices", "/v1/devices?q=-online:true").isEmpty)
        try running.patch("/v1/apns", ["credentials": "off"])
        for text in ["first", "second", "third"] {
            let push = try running.push(
                device.text("token"),
                topic: "com.example.alerts",
                aps: ["alert": .string(text)]
            )
            #expect(push.status == 200)
        }
        let shown = { (count: String) in
            try running.list("devices", "/v1/devices?limit=1" + count).first?["banners"]?.arrayValue?
                .map { $0.text("body") }
        }
        #expect(try running.eventually { try shown("")?.count == 3 })
        #expect(try shown("&shown=1") == ["third"])
        #expect(try shown("&shown=0") == [])
        #expect(try shown("&shown=9223372036854775807")?.count == 3)
    }

    @Test("the registry's rows come all together, or page by page, and keep their numbers as others go")
    func registry() throws {
        let running = try withRegistry()
        let whole = try running.get("/v1/registry")
        let all = try #require(whole["rows"]?.arrayValue)
        #expect(all.count == 60 && whole["more"] == false)
        #expect(whole["totals"]?["rows"] == 60)
        let ascending = try pages(running, "/v1/registry?limit=7", "rows", "after")
        #expect(ascending.elements == all && ascending.count >= 9)
        #expect(
            try pages(running, "/v1/registry?limit=7&order=newest", "rows", "before").elements
                == all.reversed()
        )
        let holders = try #require(whole["holders"]?.arrayValue)
        let few = try running.get("/v1/registry?limit=1&others=2")
        #expect(few["holders"]?.arrayValue == Array(holders.prefix(2)))
        #expect(few["totals"] == whole["totals"] && few["addresses"] == whole["addresses"])
        let largest = try #require(holders.first?.text("address"))
        #expect(try running.list("rows", "/v1/registry?q=address:\(largest)").count == 12)
        #expect(try running.list("rows", "/v1/registry?limit=5&q=address:\(largest)").count == 5)
        #expect(try running.list("rows", "/v1/registry?q=nowhere-to-be-found").isEmpty)
        #expect(try running.get("/v1/ans?rows=3")["rows"]?.arrayValue?.count == 3)
        #expect(try running.get("/v1/ans?rows=0")["rowCount"] == 60)
    }

    @Test("the name of an account finds what its address stands in, alone and behind a field")
    func names() throws {
        let running = try RunningWorld()
        try running.post("/v1/devices", ["name": "phone", "owner": "bob"], status: 201)
        try running.post("/v1/chain/forge")
        for (sender, recipient) in [("alice", "bob"), ("bob", "carol"), ("carol", "dave")] {
            let order: JSONValue = ["from": .string(sender), "to": .string(recipient), "amount": "1"]
            try running.post("/v1/transactions", order, status: 201)
        }
        let count = { (query: String) in
            try running.list("transactions", "/v1/transactions?q=kind:transfer%20" + query).count
        }
        #expect(try count("bob") == 2)
        #expect(try count("BOB") == 2)
        #expect(try count("recipient:bob") == 1)
        #expect(try count("-bob") == 1)
        #expect(try count("bo") == 0)
        #expect(try running.list("devices", "/v1/devices?q=owner:bob").count == 1)
        #expect(try running.list("rows", "/v1/registry?q=bob").count == 1)
        #expect(try running.list("events", "/v1/events?q=kind:accepted%20sender:carol").count == 1)
    }

    @Test(
        "refuses what is no page",
        arguments: [
            ("limit=0", "limit"), ("limit=x", "limit"), ("before=3", "before"), ("order=up", "order"),
            ("after=-1", "after"), ("wait=1", "wait"),
        ]
    )
    func refusals(query: String, field: String) throws {
        let running = try RunningWorld()
        for path in ["devices", "registry"] {
            let answer = try running.call("GET", "/v1/\(path)?\(query)")
            #expect(answer.status == 400 && answer.json["error"]?["field"] == .string(field), "\(path)")
        }
        for path in ["devices?shown=-1", "registry?others=x", "ans?rows=-1"] {
            #expect(try running.call("GET", "/v1/\(path)").status == 400)
        }
    }

    @Test("numbers at the ends are answered, not trapped on")
    func extremes() throws {
        let running = try withDevices()
        for path in ["devices", "registry"] {
            for query in ["after=9223372036854775807", "order=newest&before=0", "order=newest&limit=10000"] {
                #expect(try running.call("GET", "/v1/\(path)?\(query)").status == 200)
            }
        }
    }
}
