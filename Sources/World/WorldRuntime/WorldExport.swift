import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import JSONValue
import Recording
import Synchronization

/// A whole world at one moment, as the rows of a log that bring it back.
///
/// The blocks that several branches share are written once: a branch goes on from a mark in an earlier one.
struct WorldExport: Sendable {
    private let state: WorldState
    private let devices: [[UInt8]]
    private let ans: [UInt8]?
    private let header: JSONObject

    /// So many rows' bytes are sent at once, at least.
    private static let pieceBytes = 1 << 17
    /// So many arrivals are in one row.
    private static let arrivalsOfRow = 4096
    /// So many pushes are in memory at once.
    private static let pushesAtOnce = 1024

    fileprivate init(_ state: WorldState, devices: [[UInt8]], ans: [UInt8]?, header: JSONObject) {
        self.state = state
        self.devices = devices
        self.ans = ans
        self.header = header
    }

    /// Writes the file in pieces until it is whole, or until `send` says that nobody wants more.
    ///
    /// With a row that does not fit into the file, or a push that cannot be read, this ends early: without its end,
    /// whoever reads the file refuses it.
    func write(sha256: @escaping @Sendable ([UInt8]) -> [UInt8], _ send: ([UInt8]) -> Bool) {
        var writer = WorldFileWriter(header: header, sha256: sha256)
        var piece = writer.header
        var isWanted = true
        let isWhole = rows { kind, body in
            guard isWanted, let row = writer.row(kind: kind.rawValue, body) else {
                isWanted = false
                return false
            }
            piece += row
            if piece.count >= Self.pieceBytes {
                isWanted = send(piece)
                piece.removeAll(keepingCapacity: true)
            }
            return isWanted
        }
        if isWhole, isWanted { _ = send(piece + writer.end) }
    }

    /// Tells all rows in their order, as long as they are wanted; false when not all could be told.
    private func rows(_ add: (LogEntry.Kind, [UInt8]) -> Bool) -> Bool {
        let arrivals = state.arrivals
        for first in stride(from: 0, to: arrivals.count, by: Self.arrivalsOfRow) {
            let slice = arrivals.slice(from: first, limit: Self.arrivalsOfRow)
            guard add(.arrivals, TransactionArrivals.kept(slice)) else { return false }
        }
        return BranchedChain(state).rows(add)
            && state.reversals.all.allSatisfy { add(.reversal, $0.kept) }
            && state.gateway.knownTokens.allSatisfy { add(.token, $1.json(token: $0).bytes) }
            && pushRows(add)
            && devices.allSatisfy { add(.device, $0) }
            && (ans.map { add(.ans, $0) } ?? true)
            && add(.apns, state.gateway.kept) && add(.clock, state.clock.kept)
            && add(.counters, state.counters.kept) && add(.imported, [])
    }

    private func pushRows(_ add: (LogEntry.Kind, [UInt8]) -> Bool) -> Bool {
        var after = 0
        while true {
            guard
                let page = try? state.pushes.page(after: after, limit: Self.pushesAtOnce, where: PushFilter())
            else { return false }
            guard let last = page.last else { return true }
            guard page.allSatisfy({ add(.push, $0.stored) }) else { return false }
            after = Int(clamping: last.sequence)
        }
    }
}

extension World {
    /// The world as it is now.
    func export() -> WorldExport {
        // Parties first: what they know is then never newer than what the chain has.
        let devices = parties.devices.map { row(of: $0) }
        let ans = parties.ans.map { row(of: $0) }
        let state = withState { state, _ in state }
        return WorldExport(
            state,
            devices: devices.map(\.bytes),
            ans: ans?.bytes,
            header: JSONObject([
                ("seed", .string(String(seed))),
                ("configuration", .string(KeptConfiguration(configuration).text)),
            ])
        )
    }
}

/// The chains of a world, present and in snapshots, as a tree.
private struct BranchedChain {
    /// One chain with what belongs to it.
    private struct Branch {
        let ledger: Ledger
        let accounts: AccountBook
        let held: HeldTransactions
        let snapshot: WorldSnapshot?
        /// The mark it goes on from, and the height there.
        var base = (mark: 0, height: 0)
        /// The marks in it, by height.
        var marks: [Int: Int] = [:]
    }

    private var branches: [Branch] = []

    /// The tree of a state: the present last.
    init(_ state: WorldState) {
        for snapshot in state.snapshots.all {
            branches.append(
                Branch(
                    ledger: snapshot.ledger,
                    accounts: snapshot.accounts,
                    held: snapshot.held,
                    snapshot: snapshot
                )
            )
        }
        branches.append(
            Branch(ledger: state.ledger, accounts: state.accounts, held: state.held, snapshot: nil)
        )
        var lastMark = 0
        for index in branches.indices {
            let ledger = branches[index].ledger
            branches[index].base = (0, ledger.startHeight)
            var best: Int?
            for earlier in 0..<index {
                // The earliest of the best: the blocks up to there are its own.
                let common = ledger.commonHeight(with: branches[earlier].ledger)
                guard common > branches[index].base.height else { continue }
                branches[index].base.height = common
                best = earlier
            }
            guard let best else { continue }
            let height = branches[index].base.height
            if branches[best].marks[height] == nil {
                lastMark += 1
                branches[best].marks[height] = lastMark
            }
            branches[index].base.mark = branches[best].marks[height] ?? 0
        }
    }

    /// Tells the rows; false when no more are wanted.
    func rows(_ add: (LogEntry.Kind, [UInt8]) -> Bool) -> Bool {
        guard add(.mark, Array("0".utf8)) else { return false }
        return branches.allSatisfy { rows(of: $0, add) }
    }

    private func rows(of branch: Branch, _ add: (LogEntry.Kind, [UInt8]) -> Bool) -> Bool {
        guard add(.branch, Array(String(branch.base.mark).utf8)) else { return false }
        let ledger = branch.ledger
        for height in stride(from: branch.base.height + 1, through: ledger.height, by: 1) {
            guard let block = ledger.block(height: height) else { return false }
            let event = LedgerEvent.forged(block, ledger.transactions(height: height))
            guard add(.ledger, event.encoded) else { return false }
            if let mark = branch.marks[height] {
                guard add(.mark, Array(String(mark).utf8)) else { return false }
            }
        }
        return ledger.stateEvents.allSatisfy { add(.ledger, $0.encoded) }
            && branch.accounts.accounts.allSatisfy { add(.account, $0.kept) }
            && branch.held.all.allSatisfy { add(.held, $0.kept) }
            && branch.snapshot.map { add(.snapshot, $0.kept) } ?? true
    }
}
