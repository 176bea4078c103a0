import AdamantModel

/// What an app has stored on its device; it survives the process, not a reinstall.
struct DeviceStore: Hashable, Sendable {
    /// A signal the app will send again.
    struct QueuedSignal: Hashable, Sendable {
        var action: Signal.Action
        var token: String
        var transaction: Transaction

        var address: Address { transaction.sender }
    }

    /// A registration the ordered app believes in.
    struct Registration: Hashable, Sendable {
        var token: String
        var address: Address
    }

    /// What the health check last found of a node.
    struct NodeHealth: Hashable, Sendable {
        enum Status: String, Sendable {
            case unknown, offline, notAllowed, synchronizing, allowed
        }

        var status = Status.unknown
        var height: Int?
    }

    /// The account that stays signed in.
    var account: KeyPair?
    /// Whether the user has chosen push notifications.
    var wantsPush = false
    /// The released app: the token it takes for registered, one for the device and not for each account.
    var token: String?
    /// The released app: removals that failed, fully signed.
    var deletionQueue: [QueuedSignal] = []
    /// The ordered app: what it takes for registered.
    var registration: Registration?
    /// The ordered app: wishes not known to be fulfilled, oldest first, at most one for token and address.
    var pending: [QueuedSignal] = []
    /// The ordered app: the token it last asked the system for and may have registered.
    var lastToken: String?
    /// The ordered app: epoch seconds of its latest signal.
    var lastSignalSecond: Int64 = 0
    /// Partners whose messages the user does not want to see.
    var blocked: Set<Address> = []
    /// One for each node of the list.
    var nodes: [NodeHealth]

    init(nodeCount: Int) {
        nodes = Array(repeating: NodeHealth(), count: nodeCount)
    }
}
