import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import JSONValue
import Recording

/// A world on disk: opening its directory, and bringing back what it held.
struct WorldStorage {
    /// The log; nil for a world in memory.
    let log: WorldLog?
    /// The seed of the world that is resumed; nil for a new one.
    var seed: UInt64? { log?.meta("seed").flatMap { UInt64($0) } }

    /// Opens the directory of a configuration; `onFailure` is told once when writing fails, and the world cannot go on.
    init(
        _ configuration: WorldConfiguration,
        onFailure: @escaping @Sendable (WorldError) -> Void
    ) throws(WorldError) {
        guard let directory = configuration.dataDirectory else {
            log = nil
            return
        }
        do throws(WorldLogError) {
            log = try WorldLog(directory: directory) { error in
                onFailure(WorldError("the world cannot be kept any longer: \(error)"))
            }
        } catch {
            throw WorldError("--data: \(error)")
        }
    }

    /// The configuration under which the directory's world goes on; the one given for a new world.
    func resumed(by given: WorldConfiguration) throws(WorldError) -> WorldConfiguration {
        guard let kept = log?.meta(KeptConfiguration.key).flatMap(KeptConfiguration.init) else {
            return given
        }
        return try kept.resumed(by: given)
    }

    /// Marks the directory as that of a world of these settings.
    func claim(_ settings: WorldSettings) {
        log?.setMeta(KeptConfiguration.key, KeptConfiguration(settings.configuration).text)
        log?.setMeta("seed", String(settings.seed))
    }

    /// Brings back what the log holds into a fresh state; what the parties keep is returned.
    func replay(
        into state: inout WorldState,
        settings: WorldSettings,
        cryptography: any Cryptography
    ) throws(WorldError) -> KeptParties {
        var replay = LogReplay(state: state, settings: settings, cryptography: cryptography)
        do throws(WorldLogError) {
            try log?.replay { entry in replay.apply(entry) }
        } catch {
            throw WorldError("--data: \(error)")
        }
        if let damage = replay.damage { throw WorldError("--data: \(damage)") }
        state = replay.state
        _ = state.ledger.takeEvents()
        state.resumeWaiting()
        if let log, log.lastSeq > 0 {
            // Otherwise the tokens and ids drawn next would be those drawn first.
            state.generator = SeededGenerator(seed: settings.seed, purpose: "world \(log.lastSeq)")
        }
        let numbered = log?.meta(Self.eventsKey).flatMap { Int($0) } ?? 0
        state.journal = Journal(after: max(numbered, state.pushes.last))
        return replay.parties
    }

    /// The key under which a log holds up to which number events may have been shown.
    static let eventsKey = "events"
}

/// What devices and the reference ANS had written down, by the last of their rows.
struct KeptParties: Sendable {
    /// The rows of devices in the order in which they were made.
    var devices: [(id: String, state: JSONValue)] = []
    /// The row of the reference ANS.
    var ans: JSONValue?

    /// Notes a device's row in place of the one before.
    mutating func setDevice(_ id: String, _ row: JSONValue) {
        if let index = devices.firstIndex(where: { $0.id == id }) {
            devices[index].state = row
        } else {
            devices.append((id, row))
        }
    }
}

/// Applies the rows of a log, one after another.
private struct LogReplay {
    var state: WorldState
    var parties = KeptParties()
    /// The first row that makes no sense.
    var damage: String?
    private let settings: WorldSettings
    private let cryptography: any Cryptography

    init(state: WorldState, settings: WorldSettings, cryptography: any Cryptography) {
        self.state = state
        self.settings = settings
        self.cryptography = cryptography
    }

    mutating func apply(_ entry: WorldLog.Entry) {
        guard damage == nil else { return }
        guard let kind = LogEntry.Kind(rawValue: entry.kind), restore(kind, entry.body) else {
            damage = "row \(entry.seq) of the log, of kind \(entry.kind), cannot be read"
            return
        }
    }

    /// Applies one row; false when it cannot be read.
    private mutating func restore(_ kind: LogEntry.Kind, _ body: [UInt8]) -> Bool {
        switch kind {
        case .reset:
            state = settings.freshState(isKept: true, cryptography: cryptography)
            parties = KeptParties()
            return true
        case .ledger: return restoreLedger(body)
        case .push:
            guard let record = PushRecord(stored: body) else { return false }
            state.pushes.restore(record)
            return true
        case .released:
            state.held.remove(String(decoding: body, as: UTF8.self))
            return true
        case .pushesRemoved:
            state.pushes.removeAll()
            return true
        case .reverted:
            guard let snapshot = state.snapshots.find(id: String(decoding: body, as: UTF8.self)) else {
                return false
            }
            state.revert(to: snapshot)
            return true
        case .snapshotRemoved: return state.snapshots.remove(String(decoding: body, as: UTF8.self))
        case .clock, .account, .token, .held, .device, .ans, .apns, .snapshot:
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

    private mutating func restore(_ kind: LogEntry.Kind, _ json: JSONValue) -> Bool {
        switch kind {
        case .clock:
            guard let clock = WorldClock(kept: json) else { return false }
            state.clock = clock
        case .account:
            guard let phrase = json["passphrase"]?.stringValue,
                let keys = KeyPair(phrase: phrase, cryptography: cryptography)
            else { return false }
            state.accounts.add(
                KnownAccount(
                    name: json["name"]?.stringValue,
                    passphrase: phrase,
                    keys: keys,
                    address: keys.address(cryptography: cryptography)
                )
            )
        case .token:
            guard let token = json["token"]?.stringValue else { return false }
            let known = DeviceTokenState(kept: json)
            guard known != nil || json["state"]?.isNull == true else { return false }
            state.gateway.setState(known, ofToken: token)
        case .held:
            guard let held = HeldTransaction(kept: json) else { return false }
            state.held.restore(held)
            state.arrivals.note(held.transaction.id, seq: state.arrivals.last + 1, at: held.at)
        case .device:
            guard let id = json["id"]?.stringValue else { return false }
            parties.setDevice(id, json)
        case .ans: parties.ans = json
        case .apns:
            guard let kept = APNsSettings(kept: json) else { return false }
            state.gateway.settings = kept
        case .snapshot:
            guard let id = json["id"]?.stringValue,
                let at = json["at"]?.stringValue.flatMap(Timestamp.init(rfc3339:))
            else { return false }
            return state.takeSnapshot(id: id, name: json["name"]?.stringValue, at: at) != nil
        case .reset, .ledger, .push, .released, .pushesRemoved, .reverted, .snapshotRemoved: return false
        }
        return true
    }
}
