import AdamantLedger
import ControlServer
import JSONValue

extension NodeSituation {
    /// The members of a node in the control API that place it beside the others.
    static let members = ["lagBlocks", "syncing", "loading", "clockSkewMilliseconds", "relayMilliseconds"]

    /// Furthest that a node's clock can be off: ten years.
    private static let greatestSkew: Int64 = 315_360_000_000

    /// Takes the members that a body names.
    mutating func apply(_ body: ControlBody) throws(ControlError) {
        let lag = try body.integer("lagBlocks", in: 0...Int64(Self.greatestLag))
        lagBlocks = lag.map(Int.init) ?? lagBlocks
        isSyncing = try body.bool("syncing") ?? isSyncing
        isLoading = try body.bool("loading") ?? isLoading
        let skew = try body.integer("clockSkewMilliseconds", in: -Self.greatestSkew...Self.greatestSkew)
        clockSkewMilliseconds = skew ?? clockSkewMilliseconds
        let longest = Int64(WorldConfiguration.maximumRelayMilliseconds)
        let wait = try body.integer("relayMilliseconds", in: 0...longest)
        relayMilliseconds = wait.map(Int.init) ?? relayMilliseconds
    }

    /// The members as the control API shows them.
    var json: [(String, JSONValue)] {
        let values: [JSONValue] = [
            .int(lagBlocks), .bool(isSyncing), .bool(isLoading), .int(clockSkewMilliseconds),
            .int(relayMilliseconds),
        ]
        return Array(zip(Self.members, values))
    }
}
