import AdamantModel

/// The two balances of an account.
struct AccountFigures: Equatable {
    var balance: Int64 = 0
    var unconfirmed: Int64 = 0
}

extension Ledger {
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

    /// Tells of a transaction that a node has applied to its unconfirmed part.
    mutating func announce(_ transaction: Transaction, entry: PooledTransaction?, node: Int) {
        guard watchedNodes.contains(node) else { return }
        let recipient = transaction.recipient.flatMap { chain.accounts.stored($0) }
        let key: AnnouncedTransaction.RecipientKey =
            if let recipient {
                chain.accounts[recipient].publicKeyHex.map { .key(String(decoding: $0, as: UTF8.self)) }
                    ?? .noKey
            } else {
                .noAccount
            }
        let announced = AnnouncedTransaction(
            transaction: transaction,
            entry: entry,
            recipientKey: key,
            keepsMilliseconds: height >= Self.millisecondsHeight
        )
        notices.append(LedgerNotice(node: node, content: .transaction(announced)))
    }

    /// Tells of a block, and of the balances that it changed.
    mutating func announce(_ block: Block, before: [Address: AccountFigures], node: Int) {
        guard watchedNodes.contains(node) else { return }
        notices.append(LedgerNotice(node: node, content: .block(block)))
        announceChanges(since: before, node: node)
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
    func figures(of addresses: some Sequence<Address>, node: Int) -> [Address: AccountFigures] {
        guard watchedNodes.contains(node) else { return [:] }
        var figures: [Address: AccountFigures] = [:]
        for address in addresses {
            let account = account(address.text, node: node)
            figures[address.uppercased] = AccountFigures(
                balance: account?.balance ?? 0,
                unconfirmed: account?.unconfirmedBalance ?? 0
            )
        }
        return figures
    }

    /// The balances that the next blocks, of these transactions, may change, for each watched node.
    ///
    /// A fork may end rounds as well as undo their ends.
    func figuresBefore(_ transactions: [Transaction], isFork: Bool = false) -> [Int: [Address:
        AccountFigures]]
    {
        guard !watchedNodes.isEmpty else { return [:] }
        var touched = transactions.flatMap { [$0.sender] + ($0.recipient.map { [$0] } ?? []) }
        if isFork || (height + 1).isMultiple(of: Self.roundLength) {
            touched += delegateTable.delegates.map { chain.accounts[$0.account].address }
        }
        var figures: [Int: [Address: AccountFigures]] = [:]
        for node in watchedNodes {
            let waiting = pools[node].unconfirmed.map(\.transaction.sender)
            figures[node] = self.figures(of: touched + waiting, node: node)
        }
        return figures
    }
}
