import AdamantModel
public import Determinism

extension Ledger {
    /// Height from which delegates are ranked by the weight of their votes.
    ///
    /// - Source: adamant:helpers/constants.js (`fairSystem`)
    public static let fairSystemHeight = 4_359_465

    /// How many delegates there are.
    public var delegateCount: Int { delegateTable.delegates.count }

    /// All delegates by rank: the greatest vote first, equal ones by key.
    ///
    /// - Source: adamant:modules/delegates.js (`getDelegates`)
    public func delegates() -> [DelegateView] {
        let isWeighted = height > Self.fairSystemHeight
        let supply = Double(Rewards.supply(height: height))
        let ranked = delegateTable.delegates.sorted { left, right in
            let (first, second) = isWeighted ? (left.votesWeight, right.votesWeight) : (left.vote, right.vote)
            return first == second ? left.publicKey < right.publicKey : first > second
        }
        return ranked.enumerated().map { index, delegate in
            DelegateView(
                username: delegate.username,
                address: chain.accounts[delegate.account].address,
                publicKey: delegate.publicKey,
                votesWeight: delegate.votesWeight,
                vote: delegate.vote,
                missedBlocks: delegate.missedBlocks,
                producedBlocks: delegate.producedBlocks,
                forged: delegate.fees.addingClamped(delegate.rewards),
                rank: index + 1,
                approval: Double(isWeighted ? delegate.votesWeight : delegate.vote)
                    .hundredths(of: supply),
                productivity: Double(delegate.producedBlocks)
                    .hundredths(of: Double(delegate.producedBlocks + delegate.missedBlocks)),
                voters: delegate.voters.count,
                registeredAt: delegate.registeredAt
            )
        }
    }

    /// Keys that an account votes for; nil for an unknown account.
    public func votes(of address: String) -> [String]? {
        guard let address = Address(address), let number = chain.accounts.stored(address) else { return nil }
        return delegateTable.votes(account: number)
    }

    /// The accounts that vote for a key, the poorest first.
    public func voters(publicKey: String) -> [HolderView] {
        guard let place = delegateTable.place(publicKey: publicKey) else { return [] }
        return delegateTable.delegates[place].voters.map(holder)
            .sorted { ($0.balance, $0.address.text) < ($1.balance, $1.address.text) }
    }

    /// Keys of those who forge in the slots after a time.
    ///
    /// - Source: adamant:modules/delegates.js (`getNextForgers`)
    public func nextForgers(after now: Timestamp, limit: Int) -> [String] {
        (1...max(min(limit, genesis.delegates.count), 1)).map { step in
            Hex.encode(forger(slot: now.slot.addingClamped(Int64(step))).publicKey)
        }
    }

    /// Who forges in a slot.
    func forger(slot: Int64) -> KeyPair {
        let count = Int64(genesis.delegates.count)
        return genesis.delegates[Int(slot - slot.flooredDivision(by: count) * count)]
    }

    /// What an account was paid for forging; nil for an unknown account.
    public func forged(publicKey: [UInt8]) -> ForgedAmounts? {
        guard let number = chain.accounts.stored(address(publicKey: publicKey)) else { return nil }
        guard let delegate = delegateTable.delegate(account: number) else { return ForgedAmounts() }
        return ForgedAmounts(
            fees: delegate.fees,
            rewards: delegate.rewards,
            blocks: delegate.producedBlocks
        )
    }

    /// What the blocks of a time brought a delegate.
    ///
    /// - Parameters:
    ///   - publicKey: the delegate's.
    ///   - from: epoch seconds before which blocks do not count.
    ///   - to: epoch seconds after which blocks do not count.
    /// - Returns: the amounts, fees only of rounds that have ended; nil for a key that is no delegate's.
    /// - Source: adamant:sql/blocks.js (`aggregateBlocksReward`)
    public func forged(publicKey: [UInt8], from: Int64, to: Int64) -> ForgedAmounts? {
        guard delegateTable.contains(publicKey: Hex.encode(publicKey)) else { return nil }
        let indexes = chain.blocks(by: publicKey)
        var amounts = ForgedAmounts()
        let first = indexes.partitioningIndex { Int64(chain.blocks[$0].timestamp) >= from }
        for index in indexes[first...] where index > 0 {
            guard Int64(chain.blocks[index].timestamp) <= to else { break }
            amounts.blocks += 1
            amounts.rewards = amounts.rewards.addingClamped(chain.blocks[index].reward)
            amounts.fees = amounts.fees.addingClamped(feeShare(height: chain.height(block: index)))
        }
        return amounts
    }

    /// The share of its round's fees that a block brought; 0 while the round lasts.
    private func feeShare(height: Int) -> Int64 {
        func round(_ height: Int) -> Int { (height - 1) / Self.roundLength }
        let place = round(height) - round(startHeight + 1)
        guard place >= 0, place < pastRounds.count else { return 0 }
        let shares = pastRounds[place]
        return shares.share.addingClamped(height.isMultiple(of: Self.roundLength) ? shares.rest : 0)
    }

    /// Accounts with a balance, the richest first, equal ones by address.
    ///
    /// - Source: adamant:modules/accounts.js (`top`)
    public func richest(isDelegate: Bool?, offset: Int, limit: Int) -> (holders: [HolderView], count: Int) {
        var count = 0
        var kept: [(balance: Int64, number: UInt32)] = []
        let wanted = Int(clamping: Int64(offset).addingClamped(Int64(limit)))
        func precedes(_ left: (balance: Int64, number: UInt32), _ right: (balance: Int64, number: UInt32))
            -> Bool
        {
            left.balance == right.balance
                ? chain.accounts[left.number].address.text < chain.accounts[right.number].address.text
                : left.balance > right.balance
        }
        for number in 0..<UInt32(chain.accounts.count) {
            let units = balance(number)
            guard units > 0 else { continue }
            let hasName = isDelegate == nil || delegateTable.delegate(account: number) != nil
            if let isDelegate, isDelegate != hasName { continue }
            count += 1
            guard wanted > 0 else { continue }
            kept.append((units, number))
            if kept.count / 2 > wanted {
                kept.sort(by: precedes)
                kept.removeLast(kept.count - wanted)
            }
        }
        kept.sort(by: precedes)
        return (kept.prefix(wanted).dropFirst(offset).map { holder($0.number) }, count)
    }

    private func holder(_ number: UInt32) -> HolderView {
        let account = chain.accounts[number]
        return HolderView(
            address: account.address,
            balance: balance(number),
            publicKey: account.publicKeyHex.map { String(decoding: $0, as: UTF8.self) },
            username: delegateTable.delegate(account: number)?.username
        )
    }
}

extension Double {
    /// The part of a whole in per cent, rounded to two decimals; 0 of nothing.
    fileprivate func hundredths(of whole: Double) -> Double {
        whole > 0 ? (self / whole * 100 * 100).rounded() / 100 : 0
    }
}

extension [UInt32] {
    /// The first place from which on a condition holds, in a list where it holds for all that follow.
    fileprivate func partitioningIndex(_ holds: (UInt32) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if holds(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
