public import Determinism
public import JSONValue

/// What the gateway knows of one device token.
public struct DeviceTokenState: Sendable, Equatable {
    /// How pushes to the token are answered.
    public enum Kind: String, Sendable, CaseIterable {
        /// 200.
        case active
        /// 410 `Unregistered`; 200 before `since`.
        case unregistered
        /// 400 `BadDeviceToken`.
        case bad
        /// 400 `DeviceTokenNotForTopic`.
        case wrongTopic = "wrong-topic"
        /// 400 `BadDeviceToken`, as a token of the other environment.
        case wrongEnvironment = "wrong-environment"
        /// 410 `ExpiredToken`; 200 before `since`.
        case expired
    }

    /// How pushes to the token are answered.
    public var kind: Kind
    /// Since when; the timestamp of a 410.
    public var since: Timestamp
    /// The topic it was issued for; nil when any will do.
    public var topic: String?
    /// The environment it was issued in; nil when either will do.
    public var environment: APNsEnvironment?

    /// A state.
    public init(
        _ kind: Kind,
        since: Timestamp,
        topic: String? = nil,
        environment: APNsEnvironment? = nil
    ) {
        self.kind = kind
        self.since = since
        self.topic = topic
        self.environment = environment
    }

    /// The state as the control API shows it.
    public func json(token: String) -> JSONValue {
        [
            "token": .string(token), "state": .string(kind.rawValue), "since": .string(since.rfc3339),
            "topic": .optional(topic), "environment": .optional(environment?.rawValue),
        ]
    }

    /// Adds the rules that a push to the token fails.
    func check(
        topic requested: String?,
        environment: APNsEnvironment,
        now: Timestamp,
        fired: inout APNsRuleSet
    ) {
        switch kind {
        case .active: break
        case .bad: fired.insert(.tokenBad)
        case .wrongEnvironment: fired.insert(.tokenEnvironment)
        case .unregistered: if since <= now { fired.insert(.tokenUnregistered) }
        case .expired: if since <= now { fired.insert(.tokenExpired) }
        case .wrongTopic: fired.insert(.tokenTopic)
        }
        if let own = self.environment, own != environment { fired.insert(.tokenEnvironment) }
        if let topic, let requested, requested != topic, PushType.bundleId(ofTopic: requested) != topic {
            fired.insert(.tokenTopic)
        }
    }
}

/// The form of device tokens.
public enum DeviceToken {
    /// Numbers of digits that are taken: Apple's usual 64, up to what Live Activities and simulators have.
    ///
    /// - Source: Apple, Sending notification requests to APNs: the size of a device token is not fixed
    public static let digits = 64...200

    /// Whether text has the form of a device token.
    public static func isWellFormed(_ token: String) -> Bool {
        let bytes = Array(token.utf8)
        return isWellFormed(bytes, in: 0..<bytes.count)
    }

    static func isWellFormed(_ bytes: [UInt8], in range: Range<Int>) -> Bool {
        guard digits.contains(range.count), range.count % 2 == 0, range.upperBound <= bytes.count else {
            return false
        }
        let span = bytes.span
        for index in range where !HexDigit.isDigit(span[index]) { return false }
        return true
    }

    /// The form under which a token is known: in lower case.
    static func key(_ token: ArraySlice<UInt8>) -> String {
        guard token.contains(where: { $0 >= 65 && $0 <= 90 }) else {
            return String(decoding: token, as: UTF8.self)
        }
        return String(decoding: token.map { $0 >= 65 && $0 <= 90 ? $0 | 32 : $0 }, as: UTF8.self)
    }
}
