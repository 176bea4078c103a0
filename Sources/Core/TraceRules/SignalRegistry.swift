public import AdamantModel
public import Determinism
import JSONValue
import Simulators

/// Who is registered for pushes, as the chain's order defines it: height, then timestamp, then place in the block.
///
/// It reads signal messages as a service that makes no mistake would; it is the measure for those that do.
public struct SignalRegistry: Sendable {
    /// One registration.
    public struct Row: Hashable, Sendable {
        /// The place of its signal among all signals to the service, from 1.
        public let number: Int
        /// Who is registered.
        public let address: Address
        /// As the client wrote it.
        public let token: String
        /// For example `apns`; empty when the signal names none.
        public let provider: String
        /// The time of the block.
        public let since: Timestamp
        /// The height of the block.
        public let height: Int
        /// The signal.
        public let transaction: Identifier

        fileprivate init(_ signal: ChainSignal, token: String, place: Int) {
            number = place + 1
            address = signal.sender
            self.token = token
            provider = signal.provider ?? ""
            since = Timestamp(epochSeconds: Int64(signal.blockTimestamp))
            height = signal.height
            transaction = signal.transaction
        }
    }

    private struct Key: Hashable {
        let address: Address
        let token: String
    }

    /// Every signal to the service in the chain's order.
    public private(set) var signals: [ChainSignal] = []
    private var entries: [Key: Row] = [:]
    /// The rows that signals removed, by the places of these.
    private var removed: [Int: Row] = [:]
    /// The places of each sender's signals.
    private var places: [Address: [Int]] = [:]
    /// Grows with each signal that is applied or undone.
    public private(set) var revision = 0
    private let service: KeyPair?
    private let serviceAddress: Address

    /// An empty registry of a service whose key is known, or nil for one whose key nobody here has.
    public init(service: KeyPair?, address: Address) {
        self.service = service
        serviceAddress = address.uppercased
    }

    /// Whether signals can be read.
    public var isReadable: Bool { service != nil }

    /// All rows in the order in which they were made.
    public var rows: [Row] { entries.values.sorted { $0.number < $1.number } }

    /// The rows of an address.
    public func rows(of address: Address) -> [Row] {
        let tokens = Set((places[address] ?? []).compactMap { signals[$0].token })
        return tokens.compactMap { entries[Key(address: address, token: $0)] }
            .sorted { $0.number < $1.number }
    }

    /// The row of an address and a token.
    public func row(of address: Address, token: String) -> Row? {
        entries[Key(address: address, token: token)]
    }

    /// Whether an address has sent any signal.
    public func hasSignals(of address: Address) -> Bool { places[address] != nil }

    /// The signals of an address in the chain's order.
    public func signals(of address: Address) -> [ChainSignal] {
        (places[address] ?? []).map { signals[$0] }
    }

    /// The rows of an address when a block was the newest.
    public func rows(of address: Address, asOf height: Int) -> [Row] {
        var rows: [Row] = []
        for place in places[address] ?? [] {
            let signal = signals[place]
            guard signal.height <= height else { break }
            guard let token = signal.token else { continue }
            switch signal.effect {
            case .added: rows.append(Row(signal, token: token, place: place))
            case .removed: rows.removeAll { $0.token == token }
            case .repeated, .nothing: break
            }
        }
        return rows
    }

    /// Applies the signals of one block.
    public mutating func apply(
        _ block: Block,
        _ transactions: [Transaction],
        cryptography: some Cryptography
    ) {
        let found = transactions.enumerated().filter { isSignal($0.element) }
            .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }
        for (_, transaction) in found {
            append(
                ChainSignal(
                    transaction: transaction.id,
                    sender: transaction.sender.uppercased,
                    height: block.height,
                    block: block.id,
                    blockTimestamp: block.timestamp,
                    timestamp: transaction.timestamp,
                    fee: transaction.fee,
                    reading: reading(of: transaction, cryptography: cryptography)
                )
            )
        }
    }

    /// Undoes the signals of the newest block.
    public mutating func undo(_ block: Block) {
        while let last = signals.last, last.block == block.id {
            let place = signals.count - 1
            if let token = last.token {
                let key = Key(address: last.sender, token: token)
                if last.effect == .added { entries[key] = nil }
                if last.effect == .removed { entries[key] = removed.removeValue(forKey: place) }
            }
            places[last.sender]?.removeLast()
            if places[last.sender]?.isEmpty == true { places[last.sender] = nil }
            signals.removeLast()
            revision += 1
        }
    }

    /// Whether a transaction is a signal to the service.
    public func isSignal(_ transaction: Transaction) -> Bool {
        guard case .chat(_, _, Transaction.ChatKind.signal) = transaction.asset else { return false }
        return transaction.recipient?.uppercased == serviceAddress
    }

    /// What a signal message says, or why it says nothing.
    public func reading(of transaction: Transaction, cryptography: some Cryptography) -> ChainSignal.Reading {
        guard case .chat(let message, let nonce, _) = transaction.asset else { return .unreadable }
        if let text = Self.plainText(message) { return .plainText(text) }
        guard let service else { return .sealed(SignalKind(hexadecimalDigits: message.utf8.count)) }
        let opened = MessageBox(message: message, nonce: nonce ?? "").open(
            publicKey: transaction.senderPublicKey,
            privateKey: service.privateKey,
            cryptography: cryptography
        )
        guard let opened else { return .unreadable }
        return Signal(plainText: opened).map(ChainSignal.Reading.opened) ?? .notASignal
    }

    /// The text of a message that is not sealed: what is no hexadecimal, or hexadecimal of readable text.
    private static func plainText(_ message: String) -> String? {
        guard let bytes = Hex.decode(message) else { return message }
        guard bytes.count >= 2, bytes.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    private mutating func append(_ signal: ChainSignal) {
        var signal = signal
        let place = signals.count
        if let token = signal.token, !token.isEmpty, let action = signal.action {
            let key = Key(address: signal.sender, token: token)
            switch action {
            case .add where entries[key] == nil:
                signal.effect = .added
                entries[key] = Row(signal, token: token, place: place)
            case .add: signal.effect = .repeated
            case .remove:
                guard let row = entries.removeValue(forKey: key) else { break }
                signal.effect = .removed
                removed[place] = row
            }
        }
        revision += 1
        signals.append(signal)
        places[signal.sender, default: []].append(place)
    }
}

extension SignalRegistry {
    /// Whether anybody has registered a token, in lower case, after a moment or in a block above a height.
    public func isRegistered(token: String, after moment: Timestamp, orAbove height: Int) -> Bool {
        signals.reversed().contains { signal in
            guard signal.action == .add, signal.token?.lowercased() == token else { return false }
            return signal.height > height
                || Timestamp(epochSeconds: Int64(signal.blockTimestamp)) > moment
        }
    }
}
