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

    private var rows: [Key: Row] = [:]
    private var order: [Key] = []
    /// When APNs last took a push for an address.
    private(set) var reached: [Address: Timestamp] = [:]

    /// Rows in the order of their first pushes.
    public var all: [Row] { order.compactMap { rows[$0] } }

    /// The row of an address and a token.
    public func row(of address: Address, token: String) -> Row? {
        rows[Key(address: address, token: token.lowercased())]
    }

    mutating func note(_ push: AuditedPush, for address: Address) {
        let key = Key(address: address, token: push.token)
        if rows[key] == nil {
            guard order.count < Self.capacity else { return }
            rows[key] = Row(address: address, token: push.token, first: push.at, last: push.at)
            order.append(key)
        }
        rows[key]?.last = push.at
        rows[key]?.count += 1
        rows[key]?.answer = push.answer
        rows[key]?.isEnded = push.endsToken
        guard push.isAccepted else { return }
        rows[key]?.accepted += 1
        rows[key]?.lastAccepted = push.at
        reached[address] = push.at
    }
}
