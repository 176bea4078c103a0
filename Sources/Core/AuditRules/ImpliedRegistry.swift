public import AdamantModel
public import Determinism

/// Who is registered at the service, as far as its pushes tell.
public struct ImpliedRegistry: Sendable {
    /// A token that was pushed to for an address.
    public struct Row: Sendable {
        /// The `push-recipient`.
        public let address: Address
        /// The device token, in lower case.
        public let token: String
        /// When it was pushed to first.
        public let first: Timestamp
        /// When it was pushed to last.
        public internal(set) var last: Timestamp
        /// How often.
        public internal(set) var count = 0
        /// How often APNs took it.
        public internal(set) var accepted = 0
        /// When APNs took it last.
        public internal(set) var lastAccepted: Timestamp?
        /// The last answer.
        public internal(set) var answer = ""
        /// Whether that was the end of the token, so that the service should have dropped the row.
        public internal(set) var isEnded = false
    }

    struct Key: Hashable {
        let address: Address
        let token: String
    }

    /// Most rows; further ones are not noted.
    static let capacity = 200_000

    /// Rows in the order of their first pushes.
    public private(set) var all: [Row] = []
    private var places: [Key: Int] = [:]
    /// When APNs last took a push for an address.
    private(set) var reached: [Address: Timestamp] = [:]

    /// The row of an address and a token.
    public func row(of address: Address, token: String) -> Row? {
        places[Key(address: address, token: token.lowercased())].map { all[$0] }
    }

    mutating func note(_ push: AuditedPush, for address: Address) {
        guard let place = place(of: push, for: address) else { return }
        all[place].note(push)
        if push.isAccepted { reached[address] = push.at }
    }

    private mutating func place(of push: AuditedPush, for address: Address) -> Int? {
        let key = Key(address: address, token: push.token)
        if let place = places[key] { return place }
        guard all.count < Self.capacity else { return nil }
        places[key] = all.count
        all.append(Row(address: address, token: push.token, first: push.at, last: push.at))
        return all.count - 1
    }
}

extension ImpliedRegistry.Row {
    fileprivate mutating func note(_ push: AuditedPush) {
        last = push.at
        count += 1
        answer = push.answer
        isEnded = push.endsToken
        guard push.isAccepted else { return }
        accepted += 1
        lastAccepted = push.at
    }
}
