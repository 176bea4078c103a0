/// What the node charges, in units of 1e-8 ADM.
///
/// - Source: adamant:helpers/constants.js, logic/chat.js, logic/state.js
public enum Fees {
    /// A transfer, and a chat message that carries an amount.
    public static let transfer: Int64 = 50_000_000
    /// A vote.
    public static let vote: Int64 = 5_000_000_000
    /// A delegate registration.
    public static let delegate: Int64 = 300_000_000_000
    /// One unit of a chat message.
    public static let chatMessage: Int64 = 100_000
    /// One unit of a chat message of the legacy type 0.
    public static let legacyChatMessage: Int64 = 500_000
    /// One unit of a stored value.
    public static let stateStore: Int64 = 100_000

    /// All fees by the names that nodes give them, in their order.
    public static let table: [(String, Int64)] = [
        ("send", transfer), ("vote", vote), ("secondsignature", 500_000_000), ("delegate", delegate),
        ("multisignature", 500_000_000), ("dapp", 2_500_000_000), ("old_chat_message", legacyChatMessage),
        ("chat_message", chatMessage), ("state_store", stateStore), ("profile_update", 5_000_000),
        ("avatar_upload", 10_000_000),
    ]

    /// The fee of a transaction by what it carries.
    public static func fee(asset: Asset, amount: Int64) -> Int64 {
        switch asset {
        case .none: transfer
        case .delegate: delegate
        case .votes: vote
        case .chat(let message, _, let type):
            amount > 0
                ? transfer : units(decodedBytes: message) * (type == 0 ? legacyChatMessage : chatMessage)
        case .state(let value, _, _): units(decodedBytes: value) * stateStore
        }
    }

    /// One unit up to 764 bytes, then one for each started 382.5 or so: max(1, ⌊(n × 100 / 150) / 255⌋).
    private static func units(decodedBytes text: String) -> Int64 {
        max(1, Int64(Hex.lenientCount(text)) * 100 / (150 * 255))
    }
}
