extension MocknetWorld {
    /// The nodes.
    public func nodes() async throws -> [Node] { try await list("nodes", "/v1/nodes") }

    /// A node by its name.
    public func node(_ name: String) async throws -> Node {
        try await call("GET", "/v1/nodes/\(segment(name))")
    }

    /// Changes members of a node, such as `failureRate`, `online`, `lagBlocks` or `version`.
    @discardableResult
    public func changeNode(_ name: String, _ members: JSON) async throws -> Node {
        try await call("PATCH", "/v1/nodes/\(segment(name))", body: members)
    }

    /// Calls that nodes got, filtered by a request's members, such as `["path": "/api/chats/get"]`.
    public func requests(_ filters: [String: String] = [:], after: Int = 0, limit: Int = 100) async throws
        -> [NodeRequest]
    {
        let page: [String: String?] = ["after": String(after), "limit": String(limit)]
        return try await list(
            "requests",
            "/v1/requests",
            query: page.merging(filters) { _, filter in filter }
        )
    }

    /// The fault rules, in the order in which they are tried.
    public func faults() async throws -> [FaultRule] { try await list("faults", "/v1/faults") }

    /// Adds a fault rule, of the form that the control API's documentation gives.
    @discardableResult
    public func addFault(_ rule: JSON) async throws -> FaultRule {
        try await call("POST", "/v1/faults", body: rule)
    }

    /// Adds the rules of a preset, such as `goaway-mid-flight`, narrowed down by further matchers.
    @discardableResult
    public func addFaults(preset: String, match: JSON? = nil) async throws -> [FaultRule] {
        let body = JSON(["preset": .string(preset), "match": match])
        let added: [String: [FaultRule]] = try await call("POST", "/v1/faults", body: body)
        return added["faults"] ?? []
    }

    /// The presets there are, with the reports and symptoms behind each.
    public func faultPresets() async throws -> [JSON] { try await list("presets", "/v1/faults/presets") }

    /// The faults that struck, as `--replay` and the setting `replay` of another world take them.
    public func faultDecisions() async throws -> JSON { try await call("GET", "/v1/faults/decisions") }

    /// A fault rule.
    public func fault(_ id: String) async throws -> FaultRule {
        try await call("GET", "/v1/faults/\(segment(id))")
    }

    /// Changes members of a fault rule; its counters go on.
    @discardableResult
    public func changeFault(_ id: String, _ members: JSON) async throws -> FaultRule {
        try await call("PATCH", "/v1/faults/\(segment(id))", body: members)
    }

    /// Takes a fault rule away.
    public func deleteFault(_ id: String) async throws {
        try await perform("DELETE", "/v1/faults/\(segment(id))")
    }

    /// Takes all fault rules away.
    public func deleteFaults() async throws { try await perform("DELETE", "/v1/faults") }
}
