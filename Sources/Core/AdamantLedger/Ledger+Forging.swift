public import AdamantModel
public import Determinism

/// What delegates have earned in the running round and are not yet paid.
struct RoundAccount: Hashable, Sendable {
    /// Units of 1e-8 ADM.
    private(set) var fees: Int64 = 0
    /// Units of 1e-8 ADM, by delegate.
    private(set) var rewards: [Int64]

    init(delegates: Int) {
        rewards = Array(repeating: 0, count: delegates)
    }

    /// Notes what a block brought.
    mutating func add(fees: Int64, reward: Int64, delegate: Int?) {
        self.fees = self.fees.addingClamped(fees)
        if let delegate { rewards[delegate] = rewards[delegate].addingClamped(reward) }
    }

    /// What each delegate gets at the end of the round: rewards and an equal share of the fees, the rest to the last.
    mutating func close() -> [Int64] {
        let share = fees / Int64(rewards.count)
        var payments = rewards.map { $0.addingClamped(share) }
        let rest = fees - share * Int64(rewards.count)
        payments[payments.count - 1] = payments[payments.count - 1].addingClamped(rest)
        self = RoundAccount(delegates: rewards.count)
        return payments
    }

    /// All that is not yet paid.
    var unpaid: Int64 { rewards.reduce(fees) { $0.addingClamped($1) } }
}

extension Transaction {
    /// An upper bound of the length of ``fullBytes``, found without making them.
    fileprivate var greatestLength: Int {
        switch asset {
        case .none: 256
        case .delegate(let username): 256 + username.utf8.count
        case .votes(let votes): 256 + votes.reduce(0) { $0 + $1.utf8.count }
        case .chat(let message, let ownMessage, _):
            256 + (message.utf8.count + (ownMessage?.utf8.count ?? 0)) / 2
        case .state(let value, let key, _): 256 + value.utf8.count + (key?.utf8.count ?? 0)
        }
    }
}

extension Ledger {
    /// Most bytes of transactions in a block.
    ///
    /// - Source: adamant:helpers/constants.js (`maxPayloadLength`)
    public static let maximumPayloadLength = 1 << 20

    /// Builds the next block from up to 25 unconfirmed transactions; there may be none.
    ///
    /// It takes from the unconfirmed parts of all nodes, the first node's first and each in its order of entry,
    /// skipping what it took already and what the confirmed balance does not pay. That depends on the order of calls
    /// alone. The timestamp is the start of the slot, never before that of the block before.
    /// - Source: adamant:modules/blocks/process.js (`generateBlock`), logic/block.js (`create`)
    public mutating func forge(now: Timestamp) -> Block {
        forge(Block.inBlockOrder(chooseTransactions()), now: now)
    }

    /// Builds the next block from these transactions, which are in block order.
    mutating func forge(_ transactions: [Transaction], now: Timestamp) -> Block {
        let last = chain.blocks.last
        let slotStart = now.slot.multipliedClamped(by: Timestamp.slotSeconds)
        let timestamp = max(Int32(clamping: slotStart), last?.timestamp ?? genesis.timestamp)
        let slot = Int64(timestamp).flooredDivision(by: Timestamp.slotSeconds)
        let count = Int64(genesis.delegates.count)
        let delegate = genesis.delegates[Int(slot - slot.flooredDivision(by: count) * count)]
        let block = Block(
            height: height + 1,
            timestamp: timestamp,
            previousBlock: last.map { Identifier($0.id) },
            transactions: transactions,
            reward: Rewards.reward(height: height + 1),
            generator: delegate,
            cryptography: cryptography
        )
        add(block, transactions)
        return block
    }

    private func chooseTransactions() -> [Transaction] {
        var chosen: [Transaction] = []
        var seen: Set<Identifier> = []
        var spent: [Address: Int64] = [:]
        var payload = 0
        for entry in pools.lazy.flatMap(\.unconfirmed) {
            let transaction = entry.transaction
            guard chosen.count < Block.maximumTransactions else { break }
            guard seen.insert(transaction.id).inserted, chain.row(transaction.id) == nil,
                let sender = chain.accounts.stored(transaction.sender)
            else { continue }
            let before = spent[transaction.sender] ?? 0
            let units = before.addingClamped(transaction.amount).addingClamped(transaction.fee)
            guard units <= chain.accounts[sender].balance else { continue }
            payload += transaction.greatestLength
            guard payload <= Self.maximumPayloadLength else { break }
            spent[transaction.sender] = units
            chosen.append(transaction)
        }
        return chosen
    }

    /// Puts a block on the chain and brings the pools up to date.
    private mutating func add(_ block: Block, _ transactions: [Transaction]) {
        addToChain(block, transactions)
        events.append(.forged(block, transactions))
        for node in pools.indices {
            for transaction in transactions { discard(transaction.id, node: node) }
            for entry in pools[node].takeUnconfirmed() { apply(entry, node: node) }
        }
    }

    /// Puts a block on the chain, pays and charges.
    mutating func addToChain(_ block: Block, _ transactions: [Transaction]) {
        for transaction in transactions { charge(transaction) }
        chain.append(block, transactions)
        let delegate = genesis.delegates.firstIndex { $0.publicKey == block.generatorPublicKey }
        round.add(fees: block.totalFee, reward: block.reward, delegate: delegate)
        if block.height.isMultiple(of: Self.roundLength) { endRound() }
    }

    private mutating func charge(_ transaction: Transaction) {
        let sender = chain.accounts.store(transaction.sender, publicKey: transaction.senderPublicKey).number
        let units = transaction.amount.addingClamped(transaction.fee)
        chain.accounts[sender].balance = chain.accounts[sender].balance.subtractingClamped(units)
        if transaction.amount > 0, let recipient = transaction.recipient {
            let number = chain.accounts.store(recipient, publicKey: nil).number
            chain.accounts[number].balance = chain.accounts[number].balance.addingClamped(transaction.amount)
        }
        switch transaction.asset {
        case .delegate(let username):
            chain.accounts[sender].username = username
            usernames[username] = sender
        case .votes(let changes): count(changes, of: sender)
        case .none, .chat, .state: break
        }
    }

    private mutating func count(_ changes: [String], of sender: UInt32) {
        for change in changes {
            let key = String(change.dropFirst())
            votes[sender, default: []].removeAll { $0 == key }
            if change.first == "+" { votes[sender, default: []].append(key) }
        }
    }

    private mutating func endRound() {
        for (number, payment) in zip(delegateNumbers, round.close()) {
            chain.accounts[number].balance = chain.accounts[number].balance.addingClamped(payment)
        }
    }

    /// The first block: transfers from the holder of the supply, without fees.
    mutating func addGenesisBlock() {
        let holder = genesis.holder.address(cryptography: cryptography)
        let number = chain.accounts.store(holder, publicKey: genesis.holder.publicKey).number
        chain.accounts[number].balance = Rewards.genesisSupply
        var transfers: [Transaction] = []
        var paid: Set<Address> = []
        for account in genesis.accounts where paid.insert(account.address.uppercased).inserted {
            _ = chain.accounts.store(account.address, publicKey: account.publicKey)
            guard account.balance > 0 else { continue }
            var transfer = Transaction(
                signing: .none,
                type: Transaction.Kind.transfer,
                timestamp: genesis.timestamp,
                recipient: account.address,
                amount: account.balance,
                by: genesis.holder,
                cryptography: cryptography
            )
            transfer.fee = 0
            transfers.append(transfer)
        }
        for transfer in transfers { charge(transfer) }
        let ordered = Block.inBlockOrder(transfers)
        let block = Block(
            height: chain.startHeight,
            timestamp: genesis.timestamp,
            previousBlock: nil,
            transactions: ordered,
            reward: 0,
            generator: genesis.holder,
            cryptography: cryptography
        )
        chain.append(block, ordered)
    }
}
