import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Synchronization

extension NodeServer {
    static let nodeRoutes = [
        Route(.get, "/api/node/status") { server, call throws(NodeRefusal) in server.nodeStatus(call) }
    ]

    /// Answers `/api/node/status`.
    ///
    /// - Source: adamant:modules/node.js, modules/loader.js, modules/blocks/api.js
    private func nodeStatus(_ call: Call) -> Reply {
        let (chain, now) = backend.withLedger { ledger, now in (chainState(ledger), now) }
        var output: [UInt8] = []
        output.reserveCapacity(Self.statusBytes)
        output.openEnvelope(now.epochSeconds)
        let situation = call.profile.situation
        output.append(",\"loader\":{\"loaded\":\(!situation.isLoading),\"now\":")
        output.append(decimal: chain.startHeight)
        output.append(",\"syncing\":\(situation.isSyncing),\"consensus\":100,\"blocks\":")
        output.append(decimal: situation.isSyncing ? chain.wholeHeight : 0)
        output.append(",\"blocksCount\":")
        output.append(decimal: chain.startHeight)
        output.append("},\"network\":")
        output.append(contentsOf: call.profile.reportsSchedules ? chain.newNetwork : chain.oldNetwork)
        if call.profile.reportsSchedules { output.append(Self.schedules) }
        output.append(",\"version\":{\"build\":\"\",\"commit\":\"\",\"version\":")
        JSONValue.writeString(call.profile.version, to: &output)
        output.append("}")
        if call.profile.reportsSchedules {
            output.append(",\"nodeTimestampMs\":")
            output.append(decimal: now.milliseconds)
            output.append(",\"unixTimestampMs\":")
            output.append(decimal: now.unixMilliseconds)
        }
        output.append(",\"wsClient\":{\"enabled\":\(call.status.socketPort != nil)")
        if let port = call.status.socketPort {
            output.append(",\"port\":")
            output.append(decimal: port)
        }
        output.append("}}")
        return .success(output)
    }

    /// What the chain says of itself, made again only when the chain has changed.
    func chainState(_ ledger: Ledger) -> ChainState {
        chainCache.withLock { cached in
            if let state = cached, state.version == ledger.version { return state }
            let state = ChainState(ledger)
            cached = state
            return state
        }
    }

    /// Enough for every status, and small enough for the allocator's quick lists.
    private static let statusBytes = 960

    private static let schedules: String = {
        let milestones = Rewards.milestones.map { String($0) }.joined(separator: ",")
        return ",\"consensusSchedule\":{\"activationHeights\":{\"fairSystem\":\(Ledger.fairSystemHeight)"
            + ",\"spaceship\":\(Ledger.millisecondsHeight)}},\"milestoneSchedule\":{\"offset\":\(Rewards.offset)"
            + ",\"distance\":\(Rewards.distance),\"milestones\":[\(milestones)]}"
    }()
}

/// What the chain says of itself.
struct ChainState: Sendable {
    /// The start of ADAMANT's time.
    static let epoch = "2017-09-02T17:00:00.000Z"

    let version: Int
    let height: Int
    /// Height of the network's newest block, which this node may not have yet.
    let wholeHeight: Int
    let startHeight: Int
    /// Hexadecimal text.
    let nethash: String
    /// Hexadecimal text.
    let broadhash: String
    /// The member `network` of `/api/node/status` as 0.10 gives it.
    private(set) var newNetwork: [UInt8] = []
    /// The same as 0.9 gives it.
    private(set) var oldNetwork: [UInt8] = []

    init(_ ledger: Ledger) {
        version = ledger.version
        height = ledger.height
        wholeHeight = ledger.wholeHeight
        startHeight = ledger.startHeight
        let nethash = ledger.block(height: ledger.startHeight)?.payloadHash ?? []
        self.nethash = Hex.encode(nethash)
        broadhash = Hex.encode(Self.broadhash(ledger) ?? nethash)
        JSONValue.object(JSONObject(members(namesConsensus: true))).write(to: &newNetwork)
        JSONValue.object(JSONObject(members(namesConsensus: false))).write(to: &oldNetwork)
    }

    /// The digest of the ids of the five newest blocks, newest first; nil with one block.
    ///
    /// - Source: adamant:modules/system.js (`getBroadhash`)
    private static func broadhash(_ ledger: Ledger) -> [UInt8]? {
        guard ledger.height > ledger.startHeight else { return nil }
        var ids = ""
        for height in (max(ledger.startHeight, ledger.height - 4)...ledger.height).reversed() {
            if let block = ledger.block(height: height) { ids += block.id.description }
        }
        return ledger.cryptography.sha256(Array(ids.utf8))
    }

    /// The members of `network`, which `/api/blocks/getStatus` has as well.
    func members(namesConsensus: Bool) -> [(String, JSONValue)] {
        [("broadhash", .string(broadhash)), ("epoch", .string(Self.epoch)), ("height", .int(height))]
            + (namesConsensus ? [("consensusCodeName", .optional(consensusCodeName))] : [])
            + [
                ("fee", .int(Fees.transfer)), ("milestone", .int(Rewards.milestone(height: height))),
                ("nethash", .string(nethash)), ("reward", .int(Rewards.reward(height: height))),
                ("supply", .int(Rewards.supply(height: height))),
            ]
    }

    private var consensusCodeName: String? {
        height >= Ledger.millisecondsHeight
            ? "spaceship" : height >= Ledger.fairSystemHeight ? "fairSystem" : nil
    }
}
