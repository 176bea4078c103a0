import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let nodeRoutes = [
        Route(.get, "/api/node/status") { server, call throws(NodeRefusal) in server.nodeStatus(call) }
    ]

    /// Answers `/api/node/status`.
    ///
    /// - Source: adamant:modules/node.js, modules/loader.js, modules/blocks/api.js
    private func nodeStatus(_ call: Call) -> Reply {
        let (chain, now) = backend.withLedger { ledger, now in (ChainState(ledger), now) }
        var output: [UInt8] = []
        output.reserveCapacity(1024)
        output.openEnvelope(now.epochSeconds)
        output.append(",\"loader\":{\"loaded\":true,\"now\":")
        output.append(decimal: chain.startHeight)
        output.append(",\"syncing\":\(call.status.isSyncing),\"consensus\":100,\"blocks\":")
        output.append(decimal: call.status.isSyncing ? chain.height : 0)
        output.append(",\"blocksCount\":")
        output.append(decimal: chain.startHeight)
        output.append("},\"network\":")
        chain.write(to: &output, profile: call.profile)
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

    private static let schedules: String = {
        let milestones = Rewards.milestones.map { String($0) }.joined(separator: ",")
        return ",\"consensusSchedule\":{\"activationHeights\":{\"fairSystem\":\(ChainState.fairSystemHeight)"
            + ",\"spaceship\":\(Ledger.millisecondsHeight)}},\"milestoneSchedule\":{\"offset\":\(Rewards.offset)"
            + ",\"distance\":\(Rewards.distance),\"milestones\":[\(milestones)]}"
    }()
}

/// What the chain says of itself.
struct ChainState {
    /// Height from which delegates are ranked by the fair system.
    ///
    /// - Source: adamant:helpers/constants.js (`fairSystem`)
    static let fairSystemHeight = 4_359_465
    private static let sendFee = 50_000_000

    let height: Int
    let startHeight: Int
    let broadhash: [UInt8]
    let nethash: [UInt8]

    init(_ ledger: Ledger) {
        height = ledger.height
        startHeight = ledger.startHeight
        nethash = ledger.block(height: ledger.startHeight)?.payloadHash ?? []
        broadhash = Self.broadhash(ledger) ?? nethash
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

    /// The member `network` of `/api/node/status`.
    func write(to output: inout [UInt8], profile: NodeProfile) {
        output.append("{\"broadhash\":\"")
        output.append(Hex.encode(broadhash))
        output.append("\",\"epoch\":\"2017-09-02T17:00:00.000Z\",\"height\":")
        output.append(decimal: height)
        if profile.reportsSchedules {
            output.append(",\"consensusCodeName\":")
            JSONValue.optional(consensusCodeName).write(to: &output)
        }
        output.append(",\"fee\":\(Self.sendFee),\"milestone\":")
        output.append(decimal: Rewards.milestone(height: height))
        output.append(",\"nethash\":\"")
        output.append(Hex.encode(nethash))
        output.append("\",\"reward\":")
        output.append(decimal: Rewards.reward(height: height))
        output.append(",\"supply\":")
        output.append(decimal: Rewards.supply(height: height))
        output.append("}")
    }

    private var consensusCodeName: String? {
        height >= Ledger.millisecondsHeight
            ? "spaceship" : height >= Self.fairSystemHeight ? "fairSystem" : nil
    }
}
