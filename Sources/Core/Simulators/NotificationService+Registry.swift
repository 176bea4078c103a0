import AdamantModel
import Determinism

/// From signals to rows.
///
/// - Source: adamant-notificationService:ANSSignalsRegistration/SignalsPoller.cs
extension NotificationService {
    /// A signal that could be read.
    private struct ReadSignal {
        var signal: Signal
        var seen: SeenTransaction
    }

    /// The C# service's way: all additions of a batch, then all removals, whatever their order on the chain.
    ///
    /// When an addition was there already and no addition is new, it returns early and loses every removal.
    mutating func applyBatch(_ batch: [SeenTransaction]) {
        let signals = batch.compactMap { read($0) }
        let additions = signals.filter { $0.signal.action == .add }
        let removals = signals.filter { $0.signal.action == .remove }
        let known = rows
        let fresh = additions.filter { addition in
            !known.contains {
                $0.token == addition.signal.token && $0.address == addition.seen.sender
                    && $0.provider == addition.signal.provider
            }
        }
        if fresh.isEmpty && !additions.isEmpty {
            for removal in removals {
                note(
                    .signalIgnored(
                        removal.seen.id,
                        reason: "lost: the batch held an addition that was there already"
                    )
                )
            }
            return
        }
        for addition in fresh { insert(addition) }
        for removal in removals { remove(removal) }
    }

    /// The chain's way: height, then timestamp, then the order in which the node lists them.
    mutating func applyInOrder(_ batch: [SeenTransaction]) {
        for read in Self.inChainOrder(batch).compactMap({ read($0) }) {
            switch read.signal.action {
            case .add: addOnce(read)
            case .remove: remove(read)
            case nil: note(.signalIgnored(read.seen.id, reason: "unknown action"))
            }
        }
    }

    /// Each transaction once, oldest first.
    static func inChainOrder(_ batch: [SeenTransaction]) -> [SeenTransaction] {
        var ids: Set<Identifier> = []
        return batch.filter { ids.insert($0.id).inserted }.enumerated().sorted { left, right in
            (left.element.height, left.element.timestamp, left.offset)
                < (right.element.height, right.element.timestamp, right.offset)
        }.map(\.element)
    }

    private mutating func read(_ seen: SeenTransaction) -> ReadSignal? {
        guard let chat = seen.chat, chat.type == Int(Transaction.ChatKind.signal) else { return nil }
        let text = chat.box.open(
            publicKey: seen.senderPublicKey,
            privateKey: configuration.account.privateKey,
            cryptography: cryptography
        )
        guard let text, let signal = Signal(plainText: text) else {
            note(.signalIgnored(seen.id, reason: text == nil ? "not decryptable" : "not readable"))
            return nil
        }
        if isOrdered {
            guard Address(publicKey: seen.senderPublicKey, cryptography: cryptography) == seen.sender else {
                note(.signalIgnored(seen.id, reason: "the sender's key belongs to another address"))
                return nil
            }
            guard signal.token?.isEmpty == false else {
                note(.signalIgnored(seen.id, reason: "no token"))
                return nil
            }
        }
        return ReadSignal(signal: signal, seen: seen)
    }

    private mutating func addOnce(_ read: ReadSignal) {
        let index = rows.firstIndex { $0.token == read.signal.token && $0.address == read.seen.sender }
        guard let index else { return insert(read) }
        rows[index].provider = read.signal.provider
        rows[index].registeredAt = Timestamp(epochSeconds: read.seen.timestamp)
        rows[index].transactionId = read.seen.id
        note(.registered(rows[index]))
    }

    private mutating func insert(_ read: ReadSignal) {
        let row = RegistryRow(
            number: nextRow,
            address: read.seen.sender,
            token: read.signal.token,
            provider: read.signal.provider,
            registeredAt: Timestamp(epochSeconds: read.seen.timestamp),
            transactionId: read.seen.id
        )
        nextRow += 1
        rows.append(row)
        note(.registered(row))
    }

    private mutating func remove(_ read: ReadSignal) {
        let removed = rows.filter { $0.token == read.signal.token && $0.address == read.seen.sender }
        rows.removeAll { $0.token == read.signal.token && $0.address == read.seen.sender }
        for row in removed { note(.removed(row, by: read.seen.id)) }
        if removed.isEmpty { note(.signalIgnored(read.seen.id, reason: "nothing to remove")) }
    }
}
