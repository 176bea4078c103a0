import AdamantLedger
import AdamantModel
import JSONValue

/// One endpoint of a node.
struct Route: Sendable {
    /// What happens to a call.
    typealias Handler = @Sendable (NodeServer, Call) throws(NodeRefusal) -> Reply

    /// The method; HEAD is answered like GET.
    enum Method: String, Sendable {
        case get = "GET"
        case post = "POST"
        case put = "PUT"
    }

    let method: Method
    /// In lower case, without a slash at the end.
    let path: String
    /// What it is about.
    let group: RouteGroup
    /// The versions that have it; all of them unless told otherwise.
    let bases: [NodeProfile.Base]
    /// What it does with a posted transaction, where that is what it takes.
    let submission: SubmissionEndpoint?
    /// Whether all paths that begin with ``path`` lead here.
    var isPrefix = false
    /// Whether the answer depends on nothing but the request, the chain, the accounts and the second.
    var isShareable = false
    let handler: Handler

    /// An endpoint.
    init(
        _ method: Method,
        _ path: String,
        only bases: [NodeProfile.Base] = [.v0_9, .v0_10],
        _ handler: @escaping Handler
    ) {
        self.method = method
        self.path = path.lowercased()
        group = RouteGroup(path: self.path)
        self.bases = bases
        submission = nil
        self.handler = handler
    }

    /// An endpoint that lists confirmed transactions.
    init(
        _ method: Method,
        lists path: String,
        _ parse: @escaping @Sendable (JSONObject, NodeProfile) throws(NodeRefusal) -> TransactionQuery
    ) {
        self.init(method, path) { server, call throws(NodeRefusal) in
            try server.list(parse(call.parameters, call.profile), call)
        }
        isShareable = true
    }

    /// An endpoint that lists something for all paths that begin the same.
    init(below path: String, _ handler: @escaping Handler) {
        self.init(.get, path, handler)
        isPrefix = true
        isShareable = true
    }

    /// An endpoint that takes a transaction.
    init(_ path: String, takes submission: SubmissionEndpoint) {
        method = .post
        self.path = path.lowercased()
        group = RouteGroup(path: self.path)
        bases = [.v0_9, .v0_10]
        self.submission = submission
        handler = { server, call throws(NodeRefusal) in try server.submit(call) }
    }
}

/// What a handler answers.
enum Reply: Sendable {
    /// Success, with the whole body.
    case success([UInt8])
    /// Success, with a list: what its tag is made of, nil for the body, and the height of the chain it was read from.
    case list([UInt8], PageDigest?, height: Int?)
    /// Success of a posted transaction: answered when it is on disk.
    case accepted([UInt8], transactionId: String)
    /// A status of its own, without the envelope.
    case plain(status: Int, String)
    /// The real node never answers.
    case silence
}

extension Reply {
    /// Success, with a page that was made at this second.
    static func page(
        _ body: [UInt8],
        _ summary: PageSummary,
        second: Int64,
        height: Int? = nil
    ) -> Reply {
        var digest = summary.digest
        digest?.add(second)
        return .list(body, digest, height: height)
    }

    /// Success with members after `nodeTimestamp`, each with a comma before it.
    static func members(_ members: String, second: Int64) -> Reply {
        .success([UInt8](envelope: second) { $0.append(members) })
    }

    /// Success with members after `nodeTimestamp`.
    static func members(_ members: [(String, JSONValue)], second: Int64) -> Reply {
        .success(
            [UInt8](envelope: second) { output in
                for (name, value) in members {
                    output.append(",")
                    JSONValue.writeString(name, to: &output)
                    output.append(":")
                    value.write(to: &output)
                }
            }
        )
    }

    /// Success of a posted transaction.
    static func accepted(_ id: Identifier, second: Int64) -> Reply {
        .accepted([UInt8](acceptanceOf: id, second: second), transactionId: id.description)
    }
}

extension [UInt8] {
    /// `{"success":true,"nodeTimestamp":…`, what `write` appends, and the closing brace.
    init(envelope second: Int64, capacity: Int = 512, _ write: (inout [UInt8]) -> Void) {
        self = []
        reserveCapacity(capacity)
        openEnvelope(second)
        write(&self)
        append(UInt8(ascii: "}"))
    }

    /// The body that tells a client that its transaction was taken.
    init(acceptanceOf id: Identifier, second: Int64) {
        self.init(envelope: second, capacity: 128) { body in
            body.append(",\"transactionId\":\"")
            body.append(id.description)
            body.append("\"")
        }
    }

    /// Appends the member `count` of a list in the version's form.
    mutating func append(count: Int, _ profile: NodeProfile) {
        append(profile.countAsString ? ",\"count\":\"\(count)\"" : ",\"count\":\(count)")
    }

    /// Appends `{"success":true,"nodeTimestamp":…`.
    mutating func openEnvelope(_ second: Int64) {
        append("{\"success\":true,\"nodeTimestamp\":")
        append(decimal: second)
    }
}

/// One call, as handlers see it.
struct Call: Sendable {
    /// The path, percent-decoded.
    let path: String
    /// The parameters: the query's, or the body's of a POST.
    let parameters: JSONObject
    /// The node's version.
    let profile: NodeProfile
    /// What the node is now.
    let status: NodeStatus
    /// The posted transaction, for endpoints that take one.
    let submission: Submission?
}

/// The endpoints of a node and how a path finds one.
struct RouteTable: Sendable {
    /// What a path leads to.
    enum Match {
        case route(Route)
        /// Below a group that exists: status 500 with JSON.
        case unknownEndpoint
        /// Switched off on purpose: status 404 with JSON.
        case disabled
        /// Below `/api/`, but no group: status 404 with Express's page.
        case unknownGroup
        /// Neither below `/api/` nor `/peer/`: status 404 with JSON.
        case outside

        /// What a node makes of it that has only begun to start.
        enum Fate {
            /// It is served as ever.
            case served
            /// The handler refuses: status 200.
            case refused
            /// The router fails: status 500.
            case failed
        }

        /// What a node makes of it that has only begun to start.
        ///
        /// - Source: adamant:api/http/transactions.js and others, modules/blocks/api.js (`Blockchain is loading`)
        var whileLoading: Fate {
            guard case .route(let route) = self else { return .failed }
            switch route.group {
            case .blocks: return .refused
            case .transactions, .peer: return .failed
            default: return .served
            }
        }
    }

    /// Groups with a router of their own, implemented here or not.
    ///
    /// - Source: adamant:app.js, api/http
    private static let groups: Set<String> = [
        "node", "loader", "peers", "accounts", "blocks", "transactions", "chats", "chatrooms", "states",
        "delegates", "dapps",
    ]
    private static let disabledPrefixes = [
        "/api/signatures", "/api/multisignatures", "/api/transactions/multisignatures",
    ]

    /// By method, then by path.
    private let routes: [String: [String: Route]]
    private let prefixes: [Route]

    init(_ routes: [Route]) {
        var table: [String: [String: Route]] = [:]
        for route in routes { table[route.method.rawValue, default: [:]][route.path] = route }
        self.routes = table
        prefixes = routes.filter(\.isPrefix)
    }

    /// What a call leads to; `path` as sent, without the query.
    func match(method: String, path: Substring, base: NodeProfile.Base) -> Match {
        let routes = self.routes[method == "HEAD" ? "GET" : method] ?? [:]
        if let route = routes[String(path)] ?? routes[Self.normalized(path)], route.bases.contains(base) {
            return .route(route)
        }
        let lowered = path.lowercased()
        let isRead = method == "GET" || method == "HEAD"
        if isRead, let route = prefixes.first(where: { lowered.hasPrefix($0.path) }) { return .route(route) }
        return unmatched(path: String(path), base: base)
    }

    /// In lower case, without a slash at the end.
    private static func normalized(_ path: Substring) -> String {
        var path = path.lowercased()
        if path.utf8.last == UInt8(ascii: "/"), path.utf8.count > 1 { path.removeLast() }
        return path
    }

    private func unmatched(path: String, base: NodeProfile.Base) -> Match {
        let lowered = path.lowercased()
        let isDisabled = Self.disabledPrefixes.contains { lowered == $0 || lowered.hasPrefix($0 + "/") }
        if isDisabled { return base == .v0_10 ? .disabled : .unknownEndpoint }
        let parts = lowered.split(separator: "/", omittingEmptySubsequences: false)
        if parts.count >= 3, parts[0].isEmpty, parts[1] == "api", Self.groups.contains(String(parts[2])) {
            return .unknownEndpoint
        }
        if lowered.hasPrefix("/peer/") { return .unknownEndpoint }
        return path.contains("/api/") || path.contains("/peer/") ? .unknownGroup : .outside
    }
}

extension RouteTable {
    /// The endpoints that are there.
    static let node = RouteTable(
        NodeServer.nodeRoutes + NodeServer.loaderRoutes + NodeServer.peerRoutes + NodeServer.blockRoutes
            + NodeServer.accountRoutes + NodeServer.accountListRoutes + NodeServer.delegateRoutes
            + NodeServer.transactionRoutes + NodeServer.poolRoutes + NodeServer.chatRoutes
            + NodeServer.chatRoomRoutes
            + NodeServer.stateRoutes + NodeServer.dappRoutes + NodeServer.oldRoutes
    )
}
