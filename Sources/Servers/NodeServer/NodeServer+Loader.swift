import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    /// Age in seconds from which on the last block is not fresh any more.
    ///
    /// - Source: adamant:helpers/constants.js (`blockReceiptTimeOut`)
    private static let freshSeconds: Int64 = 20

    static let loaderRoutes = [
        Route(.get, "/api/loader/status") { server, _ throws(NodeRefusal) in
            let (height, now) = server.backend.withLedger { ($0.startHeight, $1) }
            return .members(
                [("loaded", true), ("now", .int(height)), ("blocksCount", .int(height))],
                second: now.epochSeconds
            )
        },
        Route(.get, "/api/loader/status/sync") { server, call throws(NodeRefusal) in
            let (chain, now) = server.backend.withLedger { (server.chainState($0), $1) }
            return .members(
                [
                    ("syncing", .bool(call.status.isSyncing)),
                    ("blocks", .int(call.status.isSyncing ? chain.height : 0)),
                    ("height", .int(chain.height)), ("broadhash", .string(chain.broadhash)),
                    ("consensus", 100),
                ],
                second: now.epochSeconds
            )
        },
        Route(.get, "/api/loader/status/ping") { server, _ throws(NodeRefusal) in
            let isFresh = server.backend.withLedger { ledger, now in
                now.epochSeconds - Int64(ledger.lastBlock.timestamp) < freshSeconds
            }
            return .plain(status: isFresh ? 200 : 503, "{\"success\":\(isFresh)}")
        },
    ]
}
