import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import JSONValue

extension World {
    var blockRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/blocks", parameters: ListQuery.searchParameters) {
                [self] request throws(ControlError) in
                let page = try page(request.query)
                if page.before != nil { return .json(newestBlocks(page)) }
                return try ListQuery.reply(request.query, page) { [self] page in
                    var blocks: [NewestFirst.Element] = []
                    var after = page.after
                    let height = withState { state, _ in state.ledger.height }
                    while blocks.count < page.limit, after < height {
                        blocks += self.blocks(after: after, before: after + Self.blockSlice, page.search)
                        after += Self.blockSlice - 1
                    }
                    blocks = Array(blocks.prefix(page.limit))
                    let document: JSONValue = [
                        "blocks": .array(blocks.map(\.json)), "next": .int(blocks.last?.number ?? page.after),
                    ]
                    return (document, blocks.count)
                }
            },
            ControlRoute("GET", "/v1/blocks/{id}") { [self] request throws(ControlError) in
                .json(try block(request.parameter("id")))
            },
        ]
    }

    /// How many blocks are looked at before the lock is let go.
    private static let blockSlice = 1000

    private func newestBlocks(_ page: ListQuery.Page) -> JSONValue {
        let (oldest, newest) = withState { state, _ in (state.ledger.startHeight, state.ledger.height) }
        return NewestFirst(page, newest: newest, oldest: oldest) { after, before in
            stride(from: after, to: before - 1, by: Self.blockSlice).flatMap { start in
                blocks(after: start, before: min(before, start + Self.blockSlice + 1), page.search)
            }
        }.document("blocks")
    }

    /// The blocks between two heights that are searched for.
    private func blocks(after: Int, before: Int, _ search: DocumentSearch) -> [NewestFirst.Element] {
        let blocks = withState { state, _ in
            let first = max(after + 1, state.ledger.startHeight)
            let end = min(before, state.ledger.height + 1)
            return (min(first, end)..<end).compactMap { height in
                state.ledger.block(height: height).map { (height, json(of: $0, in: state.ledger)) }
            }
        }
        return blocks.filter { search.matches($0.1) }
    }

    /// A block by its id or height, with its transactions.
    private func block(_ text: String) throws(ControlError) -> JSONValue {
        let found = withState { state, _ -> JSONValue? in
            let height = Int(text).flatMap { state.ledger.block(height: $0) }
            guard let block = height ?? Identifier(text).flatMap({ state.ledger.block(id: $0) }),
                case .object(var json) = json(of: block, in: state.ledger)
            else { return nil }
            let sightings = state.ledger.transactions(height: block.height).map { transaction in
                state.sighting(of: transaction.id)?.json ?? .null
            }
            json["transactions"] = .array(sightings)
            return .object(json)
        }
        guard let found else { throw .notFound("there is no block '\(text)'") }
        return found
    }

    private func json(of block: Block, in ledger: Ledger) -> JSONValue {
        [
            "id": .string(block.id.description), "height": .int(block.height),
            "at": .string(Timestamp(epochSeconds: Int64(block.timestamp)).rfc3339),
            "timestamp": .int(block.timestamp), "transactionCount": .int(block.numberOfTransactions),
            "totalAmount": .string(String(block.totalAmount)), "totalFee": .string(String(block.totalFee)),
            "reward": .string(String(block.reward)),
            "generator": .string(ledger.address(publicKey: block.generatorPublicKey).text),
        ]
    }
}
