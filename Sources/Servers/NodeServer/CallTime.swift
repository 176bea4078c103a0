/// How long a node took for a call that it answered.
public struct CallTime: Sendable {
    /// The node's index.
    public let node: Int
    /// What the call was about.
    public let group: RouteGroup
    /// Whether it posted something.
    public let isPost: Bool
    /// From the complete request to the answer, what a fault rule added included.
    public let nanoseconds: Int64

    /// A length of time of a call.
    public init(node: Int, group: RouteGroup, isPost: Bool, nanoseconds: Int64) {
        self.node = node
        self.group = group
        self.isPost = isPost
        self.nanoseconds = nanoseconds
    }
}

/// What calls are about by the beginning of their path: few, however many paths clients ask for.
public enum RouteGroup: Int, CaseIterable, Sendable {
    case accounts, blocks, chatrooms, chats, dapps, delegates, loader, node, peer, peers, states, transactions
    /// Anything that is no endpoint.
    case other

    /// The name that stands in the path.
    public var name: String { Self.names[rawValue] }

    private static let names = allCases.map { "\($0)" }

    /// The group of an endpoint.
    init(path: String) {
        let parts = path.split(separator: "/").prefix(2)
        self = Self.allCases.first { parts.contains($0.name[...]) } ?? .other
    }
}
