import AdamantLedger
import AdamantModel
import ControlServer

/// The members of `POST /v1/chain/reorg`.
struct ReorganizationForm: Sendable {
    static let members = ["depth", "blocks", "keep", "order", "delay", "drop"]

    let reorganization: Reorganization

    init(_ body: ControlBody) throws(ControlError) {
        guard let depth = try body.integer("depth", in: 1...Int64(Int32.max)) else {
            throw .invalid("depth", "depth is required: how many of the newest blocks are rolled back")
        }
        var reorganization = Reorganization(depth: Int(depth))
        reorganization.blocks = try body.integer("blocks", in: 1...Int64(Int32.max)).map { Int($0) }
        reorganization.keep = try Self.ids(body, .keep)
        reorganization.order = try Self.ids(body, .order)
        reorganization.delay = try Self.ids(body, .delay)
        reorganization.drop = try Self.ids(body, .drop)
        self.reorganization = reorganization
    }

    private static func ids(_ body: ControlBody, _ list: ReorganizationError.List)
        throws(ControlError) -> [Identifier]
    {
        let name = list.rawValue
        var ids: [Identifier] = []
        for text in try body.strings(name) ?? [] {
            guard let id = Identifier(text) else {
                throw .invalid(name, "\(name) must be a list of transaction ids, not of '\(text)'")
            }
            ids.append(id)
        }
        return ids
    }
}

extension ControlError {
    /// Why a fork cannot be played.
    init(_ error: ReorganizationError, height: Int) {
        switch error {
        case .depthOutOfRange(let greatest):
            let most = greatest == 0 ? "there is none above the first block" : "at most \(greatest) of them"
            self = .invalid(
                "depth",
                "the first block stays, so of a chain of height \(height) \(most) can be rolled back"
            )
        case .blocksOutOfRange(let least, let greatest):
            self = .invalid(
                "blocks",
                "blocks must be from \(least) to \(greatest): no fewer than are rolled back or than order names"
            )
        case .notRolledBack(let id, let list):
            self = .invalid(list.rawValue, "\(id) is in none of the blocks that are rolled back")
        case .namedTwice(let id, let list):
            self = .invalid(list.rawValue, "\(id) is named twice; its fate can be one only")
        }
    }
}
