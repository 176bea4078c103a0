import AdamantLedger
import Determinism
import JSONValue

extension NodeServer {
    static let peerRoutes = [
        Route(.get, "/api/peers/version") { server, call throws(NodeRefusal) in
            .members(
                [("build", ""), ("commit", ""), ("version", .string(call.profile.version))],
                second: server.second
            )
        },
        Route(.get, "/api/peers") { server, call throws(NodeRefusal) in
            try server.check(call, by: .peers)
            let (peers, now) = server.peers()
            let page = PeerFilter(call.parameters).page(peers)
            return .members([("peers", .array(page.map(JSONValue.object)))], second: now.epochSeconds)
        },
        Route(.get, "/api/peers/get") { server, call throws(NodeRefusal) in
            try server.check(call, by: .peer)
            let (peers, now) = server.peers()
            let found = peers.first {
                $0["ip"] == call.parameters["ip"] && $0["port"] == call.parameters["port"]
            }
            guard let found else { throw NodeRefusal("Peer not found") }
            return .members([("peer", .object(found))], second: now.epochSeconds)
        },
        Route(.get, "/api/peers/count") { server, _ throws(NodeRefusal) in
            let (peers, now) = server.peers()
            let states = peers.map { $0["state"] }
            return .members(
                [
                    ("connected", .int(states.filter { $0 == 2 }.count)),
                    ("disconnected", .int(states.filter { $0 == 1 }.count)), ("banned", 0),
                ],
                second: now.epochSeconds
            )
        },
    ]

    /// The other nodes of the world as this one knows them.
    private func peers() -> ([JSONObject], Timestamp) {
        let peers = backend.peers(of: node)
        let (chain, now) = backend.withLedger { (chainState($0), $1) }
        let objects = peers.map { peer in
            JSONObject([
                ("ip", .string(peer.address)), ("port", .int(peer.port)),
                ("state", peer.isOnline ? 2 : 1), ("os", "linux"), ("version", .string(peer.version)),
                ("broadhash", .string(chain.broadhash)), ("height", .int(chain.height)),
                ("updated", .int(now.unixMilliseconds)), ("nonce", .string(peer.nonce)),
                ("isBroadcastingViaSocket", false), ("syncProtocol", "http"),
            ])
        }
        return (objects, now)
    }
}

/// Filters, order and page of `/api/peers`.
///
/// - Source: adamant:modules/peers.js (`getByFilter`)
private struct PeerFilter {
    private static let names = ["ip", "port", "state", "os", "version", "broadhash", "height", "nonce"]

    private let parameters: JSONObject

    init(_ parameters: JSONObject) {
        self.parameters = parameters
    }

    func page(_ peers: [JSONObject]) -> [JSONObject] {
        var matches = peers.filter { peer in
            Self.names.allSatisfy { parameters[$0] == nil || parameters[$0] == peer[$0] }
        }
        let parts = (parameters["orderBy"]?.stringValue ?? "").split(
            separator: ":",
            omittingEmptySubsequences: false
        )
        if let name = parts.first.map(String.init), Self.names.contains(name) {
            let isDescending = parts.count == 2 && parts[1] == "desc"
            matches = matches.enumerated().sorted { left, right in
                let order = Self.compare(left.element[name], right.element[name])
                return order == 0 ? left.offset < right.offset : (order > 0) == isDescending
            }.map(\.element)
        }
        let limit = parameters["limit"].clampedInt ?? .max
        return Array(matches.dropFirst(parameters["offset"].clampedInt ?? 0).prefix(limit))
    }

    private static func compare(_ left: JSONValue?, _ right: JSONValue?) -> Int {
        if let first = left?.stringValue, let second = right?.stringValue {
            return first == second ? 0 : first < second ? -1 : 1
        }
        let (first, second) = (left?.intValue ?? 0, right?.intValue ?? 0)
        return first == second ? 0 : first < second ? -1 : 1
    }
}

extension ObjectSchema {
    private static let ip = SchemaRule(types: ["string"], format: .ip)

    /// What `/api/peers` asks for.
    ///
    /// - Source: adamant:schema/peers.js
    fileprivate static let peers = ObjectSchema(
        required: [],
        members: [
            "ip": ip, "port": .integer(1, 65_535), "state": .integer(0, 2),
            "os": SchemaRule(types: ["string"], format: .os, minimumLength: 1, maximumLength: 64),
            "version": SchemaRule(types: ["string"], format: .version, minimumLength: 5, maximumLength: 12),
            "broadhash": SchemaRule(types: ["string"], format: .hex), "height": .integer(1),
            "orderBy": .text, "limit": .integer(1, 100), "offset": .integer(0),
        ]
    )

    /// What `/api/peers/get` asks for.
    fileprivate static let peer = ObjectSchema(
        required: ["ip", "port"],
        members: ["ip": ip, "port": .integer(0, 65_535)]
    )
}
