import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let chatRoomRoutes = [
        Route(below: ChatRoomPath.start) { server, call throws(NodeRefusal) in
            let path = try ChatRoomPath(call.path)
            let query = try ChatRoomRequest.parse(call.parameters, path: path, profile: call.profile)
            return path.isRoom ? server.messages(query, call) : server.rooms(query, call)
        }
    ]

    private func rooms(_ query: ChatRoomQuery?, _ call: Call) -> Reply {
        .success(
            backend.withLedger { ledger, now in
                var output: [UInt8] = []
                output.openEnvelope(now.epochSeconds)
                output.append(",\"chats\":[")
                let count =
                    query.map { ledger.rooms($0, profile: call.profile, node: node, into: &output) } ?? 0
                output.append("]")
                output.append(count: count, call.profile)
                output.append("}")
                return output
            }
        )
    }

    private func messages(_ query: ChatRoomQuery?, _ call: Call) -> Reply {
        backend.withLedger { ledger, now in
            var output: [UInt8] = []
            output.openEnvelope(now.epochSeconds)
            output.append(",\"messages\":[")
            let (summary, participants) =
                query.map { ledger.messages($0, profile: call.profile, node: node, into: &output) }
                ?? (.empty, Array("[]".utf8))
            output.append("],\"participants\":")
            output += participants
            output.append(count: summary.count, call.profile)
            output.append("}")
            return .page(output, summary, second: now.epochSeconds)
        }
    }
}
