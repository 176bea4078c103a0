public import Foundation

extension MocknetWorld {
    /// Requests that APNs got, the oldest first.
    ///
    /// They begin behind the push of the number `after`; the limit is at most 10,000.
    public func pushes(_ filter: PushFilter = PushFilter(), after: Int = 0, limit: Int = 100) async throws
        -> [Push]
    {
        let page: [String: String?] = ["after": String(after), "limit": String(limit)]
        return try await list(
            "pushes",
            "/v1/pushes",
            query: page.merging(filter.query) { _, filter in filter }
        )
    }

    /// Waits until APNs has got a push, and answers the first that matches.
    ///
    /// It looks behind the push of the number `after`, and waits for so many seconds of real time.
    ///
    /// - Throws: ``MocknetError/timedOut(_:)`` with the pushes that did come.
    public func waitForPush(
        _ filter: PushFilter = PushFilter(),
        after: Int = 0,
        seconds: Int = 30
    ) async throws -> Push {
        let found = try await waitForPushes(1, filter, after: after, seconds: seconds)
        guard let push = found.first else { throw MocknetError.unreadable("an empty list of pushes") }
        return push
    }

    /// Waits until APNs has got so many pushes that match.
    ///
    /// - Throws: ``MocknetError/timedOut(_:)`` with the pushes that did come.
    public func waitForPushes(
        _ count: Int,
        _ filter: PushFilter = PushFilter(),
        after: Int = 0,
        seconds: Int = 30
    ) async throws -> [Push] {
        let waiting: [String: String?] = [
            "after": String(after), "limit": String(max(count, 1)), "wait": String(seconds),
            "atLeast": String(count),
        ]
        let query = waiting.merging(filter.query) { _, filter in filter }
        let found: [Push] = try await list("pushes", "/v1/pushes", query: query)
        guard found.count >= count else {
            let others = try await pushes(after: after)
            throw MocknetError.timedOut(
                "\(found.count) of \(count) pushes within \(seconds) s; APNs got: " + others.summary
            )
        }
        return found
    }

    /// Forgets all pushes; numbers go on.
    public func deletePushes() async throws { try await perform("DELETE", "/v1/pushes") }

    /// A push by its id, with the bytes of its payload in the member `payloadBase64`.
    public func push(_ id: String) async throws -> JSON { try await call("GET", "/v1/pushes/\(segment(id))") }

    /// A push as a file for the iOS Simulator.
    public func simulatorFile(ofPush id: String) async throws -> Data {
        try await data("GET", "/v1/pushes/\(segment(id))/apns")
    }

    /// The settings of APNs.
    public func apns() async throws -> JSON { try await call("GET", "/v1/apns") }

    /// Changes settings of APNs; the answer is all of them.
    @discardableResult
    public func changeAPNs(_ members: JSON) async throws -> JSON {
        try await call("PATCH", "/v1/apns", body: members)
    }

    /// The providers' keys that APNs knows.
    public func providerKeys() async throws -> [JSON] { try await list("keys", "/v1/apns/keys") }

    /// Tells APNs of a provider's key.
    @discardableResult
    public func setProviderKey(_ keyId: String, _ members: JSON) async throws -> JSON {
        try await call("PUT", "/v1/apns/keys/\(segment(keyId))", body: members)
    }

    /// Has APNs forget a provider's key.
    public func deleteProviderKey(_ keyId: String) async throws {
        try await perform("DELETE", "/v1/apns/keys/\(segment(keyId))")
    }

    /// The device tokens that APNs knows something of.
    public func tokens() async throws -> [DeviceToken] { try await list("tokens", "/v1/apns/tokens") }

    /// Sets what APNs makes of a device token: `unregistered` answers 410, and `bad` answers 400.
    ///
    /// `since` is the time that a 410 tells.
    @discardableResult
    public func setToken(_ token: String, state: String, since: Date? = nil) async throws -> DeviceToken {
        let members = ["state": JSON.string(state), "since": since.map { .string(WorldTime.text($0)) }]
        return try await call("PUT", "/v1/apns/tokens/\(segment(token))", body: JSON(members))
    }
}

extension [Push] {
    /// The pushes in a line each.
    fileprivate var summary: String {
        guard !isEmpty else { return "nothing" }
        return map { push in
            let answer = push.status.map(String.init) ?? "no answer"
            return
                "\n  \(push.seq): \(push.token) \(answer) \(push.reason ?? "") for \(push.recipient ?? "nobody")"
        }.joined()
    }
}
