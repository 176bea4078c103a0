public import Foundation

extension MocknetWorld {
    /// Whether every port answers.
    public func isReady() async -> Bool {
        let answer = try? await call("GET", "/v1/health")
        return answer?["ready"]?.boolValue ?? false
    }

    /// The world's addresses, accounts and keys.
    public func describe() async throws -> WorldDescription { try await call("GET", "/v1/world") }

    /// All as just started: chain, accounts, pushes, devices, service, faults, settings, clock.
    ///
    /// Call it between tests that share a world.
    @discardableResult
    public func reset() async throws -> WorldDescription { try await call("POST", "/v1/reset") }

    /// The worlds of this process.
    public func worlds() async throws -> [FurtherWorld] { try await list("worlds", "/v1/worlds") }

    /// Makes another world on free ports, isolated from this one, for tests that run at the same time.
    ///
    /// The settings are members of `mocknet.yml`, such as `["nodes": 3, "seed": 7]`.
    public func makeWorld(_ settings: JSON = [:]) async throws -> MocknetWorld {
        let made: FurtherWorld = try await call("POST", "/v1/worlds", body: settings)
        return at(made.control)
    }

    /// Ends a further world.
    public func deleteWorld(_ id: String) async throws {
        try await perform("DELETE", "/v1/worlds/\(segment(id))")
    }

    /// The clock.
    public func clock() async throws -> WorldClock { try await call("GET", "/v1/clock") }

    /// Stops the clock or lets it run, and sets it.
    @discardableResult
    public func setClock(frozen: Bool? = nil, now: Date? = nil) async throws -> WorldClock {
        let members = ["frozen": frozen.map(JSON.bool), "now": now.map { .string(WorldTime.text($0)) }]
        return try await call("PATCH", "/v1/clock", body: JSON(members))
    }

    /// Sets the clock forward, or back by a negative number; waits go on in real time.
    @discardableResult
    public func advanceClock(seconds: Double) async throws -> WorldClock {
        try await call("POST", "/v1/clock/advance", body: ["seconds": .number(seconds)])
    }

    /// Loads thousands of registrations made from a seed; the answer tells what was loaded.
    ///
    /// The members are `seed`, `rows`, `addresses`, `largest`, `deadShare` and `via`, all optional.
    @discardableResult
    public func loadRegistry(_ members: JSON = [:]) async throws -> JSON {
        try await call("POST", "/v1/fixtures/registry", body: members)
    }

    /// Makes so many funded accounts, whose keys follow from a seed; the answer tells what was made.
    @discardableResult
    public func makeAccounts(_ count: Int, seed: UInt64? = nil, balance: UInt64? = nil) async throws -> JSON {
        let members: [String: JSON?] = [
            "count": .integer(Int64(count)),
            "seed": seed.flatMap { Int64(exactly: $0) }.map(JSON.integer),
            "balance": balance.map { .string(String($0)) },
        ]
        return try await call("POST", "/v1/fixtures/accounts", body: JSON(members))
    }

    /// Plays a scenario, given as YAML or JSON, and answers its result.
    public func runScenario(_ text: String) async throws -> JSON {
        let data = try await data(
            "POST",
            "/v1/scenarios/run",
            content: Data(text.utf8),
            contentType: "application/yaml"
        )
        return try JSONDecoder().decode(JSON.self, from: data)
    }

    /// The whole world as one file, for `mocknet up --import`.
    public func export() async throws -> Data { try await data("GET", "/v1/export") }

    /// The world's measurements in the text format of Prometheus.
    public func metrics() async throws -> String {
        String(decoding: try await data("GET", "/metrics"), as: UTF8.self)
    }

    /// The OpenAPI document of the control API.
    public func openAPI() async throws -> JSON { try await call("GET", "/openapi.json") }
}

extension JSON {
    /// An object of those members that are given.
    init(_ members: [String: JSON?]) {
        self = .object(members.compactMapValues { $0 })
    }
}
