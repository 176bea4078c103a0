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
        Route(.get, "/api/loader/status") { server, call throws(NodeRefusal) in
            let (height, now) = server.backend.withLedger { ($0.startHeight, $1) }
            return .members(
                [
                    ("loaded", .bool(!call.profile.situation.isLoading)), ("now", .int(height)),
                    ("blocksCount", .int(height)),
                ],
                second: now.epochSeconds
            )
        },
        Route(.get, "/api/loader/status/sync") { server, call throws(NodeRefusal) in
            let (chain, now) = server.backend.withLedger { (server.chainState($0), $1) }
            let isSyncing = call.profile.situation.isSyncing
            return .members(
                [
                    ("syncing", .bool(isSyncing)), ("blocks", .int(isSyncing ? chain.wholeHeight : 0)),
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
