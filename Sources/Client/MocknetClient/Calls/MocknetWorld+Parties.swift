extension MocknetWorld {
    /// The simulated devices, all of them unless a page or a search asks for fewer.
    ///
    /// They begin behind the `after`th; `shown` is how many of the newest banners of each are told.
    public func devices(
        search: String? = nil,
        after: Int = 0,
        limit: Int? = nil,
        shown: Int? = nil
    ) async throws -> [Device] {
        let query: [String: String?] = [
            "q": search, "after": String(after), "limit": limit.map { String($0) },
            "shown": shown.map { String($0) },
        ]
        return try await list("devices", "/v1/devices", query: query)
    }

    /// Makes a device; with an owner it signs in and registers.
    ///
    /// The name is what other calls name it by, the owner the name or address of an account, the behaviour
    /// `as-deployed` or `ordered`. Further members are `nodes`, `topic`, `environment` and others.
    @discardableResult
    public func makeDevice(
        _ name: String? = nil,
        owner: String? = nil,
        behaviour: String? = nil,
        _ members: [String: JSON] = [:]
    ) async throws -> Device {
        let given = JSON([
            "name": name.map(JSON.string), "owner": owner.map(JSON.string),
            "behaviour": behaviour.map(JSON.string),
        ])
        guard case .object(let named) = given else { throw MocknetError.unreadable("no members") }
        return try await call(
            "POST",
            "/v1/devices",
            body: .object(members.merging(named) { _, named in named })
        )
    }

    /// A device by its id or name.
    public func device(_ idOrName: String) async throws -> Device {
        try await call("GET", "/v1/devices/\(segment(idOrName))")
    }

    /// Has a device or its user do something, such as `sign-out`; returns when what it started has ended.
    @discardableResult
    public func perform(_ action: String, on device: String, _ members: JSON = [:]) async throws -> Device {
        try await call("POST", "/v1/devices/\(segment(device))/\(segment(action))", body: members)
    }

    /// Waits until a device has shown a banner, and answers the first whose text contains these words.
    ///
    /// It waits for so many seconds of real time.
    ///
    /// - Throws: ``MocknetError/timedOut(_:)`` with the banners that it did show.
    public func waitForBanner(
        on device: String,
        containing words: String = "",
        seconds: Int = 30
    ) async throws -> Device.Banner {
        let end = ContinuousClock.now + .seconds(seconds)
        var last = 0
        while true {
            // Read first: a banner that comes meanwhile is an event behind this number.
            let newest: [String: JSON] = try await call("GET", "/v1/events", query: ["limit": "1"])
            last = max(last, newest["last"]?.integerValue.map(Int.init) ?? 0)
            let banners = try await self.device(device).banners
            if let banner = banners.first(where: { words.isEmpty || $0.body.contains(words) }) {
                return banner
            }
            let left = Int((end - .now).components.seconds)
            guard left > 0 else {
                let shown =
                    banners.isEmpty ? "nothing" : banners.map { "“\($0.body)”" }.joined(separator: ", ")
                throw MocknetError.timedOut("no such banner within \(seconds) s; \(device) showed \(shown)")
            }
            _ = try await events(kind: "device.banner-shown", after: last, wait: left)
        }
    }

    /// Writes to a device's owner and waits for the banner.
    public func testPush(_ device: String, message: String? = nil, seconds: Int? = nil) async throws
        -> TestPush
    {
        let members = ["message": message.map(JSON.string), "seconds": seconds.map { .integer(Int64($0)) }]
        return try await call("POST", "/v1/devices/\(segment(device))/test-push", body: JSON(members))
    }

    /// The reference notification service.
    public func notificationService() async throws -> NotificationService { try await call("GET", "/v1/ans") }

    /// Changes the reference notification service, or makes one.
    @discardableResult
    public func changeNotificationService(
        behaviour: String? = nil,
        pollSeconds: Double? = nil
    ) async throws -> NotificationService {
        let members = ["behaviour": behaviour.map(JSON.string), "pollSeconds": pollSeconds.map(JSON.number)]
        return try await call("PATCH", "/v1/ans", body: JSON(members))
    }

    /// Starts the reference notification service.
    public func startNotificationService() async throws { try await perform("POST", "/v1/ans/start") }

    /// Stops the reference notification service; its registry stays.
    public func stopNotificationService() async throws { try await perform("POST", "/v1/ans/stop") }

    /// Has it read every list once, and waits for the pushes that follow.
    public func pollNotificationService() async throws { try await perform("POST", "/v1/ans/poll") }

    /// The registrations as the chain's order defines them, all of them unless a page or a search asks for fewer.
    ///
    /// They begin behind the row of the number `after`.
    public func registry(search: String? = nil, after: Int = 0, limit: Int? = nil) async throws -> Registry {
        let query: [String: String?] = [
            "q": search, "after": String(after), "limit": limit.map { String($0) },
        ]
        return try await call("GET", "/v1/registry", query: query)
    }

    /// Broken promises that the audit found, all or those of one rule, such as `no-content`.
    public func audit(rule: String? = nil) async throws -> [AuditFinding] {
        try await list("findings", "/v1/audit", query: ["rule": rule])
    }

    /// What each party, such as Apple or a node's operator, could have learned in this run.
    public func auditParties() async throws -> [JSON] { try await list("parties", "/v1/audit/parties") }

    /// Events of the journal, the oldest first.
    ///
    /// They begin behind the event of the number `after`; `wait` is how long to wait for the first, in seconds.
    public func events(
        kind: String? = nil,
        transactionId: String? = nil,
        after: Int = 0,
        limit: Int = 100,
        wait: Int = 0
    ) async throws -> [Event] {
        let query: [String: String?] = [
            "kind": kind, "transactionId": transactionId, "after": String(after), "limit": String(limit),
            "wait": String(wait),
        ]
        return try await list("events", "/v1/events", query: query)
    }

    /// Events as they come, until the task that reads them is cancelled.
    public func eventStream(kind: String? = nil, after: Int = 0) -> AsyncThrowingStream<Event, any Error> {
        AsyncThrowingStream { continuation in
            let reading = Task {
                var last = after
                do {
                    while !Task.isCancelled {
                        for event in try await events(kind: kind, after: last, limit: 1000, wait: 20) {
                            last = event.seq
                            continuation.yield(event)
                        }
                    }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in reading.cancel() }
        }
    }
}
