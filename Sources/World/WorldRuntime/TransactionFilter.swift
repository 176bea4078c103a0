import AdamantModel
import ControlServer

/// Which transactions a list asks for; what is nil matches any.
struct TransactionFilter: Sendable {
    /// Names of the query's parameters.
    static let parameters = ["state", "kind", "sender", "recipient"]
    private static let states = ["held", "queued", "unconfirmed", "forged", "dropped", "reverted"]

    private let states: [String]
    private let kind: String?
    private let sender: Address?
    private let recipient: Address?

    /// Reads the filter of a query; parties are names or addresses.
    init(_ query: ControlQuery, world: World) throws(ControlError) {
        states = query["state"]?.split(separator: ",").map(String.init) ?? []
        for state in states where !Self.states.contains(state) {
            let known = Self.states.joined(separator: ", ")
            throw .badRequest("state must be one of \(known), not '\(state)'", field: "state")
        }
        kind = query["kind"]
        if let kind, !World.kinds.contains(kind) {
            let known = World.kinds.joined(separator: ", ")
            throw .badRequest("kind must be one of \(known), not '\(kind)'", field: "kind")
        }
        sender = try query["sender"].map { text throws(ControlError) in
            try world.address(of: text, field: "sender").uppercased
        }
        recipient = try query["recipient"].map { text throws(ControlError) in
            try world.address(of: text, field: "recipient").uppercased
        }
    }

    /// Whether a transaction is asked for.
    func matches(_ sighting: TransactionSighting) -> Bool {
        (states.isEmpty || states.contains(sighting.state))
            && (kind == nil || kind == sighting.transaction.map(World.kind(of:)))
            && (sender == nil || sender == sighting.transaction?.sender)
            && (recipient == nil || recipient == sighting.transaction?.recipient?.uppercased)
    }
}
