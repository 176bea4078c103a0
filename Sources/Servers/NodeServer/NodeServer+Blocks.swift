import AdamantLedger
import Determinism

extension NodeServer {
    static let blockRoutes = [
        Route(.get, "/api/blocks/getHeight") { server, _ throws(NodeRefusal) in
            let (height, now) = server.backend.withLedger { ($0.height, $1) }
            return .members(",\"height\":\(height)", second: now.epochSeconds)
        }
    ]
}
