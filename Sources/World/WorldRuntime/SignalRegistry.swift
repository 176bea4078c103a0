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

    private(set) var rows: [Row] = []
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
            apply(signal, of: transaction, at: Timestamp(epochSeconds: Int64(block.timestamp)))
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

    private mutating func apply(_ signal: Signal, of transaction: Transaction, at moment: Timestamp) {
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
                    since: moment,
                    transaction: transaction.id
                )
            )
        case .remove: rows.removeAll(where: fits)
        case nil: break
        }
    }
}
