import AdamantModel
import Determinism
import JSONValue
import Simulators

/// Who is registered for pushes, as the chain's order defines it: height, then timestamp, then place in the block.
///
/// It reads signal messages as a service that makes no mistake would; it is the measure for those that do.
struct SignalRegistry: Sendable {
    /// One registration.
    struct Row: Sendable {
        let address: Address
        let token: String
        let provider: String
        let since: Timestamp
        let transaction: Identifier
    }

    /// What a signal did, so that it can be undone.
    private enum Change: Sendable {
        case added
        case removed([(place: Int, row: Row)])
    }

    private(set) var rows: [Row] = []
    /// What the signals of each block did, in the chain's order.
    private var changes: [(block: Identifier, change: Change)] = []
    private let service: KeyPair
    private let serviceAddress: Address

    init(service: KeyPair, address: Address) {
        self.service = service
        serviceAddress = address
    }

    /// Applies the signals of one block.
    mutating func apply(_ block: Block, _ transactions: [Transaction], cryptography: some Cryptography) {
        let signals = transactions.enumerated().filter { isSignal($0.element) }
            .sorted { ($0.element.timestamp, $0.offset) < ($1.element.timestamp, $1.offset) }
        for (_, transaction) in signals {
            guard let signal = read(transaction, cryptography: cryptography) else { continue }
            apply(signal, of: transaction, in: block)
        }
    }

    /// Undoes the signals of the newest block.
    mutating func undo(_ block: Block) {
        while let last = changes.last, last.block == block.id {
            changes.removeLast()
            switch last.change {
            case .added: rows.removeLast()
            case .removed(let removed):
                for (place, row) in removed { rows.insert(row, at: place) }
            }
        }
    }

    /// What a signal message says; nil when it is none for this service or cannot be read.
    func read(_ transaction: Transaction, cryptography: some Cryptography) -> Signal? {
        guard isSignal(transaction), case .chat(let message, let nonce, _) = transaction.asset else {
            return nil
        }
        return MessageBox(message: message, nonce: nonce ?? "").open(
            publicKey: transaction.senderPublicKey,
            privateKey: service.privateKey,
            cryptography: cryptography
        ).flatMap(Signal.init(plainText:))
    }

    private func isSignal(_ transaction: Transaction) -> Bool {
        guard case .chat(_, _, Transaction.ChatKind.signal) = transaction.asset else { return false }
        return transaction.recipient?.uppercased == serviceAddress
    }

    private mutating func apply(_ signal: Signal, of transaction: Transaction, in block: Block) {
        guard let token = signal.token, !token.isEmpty else { return }
        let fits = { (row: Row) in row.address == transaction.sender && row.token == token }
        switch signal.action {
        case .add:
            guard !rows.contains(where: fits) else { return }
            rows.append(
                Row(
                    address: transaction.sender,
                    token: token,
                    provider: signal.provider ?? "",
                    since: Timestamp(epochSeconds: Int64(block.timestamp)),
                    transaction: transaction.id
                )
            )
            changes.append((block.id, .added))
        case .remove:
            let removed = rows.enumerated().filter { fits($0.element) }.map {
                (place: $0.offset, row: $0.element)
            }
            guard !removed.isEmpty else { return }
            rows.removeAll(where: fits)
            changes.append((block.id, .removed(removed)))
        case nil: break
        }
    }
}
