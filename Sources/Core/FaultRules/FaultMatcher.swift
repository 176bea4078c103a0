import JSONValue

/// Which calls a rule is about; a field that is nil matches any.
struct FaultMatcher: Sendable, Equatable {
    private var request: FaultRequest
    private var path: PathGlob?
    /// The first and the last request of a connection, and each so many of them.
    private var requests: ClosedRange<Int>?
    private var requestStep: Int?
    private let onlyTransactions: Bool

    private static let nodeMembers = [
        "node", "method", "path", "transactionType", "chatType", "sender", "recipient", "transactionId",
        "attempt", "signalAction", "token",
    ]
    private static let handshakeMembers = ["node"]
    private static let eventMembers = [
        "node", "event", "transactionType", "chatType", "sender", "recipient", "transactionId",
    ]
    private static let events = ["newTrans", "newBlock", "balances/change"]
    private static let apnsMembers =
        [
            "token", "topic", "pushType", "priority", "recipient", "transactionId", "request", "requestFrom",
            "requestTo", "requestEvery", "idleMilliseconds",
        ] + connectionMembers
    private static let connectionMembers = acceptMembers + ["connection", "clientCertificate"]
    private static let acceptMembers = ["environment"]
    private static let transactionMembers = [
        "transactionType", "chatType", "sender", "recipient", "transactionId", "attempt", "signalAction",
        "token",
    ]

    /// Type of a chat transaction and its subtype for signals.
    private static let chatTransactionType = 8
    private static let signalChatType = 3

    /// Reads a matcher and refuses what could never match, with the reason.
    init(_ value: JSONValue, target: FaultRequest.Target, effect: FaultEffect, context: RuleContext)
        throws(FaultRuleError)
    {
        let reader = try MemberReader(value, at: "match")
        let own = Self.members(target: target, occasion: effect.occasion)
        let others = Self.nodeMembers + Self.eventMembers + Self.apnsMembers
        for key in value.objectValue?.keys ?? [] where !own.contains(key) && others.contains(key) {
            let place =
                effect.occasion == .call
                ? "on the target \(target.rawValue)" : "at a \(effect.occasion.rawValue)"
            throw reader.error(key, "can never match \(place)")
        }
        try reader.refuseOthers(than: own)
        request = FaultRequest(target: target)
        request.occasion = effect.occasion
        request.event = try reader.word("event", of: Self.events)
        if case .hold = effect { onlyTransactions = true } else { onlyTransactions = false }
        try readTransaction(reader, target: target)
        if target == .node {
            try readNode(reader, context: context)
            try refuseContradictions(reader, context: context)
            if let event = request.event, event != Self.events[0] {
                for key in Self.transactionMembers where reader.has(key) {
                    throw reader.error(key, "can never match: \(event) is about no transaction")
                }
            }
        } else {
            try readPush(reader)
        }
    }

    private static func members(target: FaultRequest.Target, occasion: FaultRequest.Occasion) -> [String] {
        switch (target, occasion) {
        case (_, .accept): acceptMembers
        case (_, .connection): connectionMembers
        case (.apns, _): apnsMembers
        case (.node, .call): nodeMembers
        case (.node, .socketHandshake): handshakeMembers
        case (.node, .socketEvent): eventMembers
        }
    }

    /// Whether a call fits every field.
    func matches(_ call: FaultRequest) -> Bool {
        guard call.target == request.target, call.occasion == request.occasion,
            fits(request.event, call.event),
            fits(request.node, call.node), fits(request.method, call.method),
            fits(request.transactionType, call.transactionType), fits(request.chatType, call.chatType),
            fits(request.transactionId, call.transactionId), fits(request.attempt, call.attempt),
            fits(request.signalAction, call.signalAction),
            fits(request.topic, call.topic), fits(request.pushType, call.pushType),
            fits(request.priority, call.priority), fits(request.environment, call.environment),
            fitsIgnoringCase(request.sender, call.sender),
            fitsIgnoringCase(request.recipient, call.recipient),
            fitsIgnoringCase(request.token, call.token)
        else { return false }
        if request.target == .apns, !fitsConnection(call) { return false }
        if onlyTransactions, call.transactionType == nil, call.transactionId == nil { return false }
        guard let path else { return true }
        return call.path.map(path.matches) ?? false
    }

    private func fitsConnection(_ call: FaultRequest) -> Bool {
        guard fits(request.connection, call.connection),
            fits(request.hasClientCertificate, call.hasClientCertificate)
        else { return false }
        if let idle = request.idleMilliseconds, call.idleMilliseconds ?? 0 < idle { return false }
        guard requests != nil || requestStep != nil else { return true }
        guard let number = call.requestNumber, requests?.contains(number) ?? true else { return false }
        return requestStep.map { number.isMultiple(of: $0) } ?? true
    }

    /// Whether it looks at a posted transaction's fields.
    var needsTransactionFacts: Bool {
        request.target == .node && request.occasion == .call
            && (onlyTransactions || looksInsideSignals || request.transactionType != nil
                || request.chatType != nil || request.sender != nil || request.recipient != nil
                || request.transactionId != nil || request.attempt != nil)
    }

    /// Whether it looks inside signal messages.
    var looksInsideSignals: Bool {
        request.target == .node && (request.signalAction != nil || request.token != nil)
    }

    /// All fields in a fixed order, the same in every process.
    var identity: String {
        let numbers = [request.transactionType, request.chatType, request.priority].map {
            $0.map(String.init)
        }
        let texts = [
            request.node, request.method, path?.text, request.sender, request.recipient,
            request.transactionId, request.signalAction, request.token, request.topic, request.pushType,
            request.environment,
        ]
        // Only where there is one, so that the draws of other rules stay what they were.
        let event = request.event.map { [$0] } ?? []
        let attempt = request.attempt.map { ["attempt \($0)"] } ?? []
        return JSONValue.array(
            (texts + numbers + event + attempt + connectionIdentity).map(JSONValue.optional)
        ).text
    }

    /// What it looks at beyond the call itself.
    private var connectionIdentity: [String] {
        let fields: [(String, Int?)] = [
            ("connection", request.connection), ("from", requests?.lowerBound), ("to", requests?.upperBound),
            ("every", requestStep), ("idle", request.idleMilliseconds),
            ("certificate", request.hasClientCertificate.map { $0 ? 1 : 0 }),
        ]
        return fields.compactMap { name, value in value.map { "\(name) \($0)" } }
    }

    private mutating func readTransaction(_ reader: MemberReader, target: FaultRequest.Target)
        throws(FaultRuleError)
    {
        request.recipient = try Self.address("recipient", reader)
        request.transactionId = try reader.text("transactionId")
        if let id = request.transactionId, UInt64(id) == nil {
            throw reader.error("transactionId", "must be a transaction's id, a number below 2^64 as text")
        }
        request.token = try reader.text("token", limit: 4096)
    }

    private mutating func readNode(_ reader: MemberReader, context: RuleContext) throws(FaultRuleError) {
        request.node = try reader.text("node")
        if let node = request.node, !context.nodeNames.contains(node) {
            let names = context.nodeNames.joined(separator: ", ")
            throw reader.error("node", "there is no node \(node); there are \(names)")
        }
        request.method = try reader.text("method", limit: 16)
        if let method = request.method, !method.utf8.allSatisfy({ (65...90).contains($0) }) {
            throw reader.error("method", "must be in upper-case letters, as HTTP methods are")
        }
        if let text = try reader.text("path", limit: 512) {
            guard text.hasPrefix("/") || text.hasPrefix("*") else {
                throw reader.error("path", "can never match: a path begins with /")
            }
            guard !text.contains("?") else {
                throw reader.error("path", "can never match: the query is not part of the path")
            }
            path = PathGlob(text)
        }
        request.transactionType = try reader.integer("transactionType", in: 0...255).map(Int.init)
        request.chatType = try reader.integer("chatType", in: 0...255).map(Int.init)
        request.sender = try Self.address("sender", reader)
        request.attempt = try reader.integer("attempt", in: 1...1_000_000).map(Int.init)
        request.signalAction = try reader.word("signalAction", of: ["add", "remove"])
    }

    private mutating func readPush(_ reader: MemberReader) throws(FaultRuleError) {
        request.topic = try reader.text("topic")
        request.pushType = try reader.text("pushType")
        request.priority = try reader.integer("priority", in: 0...100).map(Int.init)
        request.environment = try reader.word("environment", of: ["production", "sandbox"])
        let numbers: ClosedRange<Int64> = 1...Int64(Int32.max)
        request.connection = try reader.integer("connection", in: numbers).map(Int.init)
        request.hasClientCertificate = try reader.flag("clientCertificate")
        request.idleMilliseconds = try reader.integer(
            "idleMilliseconds",
            in: 0...FaultEffect.maximumSeconds * 1000
        ).map(Int.init)
        requestStep = try reader.integer("requestEvery", in: numbers).map(Int.init)
        let exact = try reader.integer("request", in: numbers).map(Int.init)
        let from = try reader.integer("requestFrom", in: numbers).map(Int.init)
        let to = try reader.integer("requestTo", in: numbers).map(Int.init)
        if let exact {
            if let key = ["requestFrom", "requestTo", "requestEvery"].first(where: reader.has) {
                throw reader.error(key, "cannot stand beside request")
            }
            requests = exact...exact
        } else if from != nil || to != nil {
            guard from ?? 1 <= to ?? Int.max else {
                throw reader.error("requestTo", "must not be less than requestFrom")
            }
            requests = (from ?? 1)...(to ?? Int.max)
        }
    }

    private func refuseContradictions(_ reader: MemberReader, context: RuleContext) throws(FaultRuleError) {
        for key in ["signalAction", "token"] where reader.has(key) {
            guard context.canReadSignals else {
                throw reader.error(
                    key,
                    "can never match: this world has no key of the notification service to read signals with"
                )
            }
            guard (request.chatType ?? Self.signalChatType) == Self.signalChatType else {
                throw reader.error(key, "can never match: only chat type \(Self.signalChatType) is a signal")
            }
        }
        if let type = request.transactionType, type != Self.chatTransactionType {
            for key in ["chatType", "signalAction", "token"] where reader.has(key) {
                throw reader.error(
                    key,
                    "can never match: transactions of type \(type) are not chat messages"
                )
            }
        }
        guard let method = request.method, method != "POST" else { return }
        for key in Self.transactionMembers where reader.has(key) {
            throw reader.error(key, "can never match: a \(method) carries no transaction")
        }
        if onlyTransactions {
            throw reader.error("method", "can never match: only a POST carries a transaction to hold")
        }
    }

    private static func address(_ key: String, _ reader: MemberReader) throws(FaultRuleError) -> String? {
        guard let text = try reader.text(key) else { return nil }
        let bytes = Array(text.utf8)
        let isAddress =
            (2...22).contains(bytes.count) && bytes[0] | 0x20 == UInt8(ascii: "u")
            && bytes.dropFirst().allSatisfy { (48...57).contains($0) }
        guard isAddress else { throw reader.error(key, "must be an address: U and 1 to 21 digits") }
        return text
    }

    private func fits<Value: Equatable>(_ wanted: Value?, _ found: Value?) -> Bool {
        wanted == nil || wanted == found
    }

    private func fitsIgnoringCase(_ wanted: String?, _ found: String?) -> Bool {
        guard let wanted else { return true }
        guard let found, wanted.utf8.count == found.utf8.count else { return false }
        return zip(wanted.utf8, found.utf8).allSatisfy { lowercased($0) == lowercased($1) }
    }

    private func lowercased(_ byte: UInt8) -> UInt8 {
        (65...90).contains(byte) ? byte | 0x20 : byte
    }
}
