public import AdamantModel
public import Determinism

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
        forge(
            Block.inBlockOrder(chooseTransactions()),
            now: now
        )
    }

    /// Builds the next block from these transactions, which are in block order.
    mutating func forge(_ transactions: [Transaction], now: Timestamp) -> Block {
        let block = makeBlock(transactions, now: now)
        add(block, transactions)
        return block
    }

    /// The next block of these transactions, which are in block order; it is not put on the chain.
    ///
    /// The delegate of the slot forges it, or the next after it whose block is none of `replaced`: a fork within a slot.
    func makeBlock(
        _ transactions: [Transaction],
        now: Timestamp,
        otherThan replaced: Set<Identifier> = []
    ) -> Block {
        let last = chain.blocks.last
        let slotStart = now.slot.multipliedClamped(by: Timestamp.slotSeconds)
        let timestamp = max(Int32(clamping: slotStart), last?.timestamp ?? genesis.timestamp)
        let slot = Int64(timestamp).flooredDivision(by: Timestamp.slotSeconds)
        func block(by forger: KeyPair) -> Block {
            Block(
                height: height + 1,
                timestamp: timestamp,
                previousBlock: last.map { Identifier($0.id) },
                transactions: transactions,
                reward: Rewards.reward(height: height + 1),
                generator: forger,
                cryptography: cryptography
            )
        }
        let regular = block(by: forger(slot: slot))
        guard replaced.contains(regular.id) else { return regular }
        let others = (1..<Int64(max(genesis.delegates.count, 2))).lazy.map { step in
            block(by: forger(slot: slot + step))
        }
        return others.first { !replaced.contains($0.id) } ?? regular
    }

    /// What the next block would hold, not yet in block order.
    func chooseTransactions() -> [Transaction] {
        choose(from: pools.lazy.flatMap(\.unconfirmed).map(\.transaction))
    }

    /// Up to 25 of these transactions, none twice or confirmed already, that fit together and are paid.
    func choose(from candidates: some Sequence<Transaction>) -> [Transaction] {
        var chosen: [Transaction] = []
        var seen: Set<Identifier> = []
        var spent: [Address: Int64] = [:]
        var payload = 0
        for transaction in candidates {
            guard chosen.count < Block.maximumTransactions else { break }
            guard seen.insert(transaction.id).inserted, chain.row(transaction.id) == nil,
                let sender = chain.accounts.stored(transaction.sender)
            else { continue }
            let before = spent[transaction.sender] ?? 0
            let units = before.addingClamped(transaction.amount).addingClamped(transaction.fee)
            guard units <= chain.accounts[sender].balance,
                (try? checkCompatible(transaction, with: chosen)) != nil
            else { continue }
            payload += transaction.greatestLength
            guard payload <= Self.maximumPayloadLength else { break }
            spent[transaction.sender] = units
            chosen.append(transaction)
        }
        return chosen
    }

    /// Puts a block on the chain and brings the pools up to date.
    private mutating func add(_ block: Block, _ transactions: [Transaction]) {
        let views = views(before: transactions, growth: 1)
        addToChain(block, transactions)
        events.append(.forged(block, transactions))
        for node in pools.indices {
            let view = views[node]
            if let view { announceBlocks(above: view.height, node: node) }
            for transaction in transactions { discard(transaction.id, node: node) }
            for entry in pools[node].takeUnconfirmed() { apply(entry, node: node) }
            announceChanges(since: view?.figures ?? [:], node: node)
        }
    }

    /// Puts a block on the chain, pays and charges.
    mutating func addToChain(_ block: Block, _ transactions: [Transaction]) {
        for transaction in transactions { charge(transaction) }
        chain.append(block, transactions)
        noteForger(of: block)
        if block.height.isMultiple(of: Self.roundLength) { endRound(at: block.height) }
    }

    /// Counts a block for its forger, in the running round as well.
    mutating func noteForger(of block: Block) {
        guard let forger = place(ofForger: block) else { return }
        delegateTable.noteBlock(by: forger)
        round.add(forger: forger, fees: block.totalFee, reward: block.reward)
    }

    /// The place of a block's forger among the delegates; nil for the first block's.
    func place(ofForger block: Block) -> Int? {
        delegateTable.place(publicKey: Hex.encode(block.generatorPublicKey))
    }

    private mutating func charge(_ transaction: Transaction) {
        let block = UInt32(chain.blocks.count)
        let sender =
            chain.accounts
            .store(transaction.sender, publicKey: transaction.senderPublicKey, inBlock: block).number
        let units = transaction.amount.addingClamped(transaction.fee)
        chain.accounts[sender].balance = chain.accounts[sender].balance.subtractingClamped(units)
        if transaction.amount > 0, let recipient = transaction.recipient {
            let number = chain.accounts.store(recipient, publicKey: nil, inBlock: block).number
            chain.accounts[number].balance = chain.accounts[number].balance.addingClamped(transaction.amount)
        }
        noteDelegate(transaction, by: sender)
    }

    /// Makes the sender a delegate, or changes its votes.
    mutating func noteDelegate(_ transaction: Transaction, by sender: UInt32) {
        switch transaction.asset {
        case .delegate(let username):
            delegateTable.register(
                sender,
                username: username,
                publicKey: Hex.encode(transaction.senderPublicKey),
                at: transaction.timestamp
            )
        case .votes(let changes): delegateTable.vote(changes, by: sender)
        case .none, .chat, .state: break
        }
    }

    /// Pays the delegates and counts the votes.
    ///
    /// A round that began before the chain did has no blocks that could have been missed.
    private mutating func endRound(at height: Int) {
        for payment in round.payments {
            let number = delegateTable.delegates[payment.delegate].account
            let units = payment.fees.addingClamped(payment.rewards)
            chain.accounts[number].balance = chain.accounts[number].balance.addingClamped(units)
            delegateTable.notePayment(payment)
        }
        if height - Self.roundLength >= startHeight {
            let forgers = round.forgers
            delegateTable.noteMissed(genesis.delegates.indices.filter { !forgers.contains($0) })
        }
        pastRounds.append(round.shares)
        round = Round()
        countVotes()
    }

    private mutating func countVotes() {
        let accounts = chain.accounts
        delegateTable.countVotes { accounts[$0].balance }
        keepDelegates()
    }

    /// The first block: transfers from the holder of the supply, without fees, and the delegates' registrations.
    mutating func addGenesisBlock() {
        let holder = genesis.holder.address(cryptography: cryptography)
        let number = chain.accounts.store(holder, publicKey: genesis.holder.publicKey).number
        chain.accounts[number].balance = Rewards.genesisSupply
        for (index, delegate) in genesis.delegates.enumerated() {
            let address = delegate.address(cryptography: cryptography)
            delegateTable.register(
                chain.accounts.store(address, publicKey: delegate.publicKey).number,
                username: Genesis.username(index),
                publicKey: Hex.encode(delegate.publicKey),
                at: genesis.timestamp
            )
        }
        for account in genesis.accounts {
            _ = chain.accounts.store(account.address, publicKey: account.publicKey)
        }
        let transactions = genesis.transactions(cryptography: cryptography)
        for transaction in transactions { charge(transaction) }
        let block = Block(
            height: chain.startHeight,
            timestamp: genesis.timestamp,
            previousBlock: nil,
            transactions: transactions,
            reward: 0,
            generator: genesis.holder,
            cryptography: cryptography
        )
        chain.append(block, transactions)
        countVotes()
    }
}
