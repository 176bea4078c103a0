import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import JSONValue
import TraceRules

/// Applies the rows of a log or of an exported world, one after another.
struct LogReplay {
    /// What a world begins with, when it is new and after each reset.
    struct Beginning: Sendable {
        var state: WorldState
        var parties: KeptParties
    }

    /// A chain to go on from, with nothing in its pools.
    private struct Mark {
        let ledger: Ledger
        let registry: SignalRegistry
    }

    var state: WorldState
    var parties = KeptParties()
    /// What an import began the world with.
    private(set) var beginning: Beginning?
    /// What the draws and numbers of an exported world go on from.
    private(set) var counters: WorldCounters?
    /// The first row that makes no sense.
    private(set) var damage: String?
    private var marks: [String: Mark] = [:]
    private let settings: WorldSettings
    private let cryptography: any Cryptography

    /// Begins with a fresh state.
    init(state: WorldState, settings: WorldSettings, cryptography: any Cryptography) {
        self.state = state
        self.settings = settings
        self.cryptography = cryptography
    }

    /// Applies a row; after one that makes no sense no more.
    mutating func apply(number: Int64, kind: Int, _ body: [UInt8]) {
        guard damage == nil else { return }
        guard let known = LogEntry.Kind(rawValue: kind), restore(known, body) else {
            damage = "row \(number), of kind \(kind), cannot be read"
            return
        }
        // They were told of in an earlier run.
        _ = state.ledger.takeEvents()
    }

    /// Applies one row; false when it cannot be read.
    private mutating func restore(_ kind: LogEntry.Kind, _ body: [UInt8]) -> Bool {
        switch kind {
        case .reset:
            let fresh = settings.freshState(isKept: state.isKept, cryptography: cryptography)
            state = beginning?.state ?? fresh
            state.pushes = state.pushes.branched
            parties = beginning?.parties ?? KeptParties()
            return true
        case .ledger: return restoreLedger(body)
        case .push:
            guard let record = PushRecord(stored: body), (1..<Int64.max / 2).contains(record.sequence)
            else { return false }
            state.pushes.restore(record)
            return true
        case .pushesRemoved:
            state.pushes = state.pushes.emptied
            return true
        case .arrivals: return state.arrivals.restore(body)
        case .imported:
            marks = [:]
            beginning = Beginning(state: state, parties: parties)
            beginning?.state.resumeWaiting()
            state.pushes = state.pushes.branched
            return true
        case .released, .reverted, .snapshotRemoved, .mark, .branch:
            return restore(kind, id: String(decoding: body, as: UTF8.self))
        case .clock, .account, .token, .held, .device, .ans, .apns, .snapshot, .reversal, .counters:
            guard let json = try? JSONValue(parsing: body) else { return false }
            return restore(kind, json)
        }
    }

    private mutating func restoreLedger(_ body: [UInt8]) -> Bool {
        guard let event = LedgerEvent(decoding: body) else { return false }
        let fits = state.ledger.restore(event)
        state.follow(event, seq: state.arrivals.last + 1, cryptography: cryptography)
        switch event {
        case .forged, .reverted: return fits
        case .accepted, .relayed, .unconfirmed, .dropped, .pooled, .accountStored: return true
        }
    }

    private mutating func restore(_ kind: LogEntry.Kind, id: String) -> Bool {
        switch kind {
        case .released: state.held.remove(id)
        case .reverted:
            guard let snapshot = state.snapshots.find(id: id) else { return false }
            state.revert(to: snapshot)
        case .snapshotRemoved: return state.snapshots.remove(id)
        case .mark: marks[id] = Mark(ledger: state.ledger, registry: state.registry)
        case .branch:
            guard let mark = marks[id] else { return false }
            state.ledger.revert(to: mark.ledger)
            state.registry = mark.registry
            state.accounts = settings.accounts
            state.held.revert(to: HeldTransactions())
        default: return false
        }
        return true
    }

    private mutating func restore(_ kind: LogEntry.Kind, _ json: JSONValue) -> Bool {
        switch kind {
        case .clock:
            guard let clock = WorldClock(kept: json) else { return false }
            state.clock = clock
        case .account:
            guard let account = KnownAccount(kept: json, cryptography: cryptography) else { return false }
            state.accounts.add(account)
        case .token:
            guard let token = json["token"]?.stringValue else { return false }
            let known = DeviceTokenState(kept: json)
            guard known != nil || json["state"]?.isNull == true else { return false }
            state.gateway.setState(known, ofToken: token)
        case .held:
            guard let held = HeldTransaction(kept: json), state.nodes.indices.contains(held.node)
            else { return false }
            state.held.restore(held)
            state.arrivals.note(held.transaction.id, seq: state.arrivals.last + 1, at: held.at)
        case .device:
            guard let id = json["id"]?.stringValue else { return false }
            parties.setDevice(id, json)
        case .ans: parties.ans = json
        case .apns:
            guard state.gateway.restore(kept: json) else { return false }
            settings.addProviderKeys(to: &state.gateway)
        case .snapshot:
            guard let id = json["id"]?.stringValue,
                let at = json["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
            else { return false }
            return state.takeSnapshot(id: id, name: json["name"]?.stringValue, at: at) != nil
        case .reversal:
            guard let reversal = TransactionReversals.Reversal(kept: json) else { return false }
            state.reversals.note(reversal.transaction, reversal.why)
        case .counters:
            guard let counters = WorldCounters(kept: json) else { return false }
            state.goOn(from: counters)
            self.counters = counters
        default: return false
        }
        return true
    }
}
