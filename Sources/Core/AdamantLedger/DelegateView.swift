public import AdamantModel
import Determinism

/// A delegate as clients see it.
public struct DelegateView: Hashable, Sendable {
    /// The user name.
    public let username: String
    /// The account.
    public let address: Address
    /// Hexadecimal text.
    public let publicKey: String
    /// Units of 1e-8 ADM, as of the last round.
    public let votesWeight: Int64
    /// Units of 1e-8 ADM, as of the last round.
    public let vote: Int64
    /// Blocks it should have forged and did not.
    public let missedBlocks: Int
    /// Blocks it forged.
    public let producedBlocks: Int
    /// Fees and rewards it was paid, units of 1e-8 ADM.
    public let forged: Int64
    /// Place in the order of votes, from 1.
    public let rank: Int
    /// Part of the supply that votes for it, in per cent with two decimals.
    public let approval: Double
    /// Part of its blocks that it forged, in per cent with two decimals; 0 before the first.
    public let productivity: Double
    /// How many accounts vote for it.
    public let voters: Int
    /// Epoch seconds of the registration.
    public let registeredAt: Int32
}

/// An account that holds something, as clients see it.
public struct HolderView: Hashable, Sendable {
    /// With an upper-case `U`.
    public let address: Address
    /// Units of 1e-8 ADM, confirmed.
    public let balance: Int64
    /// Hexadecimal text.
    public let publicKey: String?
    /// The user name of a delegate.
    public let username: String?
}

/// What a delegate has earned.
public struct ForgedAmounts: Hashable, Sendable {
    /// Units of 1e-8 ADM.
    public var fees: Int64 = 0
    /// Units of 1e-8 ADM.
    public var rewards: Int64 = 0
    /// How many blocks it forged.
    public var blocks = 0

    /// All of it, units of 1e-8 ADM.
    public var total: Int64 { fees.addingClamped(rewards) }
}
