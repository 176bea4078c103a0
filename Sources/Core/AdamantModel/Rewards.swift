import Determinism

/// What a forger earns by height.
///
/// - Source: adamant:logic/blockReward.js
public enum Rewards {
    /// First height with a reward.
    public static let offset = 2_000_000
    /// Heights between two milestones.
    public static let distance = 6_300_000
    /// Reward of each milestone, units of 1e-8 ADM.
    public static let milestones: [Int64] = [
        50_000_000, 45_000_000, 40_000_000, 35_000_000, 30_000_000, 25_000_000, 20_000_000, 15_000_000,
        10_000_000,
    ]
    /// Supply of the genesis block, units of 1e-8 ADM.
    public static let genesisSupply: Int64 = 9_800_000_000_000_000

    /// Index into ``milestones`` that the node reports for a height.
    public static func milestone(height: Int) -> Int {
        guard height >= offset else { return 0 }
        return min((height - offset) / distance, milestones.count - 1)
    }

    /// Reward of the block at a height.
    public static func reward(height: Int) -> Int64 {
        height < offset ? 0 : milestones[milestone(height: height)]
    }

    /// Supply after the block at a height.
    public static func supply(height: Int) -> Int64 {
        guard height >= offset else { return genesisSupply }
        var supply = genesisSupply
        var remaining = height - offset + 1
        for (index, reward) in milestones.enumerated() where remaining > 0 {
            let count = index == milestones.count - 1 ? remaining : min(remaining, distance)
            supply = supply.addingClamped(Int64(count).multipliedClamped(by: reward))
            remaining -= count
        }
        return supply
    }
}
