public import AdamantModel
public import Determinism
import TraceRules

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
        /// What the chain's registry says of it, as it was looked up last.
        var standing: Standing?
    }

    /// What the chain's registry says of an address and a token.
    struct Standing: Sendable {
        /// The height of the registration that holds, with its signal; nil when there is none.
        let row: (height: Int, transaction: Identifier)?
        /// Whether the address ever signalled anything.
        let hasSignals: Bool
        /// The registry as of which it is so.
        let revision: Int

        init(of address: Address, _ token: String, _ registry: SignalRegistry) {
            row = registry.row(of: address, token: token).map { ($0.height, $0.transaction) }
            hasSignals = registry.hasSignals(of: address)
            revision = registry.revision
        }
    }

    /// An address and a token, as their numbers.
    struct Key: Hashable {
        let address: UInt64
        let token: UInt64

        init(address: UInt64, token: UInt64) {
            self.address = address
            self.token = token
        }

        init(_ address: Address, _ token: String) {
            self.init(address: Fingerprint.folded(address.text), token: Fingerprint.folded(token))
        }
    }

    /// Most rows; further ones are not noted.
    static let capacity = 200_000

    /// Rows in the order of their first pushes.
    public private(set) var all: [Row] = []
    private var places: [Key: Int] = [:]
    /// When APNs last took a push for an address.
    private var reached: [UInt64: Timestamp] = [:]

    /// The row of an address and a token.
    public func row(of address: Address, token: String) -> Row? {
        places[Key(address, token)].map { all[$0] }
    }

    /// When APNs last took a push for an address.
    func lastReached(_ address: Address) -> Timestamp? { reached[Fingerprint.folded(address.text)] }

    /// Takes note of a push; the place of its row, unless it is for no address, or one too many.
    mutating func note(_ push: AuditedPush) -> Int? {
        guard let number = push.recipientNumber, let place = place(of: push, for: number) else { return nil }
        all[place].note(push)
        if push.isAccepted { reached[number] = push.at }
        return place
    }

    /// What the chain's registry says of the address and the token of a row.
    mutating func standing(at place: Int, _ registry: SignalRegistry) -> Standing {
        if let known = all[place].standing, known.revision == registry.revision { return known }
        let standing = Standing(of: all[place].address, all[place].token, registry)
        all[place].standing = standing
        return standing
    }

    /// Forgets what registries said: another one takes over, whose revisions may be the same.
    mutating func forgetStandings() { for place in all.indices { all[place].standing = nil } }

    private mutating func place(of push: AuditedPush, for number: UInt64) -> Int? {
        let key = Key(address: number, token: push.tokenNumber)
        if let place = places[key] { return place }
        guard all.count < Self.capacity,
            let address = push.texts.recipient.flatMap({ Address($0)?.uppercased })
        else { return nil }
        places[key] = all.count
        all.append(Row(address: address, token: push.texts.token, first: push.at, last: push.at))
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
