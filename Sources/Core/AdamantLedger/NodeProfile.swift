/// How one version of the node differs from another; each difference is a switch of its own.
///
/// - Source: adamant v0.9.0 and v0.10.3
public struct NodeProfile: Hashable, Sendable {
    /// The two versions whose behaviour is known.
    public enum Base: Hashable, Sendable {
        /// 0.9.0, February 2025.
        case v0_9
        /// 0.10.2 and 0.10.3, July 2026.
        case v0_10
    }

    /// The exact text a node reports, for example `0.9.0`.
    public var version: String
    /// The version whose texts and unswitched behaviour apply.
    public var base: Base
    /// Age in seconds beyond which chat and state transactions are refused; 0 for no limit.
    public var maxTransactionAgeSeconds: Int
    /// Whether the future check comes first and allows half a second, as from 0.10 on.
    public var checksFutureFirst: Bool
    /// Whether `timestampMs` is stored and shown.
    public var storesTimestampMilliseconds: Bool
    /// Whether `count` is a JSON string.
    public var countAsString: Bool
    /// Whether lists without `orderBy` come newest first; otherwise they come in insertion order.
    public var sortsByDefault: Bool
    /// Whether `orderBy=field` without direction descends.
    public var descendsByDefault: Bool
    /// Whether the transfer switches of `/api/chats/get` are honoured.
    public var chatsCanIncludeTransfers: Bool
    /// Whether `block_timestamp` is always the block's, also without `returnAsset`.
    public var showsBlockTimestampAlways: Bool
    /// Whether pool objects carry `blockId`, `height` and `confirmations`.
    public var poolObjectsHaveHeight: Bool
    /// Whether `returnUnconfirmed` is known.
    public var canReturnUnconfirmed: Bool
    /// Whether POST `/api/transactions` has the old pass-phrase form; otherwise such posts are never answered.
    public var hasPassPhraseForms: Bool
    /// Whether the `normalize` calls exist.
    public var hasNormalizeCalls: Bool
    /// Whether a room's last transaction takes each column from the newest row in which it is not null.
    public var mixesRoomColumns: Bool
    /// Whether `/api/node/status` tells the consensus and milestone schedules and the exact time.
    public var reportsSchedules: Bool
    /// Whether sockets know the events `newBlock` and `balances/change`.
    public var hasBlockEvents: Bool
    /// Where the node stands beside the others, whatever its version.
    public var situation = NodeSituation()

    /// Longest text of a version.
    private static let longestVersion = 64

    /// The profile of `0.9`, `0.10` or an exact version such as `0.10.0-beta`; nil for any other text.
    ///
    /// An exact one that is neither behaves as the one of these that is nearest: two or three numbers select it,
    /// whatever stands behind them after `-` or `+`.
    public init?(version text: String) {
        switch text {
        case "0.9": self.init(base: .v0_9, version: "0.9.0")
        case "0.10": self.init(base: .v0_10, version: "0.10.3")
        default:
            let numbers = text.prefix { $0 != "-" && $0 != "+" }
            let parts = numbers.split(separator: ".", omittingEmptySubsequences: false)
            guard text.utf8.count <= Self.longestVersion, (2...3).contains(parts.count),
                parts.allSatisfy(Self.isNumber), Self.isLabel(text.dropFirst(numbers.count)),
                let minor = Int(parts[1])
            else { return nil }
            self.init(base: Int(parts[0]) == 0 && minor < 10 ? .v0_9 : .v0_10, version: text)
        }
    }

    /// The profile of a base, reported as an exact version.
    public init(base: Base, version: String) {
        let isNew = base == .v0_10
        self.version = version
        self.base = base
        maxTransactionAgeSeconds = isNew ? 5 : 0
        checksFutureFirst = isNew
        storesTimestampMilliseconds = isNew
        countAsString = !isNew
        sortsByDefault = isNew
        descendsByDefault = isNew
        chatsCanIncludeTransfers = isNew
        showsBlockTimestampAlways = !isNew
        poolObjectsHaveHeight = isNew
        canReturnUnconfirmed = isNew
        hasPassPhraseForms = !isNew
        hasNormalizeCalls = !isNew
        mixesRoomColumns = !isNew
        reportsSchedules = isNew
        hasBlockEvents = isNew
    }

    /// Whether a text is none, or what may stand behind the numbers of a version: `-beta.1`, `+abc`, `-rc1+abc`.
    private static func isLabel(_ text: Substring) -> Bool {
        guard let sign = text.first else { return true }
        let words = text.dropFirst().split(
            separator: "+",
            maxSplits: sign == "-" ? 1 : 0,
            omittingEmptySubsequences: false
        )
        return words.allSatisfy { word in
            !word.isEmpty
                && word.utf8.allSatisfy { byte in
                    [0x2D, 0x2E].contains(byte) || (0x30...0x39).contains(byte)
                        || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
                }
        }
    }

    private static func isNumber(_ text: Substring) -> Bool {
        (1...4).contains(text.utf8.count) && text.utf8.allSatisfy { (48...57).contains($0) }
    }
}
