import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Recording
import SystemCryptography

/// Where a world comes from and is kept: its directory, and the file it is imported from.
struct WorldStorage {
    /// The log; nil for a world in memory.
    let log: WorldLog?
    private let directory: String
    /// The file of a world to begin with, and what its first line tells.
    private let imported: (path: String, seed: UInt64, configuration: KeptConfiguration)?

    /// The seed of the world that is resumed or imported; nil for a new one.
    var seed: UInt64? { imported?.seed ?? log?.meta("seed").flatMap { UInt64($0) } }

    /// What to call the world that is resumed or imported.
    private var place: String {
        imported.map { "--import: the world in \($0.path)" } ?? "--data: the world in \(directory)"
    }

    /// Opens the directory and the file of a configuration; a file that is not whole is refused.
    ///
    /// `onFailure` is told once when writing fails, and the world cannot go on.
    init(
        _ configuration: WorldConfiguration,
        onFailure: @escaping @Sendable (WorldError) -> Void
    ) throws(WorldError) {
        directory = configuration.dataDirectory ?? ""
        imported = try configuration.importFile.map { path throws(WorldError) in try Self.check(path) }
        guard configuration.dataDirectory != nil else {
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
        let hasWorld = log?.meta(KeptConfiguration.key) != nil
        if imported != nil, hasWorld {
            throw WorldError(
                "--import: there is a world in \(directory) already; without --import it is resumed"
            )
        }
        if !hasWorld, let log, log.lastSeq > 0 {
            throw WorldError(
                "--data: the import into \(directory) was cut short; remove it and import again"
            )
        }
    }

    /// Reads the whole file of a world, and tells what its first line does.
    private static func check(_ path: String) throws(WorldError)
        -> (path: String, seed: UInt64, configuration: KeptConfiguration)
    {
        do throws(WorldFileError) {
            let reader = try WorldFileReader(path: path, sha256: sha256)
            try reader.forEachRow { _, _ in }
            guard let seed = reader.header["seed"]?.stringValue.flatMap({ UInt64($0) }),
                let text = reader.header["configuration"]?.stringValue,
                let configuration = KeptConfiguration(text)
            else { throw WorldFileError.damaged(path: path) }
            return (path, seed, configuration)
        } catch {
            throw WorldError("--import: \(error)")
        }
    }

    /// The digest of an exported world.
    static let sha256: @Sendable ([UInt8]) -> [UInt8] = { SystemCryptography().sha256($0) }

    /// The configuration under which the world goes on; the one given for a new world.
    func resumed(by given: WorldConfiguration) throws(WorldError) -> WorldConfiguration {
        var kept = imported?.configuration
        if let text = log?.meta(KeptConfiguration.key) {
            kept = KeptConfiguration(text)
            if kept == nil { throw WorldError("\(place): what it was made with cannot be read") }
        }
        guard let kept else { return given }
        if let seed, let other = given.seed, other != seed {
            throw WorldError("\(place) has the seed \(seed), not the one given by --seed")
        }
        return try kept.resumed(by: given, place: place)
    }

    /// Brings back what there was into a fresh state, keeps what was imported, and marks the directory as this world's.
    func resume(settings: WorldSettings, cryptography: any Cryptography) throws(WorldError) -> ResumedWorld {
        let fresh = settings.freshState(isKept: log != nil, cryptography: cryptography)
        var replay = LogReplay(state: fresh, settings: settings, cryptography: cryptography)
        try forEachRow { number, kind, body in replay.apply(number: number, kind: kind, body) }
        if let damage = replay.damage { throw WorldError("\(place): \(damage)") }
        var state = replay.state
        state.resumeWaiting()
        let numbered = log?.meta(Self.eventsKey).flatMap { Int($0) } ?? 0
        guard numbered < Int.max / 2 else {
            throw WorldError("\(place): there can be no event with the number \(numbered)")
        }
        var last = max(numbered, state.pushes.last)
        if imported == nil {
            if let log, log.lastSeq > 0 {
                // Otherwise the tokens and ids drawn next would be those drawn first.
                state.generator = SeededGenerator(seed: settings.seed, purpose: "world \(log.lastSeq)")
            }
        } else {
            last = max(last, replay.counters?.lastEvent ?? 0)
            try keepImported()
        }
        state.journal = Journal(after: last)
        log?.setMeta(KeptConfiguration.key, KeptConfiguration(settings.configuration).text)
        log?.setMeta("seed", String(settings.seed))
        return ResumedWorld(
            state: state,
            parties: replay.parties,
            beginning: replay.beginning,
            generation: Int(clamping: log?.lastSeq ?? Int64(last))
        )
    }

    private func forEachRow(_ body: (_ number: Int64, _ kind: Int, _ body: [UInt8]) -> Void)
        throws(WorldError)
    {
        guard let imported else {
            do throws(WorldLogError) {
                try log?.replay { entry in body(entry.seq, entry.kind, entry.body) }
            } catch {
                throw WorldError("--data: \(error)")
            }
            return
        }
        var number: Int64 = 0
        do throws(WorldFileError) {
            try WorldFileReader(path: imported.path, sha256: Self.sha256).forEachRow { kind, content in
                number += 1
                body(number, kind, content)
            }
        } catch {
            throw WorldError("--import: \(error)")
        }
    }

    /// Writes the rows of the file into the log; until the configuration is there too, it counts as cut short.
    private func keepImported() throws(WorldError) {
        guard let log else { return }
        var failure: WorldLogError?
        try forEachRow { number, kind, body in
            guard failure == nil else { return }
            log.append(kind: kind, body: body)
            guard number.isMultiple(of: Self.rowsAtOnce) else { return }
            do throws(WorldLogError) { try log.commit() } catch { failure = error }
        }
        do throws(WorldLogError) {
            if let failure { throw failure }
            try log.commit()
        } catch {
            throw WorldError("--data: \(error)")
        }
    }

    /// So many rows wait in memory to be written.
    private static let rowsAtOnce: Int64 = 10_000

    /// The key under which a log holds up to which number events may have been shown.
    static let eventsKey = "events"
}

/// What a world begins or goes on with.
struct ResumedWorld {
    let state: WorldState
    let parties: KeptParties
    /// What a reset goes back to; nil for a fresh state.
    let beginning: LogReplay.Beginning?
    /// Differs from that of any earlier run, so that no draw is repeated.
    let generation: Int
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
