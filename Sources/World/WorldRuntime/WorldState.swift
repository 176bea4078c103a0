import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import FaultRules
import HTTPDaemon
import JSONValue
import SocketIORules
import TraceRules

/// Everything of a world that is behind its one lock.
struct WorldState: Sendable {
    var clock = WorldClock()
    var ledger: Ledger
    var faults: FaultBook
    /// What the fault rules decided to strike.
    var decisions = DecisionLog()
    var gateway: APNsGateway
    var accounts: AccountBook
    var registry: SignalRegistry
    var journal: Journal
    var arrivals = TransactionArrivals()
    var reversals = TransactionReversals()
    var snapshots = WorldSnapshots()
    var pushes: PushArchive
    var held = HeldTransactions()
    var relays = PendingRelays()
    var devices = DeviceDirectory()
    /// When what waits for devices is looked at next; nil when nothing has to be.
    var nextDelivery: Timestamp?
    var nodes: [NodeState]
    var forging: ForgingSettings
    var generator: SeededGenerator
    /// What has to be written to disk; emptied under the same lock that it was filled under.
    var unsaved: [LogEntry] = []
    /// Whether there is a disk to write to.
    let isKept: Bool

    /// Notes something for the disk, if the world is kept.
    mutating func keep(_ kind: LogEntry.Kind, _ body: @autoclosure () -> [UInt8]) {
        if isKept { unsaved.append(LogEntry(kind: kind, body: body())) }
    }

    /// Brings what is derived from the ledger up to an event of it, of which the event with the number `seq` tells.
    mutating func follow(_ event: LedgerEvent, seq: Int, cryptography: some Cryptography) {
        switch event {
        case .accepted(_, let transaction, _, let receivedAt):
            arrivals.note(transaction.id, seq: seq, at: receivedAt)
        case .forged(let block, let transactions):
            let at = Timestamp(epochSeconds: Int64(block.timestamp))
            // One event for each transaction of a block, in block order.
            for (offset, transaction) in transactions.enumerated() {
                arrivals.note(transaction.id, seq: seq + offset, at: at)
            }
            registry.apply(block, transactions, cryptography: cryptography)
        case .reverted(let block, let transactions):
            registry.undo(block)
            reversals.note(block, transactions)
        case .pooled(_, let entry): arrivals.note(entry.transaction.id, seq: seq, at: entry.receivedAt)
        case .relayed, .unconfirmed, .dropped, .accountStored: break
        }
    }

    /// Keeps what is set of APNs, with the keys.
    mutating func keepGateway() {
        let gateway = gateway
        keep(.apns, gateway.kept)
    }

    /// Sets what APNs knows of a token; nil forgets it.
    mutating func setToken(_ new: DeviceTokenState?, _ token: String) {
        gateway.setState(new, ofToken: token)
        keep(.token, (new?.json(token: token) ?? ["token": .string(token), "state": nil]).bytes)
    }
}

/// What a world knows of one of its nodes beside the chain.
struct NodeState: Sendable {
    let name: String
    var profile: NodeProfile
    var isOnline = true
    var offlineMode = OfflineMode.refuse
    /// The port of its Socket.IO server, once that listens.
    var socketPort: Int?
    /// Whether its Socket.IO server lets clients in.
    var hasSocket = true
    /// What its sockets were told lately.
    var told = RepeatFilter()
    /// How clients reach it.
    var listening: HTTPListener.Mode { isOnline ? .normal : offlineMode.listening }
}

/// What clients of a node find that is offline.
enum OfflineMode: String, Sendable, CaseIterable {
    /// Nobody listens.
    case refuse
    /// Connections are accepted, and nothing is ever answered.
    case blackHole

    /// The mode of its ports.
    var listening: HTTPListener.Mode {
        switch self {
        case .refuse: .refuse
        case .blackHole: .blackHole
        }
    }
}
