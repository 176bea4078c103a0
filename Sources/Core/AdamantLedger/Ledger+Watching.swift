public import AdamantModel

/// The two balances of an account.
struct AccountFigures: Equatable {
    var balance: Int64 = 0
    var unconfirmed: Int64 = 0
}

/// What a node that somebody listens to knew before something happened.
struct WatchedView {
    let height: Int
    let figures: [Address: AccountFigures]
}

extension Ledger {
    /// In how many steps at most a node tells how its balances change while it catches up.
    private static let catchUpSteps = 100
    /// Of how many blocks a node tells that catches up; a real one has no bound.
    private static let catchUpBlocks = 500

    /// Says whether somebody listens to a node's notices; those of others are not made.
    public mutating func watch(node: Int, _ isWatched: Bool) {
        guard pools.indices.contains(node) else { return }
        if isWatched { watchedNodes.insert(node) } else { watchedNodes.remove(node) }
    }

    /// What the watched nodes have to tell since the last call, in order.
    public mutating func takeNotices() -> [LedgerNotice] {
        guard !notices.isEmpty else { return [] }
        defer { notices = [] }
        return notices
    }

    /// Lets a node behave as a profile says; one that lags less than before tells what it gets to know.
    public mutating func setProfile(_ profile: NodeProfile, node: Int) {
        guard profiles.indices.contains(node) else { return }
        defer { profiles[node] = profile }
        let lag = profile.situation.lagBlocks
        guard watchedNodes.contains(node), lag != profiles[node].situation.lagBlocks else { return }
        let target = max(startHeight, height - lag)
        var known = height(node: node)
        let step = max(1, (target - known) / Self.catchUpSteps)
        while known != target {
            let next = known < target ? min(target, known + step) : target
            let heights = min(known, next) + 1...max(known, next)
            let before = figures(of: parties(heights: heights), node: node)
            profiles[node].situation.lagBlocks = height - next
            announceBlocks(above: max(known, target - Self.catchUpBlocks), node: node)
            announceChanges(since: before, node: node)
            known = next
        }
    }

    /// Height of the newest block that a node knows.
    public func height(node: Int) -> Int { max(startHeight, height - profiles[node].situation.lagBlocks) }

    /// The transactions in a node's unconfirmed part, and those in blocks that it does not know yet.
    public func announced(node: Int) -> [Identifier] {
        guard pools.indices.contains(node) else { return [] }
        let unknown = chain.rows(blocks: height(node: node) + 1 - startHeight..<chain.blocks.count)
        return unknown.suffix(NodePool.capacity).map { Identifier(chain.rows[$0].id) }
            + pools[node].unconfirmed.map(\.transaction.id)
    }

    /// Tells of a transaction that a node has applied to its unconfirmed part.
    mutating func announce(_ transaction: Transaction, entry: PooledTransaction?, node: Int) {
        guard watchedNodes.contains(node) else { return }
        let recipient = transaction.recipient
        let key = seen(by: node) { ledger in ledger.recipientKey(recipient) }
        let announced = AnnouncedTransaction(
            transaction: transaction,
            entry: entry,
            recipientKey: key,
            keepsMilliseconds: height >= Self.millisecondsHeight
        )
        notices.append(LedgerNotice(node: node, content: .transaction(announced)))
    }

    private func recipientKey(_ recipient: Address?) -> AnnouncedTransaction.RecipientKey {
        guard let number = recipient.flatMap({ chain.accounts.stored($0) }) else { return .noAccount }
        return chain.accounts[number].publicKeyHex.map { .key(String(decoding: $0, as: UTF8.self)) } ?? .noKey
    }

    /// Tells of the blocks that a node knows above a height, and before each of what is in it.
    ///
    /// - Source: adamant:modules/blocks/chain.js (`applyBlock`)
    mutating func announceBlocks(above known: Int, node: Int) {
        guard watchedNodes.contains(node) else { return }
        for height in stride(from: known + 1, through: height(node: node), by: 1) {
            guard let block = block(height: height) else { continue }
            for transaction in transactions(height: height) {
                announce(transaction, entry: pools[node].entry(transaction.id), node: node)
            }
            notices.append(LedgerNotice(node: node, content: .block(block)))
        }
    }

    /// Tells which balances are no longer what they were.
    mutating func announceChanges(since before: [Address: AccountFigures], node: Int) {
        guard !before.isEmpty else { return }
        let now = figures(of: before.keys, node: node)
        let changes = before.keys.sorted { $0.text < $1.text }
            .compactMap { address -> BalanceChange? in
                guard let old = before[address], let new = now[address], old != new else { return nil }
                return BalanceChange(
                    address: address,
                    balance: old.balance == new.balance ? nil : new.balance,
                    unconfirmedBalance: old.unconfirmed == new.unconfirmed ? nil : new.unconfirmed
                )
            }
        if !changes.isEmpty { notices.append(LedgerNotice(node: node, content: .balances(changes))) }
    }

    /// The balances of accounts as a node sees them; none where nobody watches it.
    mutating func figures(of addresses: some Sequence<Address>, node: Int) -> [Address: AccountFigures] {
        guard watchedNodes.contains(node) else { return [:] }
        let addresses = Set(addresses.map(\.uppercased))
        return seen(by: node) { ledger in
            // So many are all delegates and more, at the end of a round.
            let payments = addresses.count > Self.roundLength ? ledger.hiddenPayments : nil
            var figures: [Address: AccountFigures] = [:]
            for address in addresses {
                figures[address] =
                    ledger.chain.accounts.stored(address).map { number in
                        AccountFigures(
                            balance: ledger.balance(number, payments: payments),
                            unconfirmed: ledger.unconfirmedBalance(number, node: node, payments: payments)
                        )
                    } ?? AccountFigures()
            }
            return figures
        }
    }

    /// What each watched node knows before a chain that grows by so many blocks moves these transactions.
    ///
    /// A fork may end rounds as well as undo their ends.
    mutating func views(
        before transactions: [Transaction],
        growth: Int,
        isFork: Bool = false
    ) -> [Int: WatchedView] {
        guard !watchedNodes.isEmpty else { return [:] }
        var touched = Set(transactions.flatMap { [$0.sender] + ($0.recipient.map { [$0] } ?? []) })
        if isFork { touched.formUnion(delegateAddresses) }
        var views: [Int: WatchedView] = [:]
        for node in watchedNodes {
            let known = height(node: node)
            let revealed = growth > 0 ? parties(heights: known + 1...known + growth) : []
            let waiting = pools[node].unconfirmed.map(\.transaction.sender)
            let figures = figures(of: touched.union(revealed).union(waiting), node: node)
            views[node] = WatchedView(height: known, figures: figures)
        }
        return views
    }

    /// Whose balances the blocks at these heights change, as far as there are such; a round's end pays delegates.
    private func parties(heights: ClosedRange<Int>) -> Set<Address> {
        let first = heights.lowerBound - startHeight
        let rows = chain.rows(blocks: first..<min(first + heights.count, chain.blocks.count))
        var parties: Set<Address> = []
        for number in rows {
            let row = chain.rows[number]
            parties.insert(chain.accounts[row.sender].address)
            if row.recipient != TransactionRow.none {
                parties.insert(chain.accounts[row.recipient].address)
            }
        }
        let hasEnd = heights.upperBound / Self.roundLength > (heights.lowerBound - 1) / Self.roundLength
        return hasEnd ? parties.union(delegateAddresses) : parties
    }

    private var delegateAddresses: [Address] {
        delegateTable.delegates.map { chain.accounts[$0.account].address }
    }

    /// Runs a closure with the ledger as a node has it.
    private mutating func seen<Result>(by node: Int, _ body: (inout Ledger) -> Result) -> Result {
        let lag = profiles[node].situation.lagBlocks
        // Who asks out of a view of the past has that one.
        guard lag > 0, wholeHeight == height else { return body(&self) }
        return past(blocksAgo: lag, body)
    }
}
