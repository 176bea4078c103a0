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
        output.append(",\"loader\":{\"loaded\":true,\"now\":")
        output.append(decimal: chain.startHeight)
        output.append(",\"syncing\":\(call.status.isSyncing),\"consensus\":100,\"blocks\":")
        output.append(decimal: call.status.isSyncing ? chain.height : 0)
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
    private func chainState(_ ledger: Ledger) -> ChainState {
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
        return ",\"consensusSchedule\":{\"activationHeights\":{\"fairSystem\":\(ChainState.fairSystemHeight)"
            + ",\"spaceship\":\(Ledger.millisecondsHeight)}},\"milestoneSchedule\":{\"offset\":\(Rewards.offset)"
            + ",\"distance\":\(Rewards.distance),\"milestones\":[\(milestones)]}"
    }()
}

/// What the chain says of itself.
struct ChainState: Sendable {
    /// Height from which delegates are ranked by the fair system.
    ///
    /// - Source: adamant:helpers/constants.js (`fairSystem`)
    static let fairSystemHeight = 4_359_465
    private static let sendFee = 50_000_000

    let version: Int
    let height: Int
    let startHeight: Int
    /// The member `network` of `/api/node/status` as 0.10 gives it.
    private(set) var newNetwork: [UInt8] = []
    /// The same as 0.9 gives it.
    private(set) var oldNetwork: [UInt8] = []

    init(_ ledger: Ledger) {
        version = ledger.version
        height = ledger.height
        startHeight = ledger.startHeight
        let nethash = ledger.block(height: ledger.startHeight)?.payloadHash ?? []
        let broadhash = Self.broadhash(ledger) ?? nethash
        newNetwork = network(broadhash: broadhash, nethash: nethash, namesConsensus: true)
        oldNetwork = network(broadhash: broadhash, nethash: nethash, namesConsensus: false)
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

    private func network(broadhash: [UInt8], nethash: [UInt8], namesConsensus: Bool) -> [UInt8] {
        let consensus =
            namesConsensus ? ",\"consensusCodeName\":\(JSONValue.optional(consensusCodeName).text)" : ""
        let text =
            "{\"broadhash\":\"\(Hex.encode(broadhash))\",\"epoch\":\"2017-09-02T17:00:00.000Z\",\"height\":\(height)"
            + consensus + ",\"fee\":\(Self.sendFee),\"milestone\":\(Rewards.milestone(height: height))"
            + ",\"nethash\":\"\(Hex.encode(nethash))\",\"reward\":\(Rewards.reward(height: height))"
            + ",\"supply\":\(Rewards.supply(height: height))}"
        return Array(text.utf8)
    }

    private var consensusCodeName: String? {
        height >= Ledger.millisecondsHeight
            ? "spaceship" : height >= Self.fairSystemHeight ? "fairSystem" : nil
    }
}
