import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let blockRoutes = [
        Route(.get, "/api/blocks/getHeight") { server, _ throws(NodeRefusal) in
            let (height, now) = server.backend.withLedger { ($0.height, $1) }
            return .members(",\"height\":\(height)", second: now.epochSeconds)
        },
        Route(.get, "/api/blocks") { server, call throws(NodeRefusal) in try server.blocks(call) },
        Route(.get, "/api/blocks/get") { server, call throws(NodeRefusal) in try server.block(call) },
        Route(.get, "/api/blocks/getEpoch") { server, _ throws(NodeRefusal) in
            .members([("epoch", .string(ChainState.epoch))], second: server.second)
        },
        Route(.get, "/api/blocks/getFee") { server, _ throws(NodeRefusal) in
            .members([("fee", .int(Fees.transfer))], second: server.second)
        },
        Route(.get, "/api/blocks/getFees") { server, _ throws(NodeRefusal) in
            .members(
                [("fees", .object(JSONObject(Fees.table.map { ($0, .int($1)) })))],
                second: server.second
            )
        },
        Route(.get, "/api/blocks/getNethash", chainMember: "nethash"),
        Route(.get, "/api/blocks/getBroadhash", chainMember: "broadhash"),
        Route(.get, "/api/blocks/getMilestone", chainMember: "milestone"),
        Route(.get, "/api/blocks/getReward", chainMember: "reward"),
        Route(.get, "/api/blocks/getSupply", chainMember: "supply"),
        Route(.get, "/api/blocks/getStatus") { server, call throws(NodeRefusal) in
            let (chain, now) = server.backend.withLedger { (server.chainState($0), $1) }
            let members = chain.members(namesConsensus: call.profile.reportsSchedules)
            return .members(members, second: now.epochSeconds)
        },
    ]

    /// - Source: adamant:modules/blocks/api.js (`getBlocks`); the call does not tell how many match
    private func blocks(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .blocks)
        let query = try BlockQuery(call.parameters)
        return .success(
            backend.withLedger { ledger, now in
                [UInt8](envelope: now.epochSeconds, capacity: 1024 * min(query.limit, 100)) { output in
                    output.append(",\"blocks\":[")
                    for (index, block) in ledger.blocks(query).enumerated() {
                        if index > 0 { output.append(UInt8(ascii: ",")) }
                        ledger.append(block, into: &output)
                    }
                    output.append(UInt8(ascii: "]"))
                }
            }
        )
    }

    private func block(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .block)
        let text = call.parameters["id"]?.stringValue ?? ""
        guard let id = Identifier(text), id.description == text else { throw NodeRefusal("Block not found") }
        let body = backend.withLedger { ledger, now in
            ledger.block(id: id).map { block in
                [UInt8](envelope: now.epochSeconds, capacity: 1024) { output in
                    output.append(",\"block\":")
                    ledger.append(block, into: &output)
                }
            }
        }
        guard let body else { throw NodeRefusal("Block not found") }
        return .success(body)
    }
}

extension Route {
    /// An endpoint that tells one thing about the chain.
    fileprivate init(_ method: Method, _ path: String, chainMember name: String) {
        self.init(method, path) { server, _ throws(NodeRefusal) in
            let (chain, now) = server.backend.withLedger { (server.chainState($0), $1) }
            let members = chain.members(namesConsensus: true).filter { $0.0 == name }
            return .members(members, second: now.epochSeconds)
        }
    }
}

extension BlockQuery {
    /// Reads the parameters, which the schema has accepted.
    ///
    /// - Source: adamant:modules/blocks/api.js (`list`): a count of 0 does not count
    fileprivate init(_ parameters: JSONObject) throws(NodeRefusal) {
        self.init()
        func text(_ name: String) -> String? {
            parameters[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        }
        generatorPublicKey = text("generatorPublicKey")
        previousBlock = text("previousBlock")
        height = parameters["height"].clampedInt
        numberOfTransactions = parameters["numberOfTransactions"].clampedInteger.flatMap {
            $0 == 0 ? nil : $0
        }
        totalAmount = parameters["totalAmount"].clampedInteger
        totalFee = parameters["totalFee"].clampedInteger
        reward = parameters["reward"].clampedInteger
        limit = parameters["limit"].clampedInt ?? 100
        offset = parameters["offset"].clampedInt ?? 0
        guard let sent = ListOrder.named(parameters["orderBy"]), !sent.name.isEmpty else { return }
        guard let field = Field(rawValue: sent.name) else { throw NodeRefusal("Invalid sort field") }
        order = field
        isDescending = sent.isDescending ?? false
    }
}

extension ObjectSchema {
    /// What `/api/blocks` asks for.
    ///
    /// - Source: adamant:schema/blocks.js
    fileprivate static let blocks = ObjectSchema(
        required: [],
        members: [
            "limit": .integer(1, 100), "orderBy": .text, "offset": .integer(0),
            "generatorPublicKey": .publicKey,
            "numberOfTransactions": .integer(0), "totalAmount": .integer(0, Rewards.genesisSupply),
            "totalFee": .integer(0, Rewards.genesisSupply), "reward": .integer(0),
            "previousBlock": .identifier, "height": .integer(1),
        ]
    )

    /// What `/api/blocks/get` asks for.
    fileprivate static let block = ObjectSchema(required: ["id"], members: ["id": .identifier])
}
