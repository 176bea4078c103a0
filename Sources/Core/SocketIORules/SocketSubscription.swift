public import JSONValue

/// What the delivery rule looks at in a transaction.
public struct SubscribedTransaction: Hashable, Sendable {
    /// The sender's address.
    public let sender: String
    /// The recipient as posted; nil for none.
    public let recipient: String?
    /// The transaction type.
    public let type: Int
    /// The subtype of a chat message; nil for other types.
    public let chatType: Int?

    /// A transaction of its parts.
    public init(sender: String, recipient: String?, type: Int, chatType: Int?) {
        self.sender = sender
        self.recipient = recipient
        self.type = type
        self.chatType = chatType
    }
}

/// What one socket wants to hear of.
///
/// - Source: adamant:modules/clientWs.js, modules/clientWs/transactionSubscription.js
public struct SocketSubscription: Hashable, Sendable {
    /// The figures of an account that a socket can follow.
    public enum BalanceField: String, Sendable, CaseIterable {
        /// The confirmed balance.
        case balance
        /// Less what waits in the unconfirmed part.
        case unconfirmedBalance
    }

    /// Most addresses of one socket; a real node has no bound.
    static let maximumAddresses = 20_000
    private static let types = 0.0...9.0
    private static let chatTypes = 0.0...3.0
    private static let chatTransactionType = 8
    /// Stands for all numbers between two whole ones, which match nothing.
    private static let fraction = 0.5

    /// In upper case.
    public private(set) var addresses: Set<String> = []
    private var types: Set<Double> = []
    private var chatTypes: Set<Double> = []
    /// The figures it follows of its addresses.
    public private(set) var balances: Set<BalanceField> = []
    /// Whether it wants to hear of new blocks.
    public private(set) var wantsBlocks = false

    /// A socket that has emitted nothing.
    public init() {}

    /// Whether it could hear of anything.
    public var isEmpty: Bool { self == SocketSubscription() }

    /// Takes an event of the client; what is no such event, and wrong values, change nothing.
    ///
    /// `knowsBlocks` is whether the version has `balances` and `blocks`.
    public mutating func apply(event name: String, _ argument: JSONValue?, knowsBlocks: Bool) {
        let values = argument.map { $0.arrayValue ?? [$0] } ?? []
        switch name {
        case "address": values.forEach { add(address: $0.stringValue) }
        case "types": types.formUnion(Self.numbers(values, in: Self.types))
        case "assetChatTypes": chatTypes.formUnion(Self.numbers(values, in: Self.chatTypes))
        case "balances" where knowsBlocks:
            balances.formUnion(values.compactMap(\.stringValue).compactMap(BalanceField.init))
        case "blocks" where knowsBlocks: wantsBlocks = argument?.boolValue ?? wantsBlocks
        default: break
        }
    }

    /// Whether `newTrans` tells this socket of a transaction.
    public func wants(_ transaction: SubscribedTransaction) -> Bool {
        if !addresses.isEmpty {
            guard
                addresses.contains(transaction.sender)
                    || transaction.recipient.map(addresses.contains) ?? false
            else { return false }
            if types.isEmpty, chatTypes.isEmpty { return true }
        }
        if !chatTypes.isEmpty, transaction.type == Self.chatTransactionType {
            return transaction.chatType.map { chatTypes.contains(Double($0)) } ?? false
        }
        return types.contains(Double(transaction.type))
    }

    private static func numbers(_ values: [JSONValue], in range: ClosedRange<Double>) -> [Double] {
        values.compactMap(\.doubleValue).filter(range.contains).map { number in
            number == number.rounded() ? number : fraction
        }
    }

    private mutating func add(address: String?) {
        guard let address, addresses.count < Self.maximumAddresses else { return }
        let bytes = Array(address.utf8)
        guard (2...22).contains(bytes.count), bytes[0] | 0x20 == UInt8(ascii: "u"),
            bytes.dropFirst().allSatisfy({ (48...57).contains($0) })
        else { return }
        addresses.insert("U" + address.dropFirst())
    }
}
