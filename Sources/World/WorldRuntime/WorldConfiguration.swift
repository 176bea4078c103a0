public import FaultRules
public import JSONValue

/// Everything that decides how a world starts; what is not set is as the documentation states.
public struct WorldConfiguration: Sendable {
    /// Where the ports of a world lie.
    public enum PortPlan: Sendable, Equatable {
        /// Control 36600, nodes 36666 + 10·i, their sockets 36668 + 10·i, TLS 36669 + 10·i, APNs 2197 and 2198.
        case standard
        /// Control P, nodes P + 66 + 10·i, their sockets P + 68 + 10·i, TLS P + 69 + 10·i, APNs P + 20 and P + 21.
        case base(UInt16)
        /// Free ports everywhere.
        case free
    }

    /// When blocks are forged.
    public enum Forging: String, Sendable, CaseIterable {
        /// One block for each ``WorldConfiguration/blockIntervalMilliseconds``.
        case interval
        /// One block for each accepted transaction.
        case instant
        /// Only on demand.
        case manual
    }

    /// Which reference notification service runs in the world.
    public enum ANSBehaviour: String, Sendable, CaseIterable {
        /// None; a service from outside is attached, or none at all.
        case none
        /// The released C# service's algorithm.
        case asDeployed = "as-deployed"
        /// The corrected algorithm: chain order and all rows.
        case ordered
    }

    /// By which clock the nodes check a transaction's timestamp.
    public enum TimestampChecks: String, Sendable, CaseIterable {
        /// The world's clock.
        case world
        /// The machine's clock, by which real builds sign.
        case machine
        /// No check.
        case off
    }

    /// A funded account beside the standard ones.
    public struct Account: Sendable, Equatable {
        /// Its passphrase: valid BIP-39 English words.
        public var passphrase: String
        /// Its name in the banner and the control API; nil for one made up.
        public var name: String?
        /// Its balance in units of 1e-8 ADM.
        public var amountUnits: UInt64

        /// An account.
        public init(passphrase: String, name: String? = nil, amountUnits: UInt64) {
            self.passphrase = passphrase
            self.name = name
            self.amountUnits = amountUnits
        }
    }

    /// A provider's key in a file.
    public struct ProviderKeyFile: Sendable, Equatable {
        /// The `kid` of its tokens.
        public var keyId: String
        /// The `iss` of its tokens.
        public var teamId: String
        /// The file with the private key as downloaded from Apple, or with its public half.
        public var path: String

        /// A key in a file.
        public init(keyId: String, teamId: String, path: String) {
            self.keyId = keyId
            self.teamId = teamId
            self.path = path
        }
    }

    /// Most nodes of a world: they are named by the letters of the Greek alphabet.
    public static let maximumNodes = 24
    /// Most blocks that a chain can begin at.
    public static let maximumStartHeight = 2_000_000_000
    /// Longest time that a node keeps what it accepted before it relays it.
    public static let maximumRelayMilliseconds = 3_600_000
    /// Shortest forging interval.
    public static let minimumBlockIntervalMilliseconds = 50

    /// The seed of all draws; nil draws one.
    public var seed: UInt64?
    /// How many nodes: 1 to ``maximumNodes``.
    public var nodeCount = 1
    /// Versions of the nodes, as `0.9`, `0.10` or an exact one; the last stands for those that follow.
    public var nodeVersions = ["0.9"]
    /// How long every node keeps what it accepted before it relays it; 0 relays at once.
    public var relayMilliseconds = 0
    /// Whether each node speaks TLS as well, at a port of its own.
    public var nodeTLS = false
    /// Names and addresses that the certificate carries beside the standard ones.
    public var tlsNames: [String] = []
    /// How often calls below `/api/` of every node fail, from 0 to 1.
    public var failureRate = 0.0
    /// How failures spread over their kinds; nil for the standard mix.
    public var failureMix: FailureMix?
    /// Where the ports lie.
    public var ports = PortPlan.standard
    /// One more port of APNs, where the name in the TLS handshake tells the environment; nil for none.
    public var furtherAPNsPort: UInt16?
    /// Port of a proxy whose tunnels to Apple's names end at APNs; 0 takes a free one, nil for none.
    public var proxyPort: UInt16?
    /// Keys of providers; once there is one, provider tokens have to be signed by one of them.
    public var apnsKeys: [ProviderKeyFile] = []
    /// Addresses to listen at; `localhost` is 127.0.0.1 and, where there is one, ::1.
    public var listenHosts = ["localhost"]
    /// The bearer token of the control API; nil for none on loopback, and for one made up beyond.
    public var controlToken: String?
    /// When blocks are forged.
    public var forging = Forging.interval
    /// Time between blocks with ``Forging/interval``.
    public var blockIntervalMilliseconds = 5000
    /// Height of the first block: 1 or more.
    public var startHeight = 1
    /// Accounts beside the standard ones.
    public var extraAccounts: [Account] = []
    /// Passphrase of the notification service's account in place of the standard one.
    public var ansPassphrase: String?
    /// Address of a notification service whose key nobody here has; nil for none.
    public var foreignANSAddress: String?
    /// Folder of a world that is kept; nil for one in memory.
    public var dataDirectory: String?
    /// File of an exported world to begin with; nil for none.
    public var importFile: String?
    /// Folder of the certificate authority when ``dataDirectory`` is nil; nil for the user's state folder.
    public var stateDirectory: String?
    /// The reference notification service.
    public var ans = ANSBehaviour.none
    /// Time between its polls.
    public var ansPollMilliseconds = 2000
    /// How long a message may take from its block to a push, and each further step on its way.
    public var pushLimitMilliseconds = 30_000
    /// How long an address may be without a push until its tokens count as orphans.
    public var orphanMilliseconds = 30 * 86_400_000
    /// Ports that stand for the notification service's own host, at which no device may ever call.
    public var tripwirePorts: [UInt16] = []
    /// By which clock timestamps are checked.
    public var timestampChecks = TimestampChecks.world
    /// File that is written once every port answers; nil for none.
    public var readyFile: String?
    /// Fault rules that are there from the start, as `POST /v1/faults` takes them.
    public var faultRules: [JSONValue] = []
    /// Devices that are there from the start, as `POST /v1/devices` takes them.
    public var devices: [JSONValue] = []
    /// Decisions of fault rules that are made again, as `GET /v1/faults/decisions` tells them; nil for none.
    public var replay: FaultReplay?
    /// Bounds of the record of pushes.
    package var pushBounds = PushBounds()

    /// The configuration of a world of which nothing was said.
    public init() {}

    /// The version of a node.
    public func nodeVersion(_ index: Int) -> String {
        index < nodeVersions.count ? nodeVersions[index] : nodeVersions.last ?? "0.9"
    }

    /// The names of a world's nodes in order: the letters of the Greek alphabet.
    public static let nodeNames = [
        "alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu",
        "nu", "xi", "omicron", "pi", "rho", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega",
    ]
}
