import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import FaultRules
import JSONValue

/// Everything of a world that is behind its one lock.
struct WorldState: Sendable {
    var clock = WorldClock()
    var ledger: Ledger
    var faults: FaultBook
    var gateway: APNsGateway
    var accounts: AccountBook
    var registry: SignalRegistry?
    var journal: Journal
    var pushes = PushArchive()
    var held = HeldTransactions()
    var devices = DeviceDirectory()
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
}

/// What a world knows of one of its nodes beside the chain.
struct NodeState: Sendable {
    let name: String
    var profile: NodeProfile
    var isOnline = true
}
