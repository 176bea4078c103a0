import Determinism

/// What a delegate gets at the end of a round.
struct RoundPayment: Hashable, Sendable {
    /// Its place in the ``DelegateTable``.
    let delegate: Int
    /// Units of 1e-8 ADM.
    var fees: Int64
    /// Units of 1e-8 ADM.
    var rewards: Int64
}

/// The blocks of the running round, for which nobody is paid yet.
///
/// - Source: adamant:logic/round.js, modules/rounds.js
struct Round: Sendable {
    /// Units of 1e-8 ADM.
    private var fees: Int64 = 0
    /// Who forged each block, and its reward in units of 1e-8 ADM.
    private var blocks: [(forger: Int, reward: Int64)] = []

    /// Delegates that forged, and how often.
    var forgers: Set<Int> { Set(blocks.map(\.forger)) }

    /// Notes a block; `forger` is the delegate's place.
    mutating func add(forger: Int, fees: Int64, reward: Int64) {
        self.fees = self.fees.addingClamped(fees)
        blocks.append((forger, reward))
    }

    /// An equal share of the fees for each block, and what is left.
    var shares: RoundShares {
        guard !blocks.isEmpty else { return RoundShares(share: 0, rest: 0) }
        let count = Int64(blocks.count)
        return RoundShares(share: fees / count, rest: fees % count)
    }

    /// What each delegate gets, in the order of their first blocks: its blocks' rewards and shares, the rest to the
    /// forger of the last block.
    var payments: [RoundPayment] {
        let shares = shares
        var payments: [RoundPayment] = []
        var places: [Int: Int] = [:]
        for (index, block) in blocks.enumerated() {
            let fees = shares.share.addingClamped(index == blocks.count - 1 ? shares.rest : 0)
            if let place = places[block.forger] {
                payments[place].fees = payments[place].fees.addingClamped(fees)
                payments[place].rewards = payments[place].rewards.addingClamped(block.reward)
            } else {
                places[block.forger] = payments.count
                payments.append(RoundPayment(delegate: block.forger, fees: fees, rewards: block.reward))
            }
        }
        return payments
    }
}

/// How the fees of a round were shared out.
struct RoundShares: Hashable, Sendable {
    /// For each block, units of 1e-8 ADM.
    let share: Int64
    /// For the last block besides, units of 1e-8 ADM.
    let rest: Int64
}
