public import AdamantModel

/// An account that exists from the first block on.
public struct GenesisAccount: Hashable, Sendable {
    /// For people, for example `alice`.
    public var name: String
    /// In the ordinary form.
    public var address: Address
    /// 32 bytes; nil for an account whose key nobody here has.
    public var publicKey: [UInt8]?
    /// Units of 1e-8 ADM.
    public var balance: Int64

    /// An account with its balance.
    public init(name: String, address: Address, publicKey: [UInt8]?, balance: Int64) {
        self.name = name
        self.address = address
        self.publicKey = publicKey
        self.balance = balance
    }
}

/// What a chain begins with.
public struct Genesis: Sendable {
    /// Balance of an ordinary test account: 1000 ADM.
    public static let testBalance: Int64 = 100_000_000_000

    /// The accounts, in the order in which the genesis block pays them.
    public var accounts: [GenesisAccount]
    /// Signs the genesis block and its transfers, and holds the rest of the supply.
    public var holder: KeyPair
    /// The forgers, by slot number modulo their count.
    public var delegates: [KeyPair]
    /// Epoch seconds of the genesis block.
    public var timestamp: Int32
    /// Whether the genesis block shows the delegates' registrations, and the holder's votes for all of them.
    public var showsDelegates: Bool

    /// A genesis; `delegates` must not be empty.
    public init(
        accounts: [GenesisAccount],
        holder: KeyPair,
        delegates: [KeyPair],
        timestamp: Int32 = 0,
        showsDelegates: Bool = false
    ) {
        precondition(!delegates.isEmpty)
        self.accounts = accounts
        self.holder = holder
        self.delegates = delegates
        self.timestamp = timestamp
        self.showsDelegates = showsDelegates
    }

    /// The user name of a genesis delegate.
    static func username(_ index: Int) -> String { "genesis_\(index + 1)" }
}

extension Genesis {
    /// What the genesis block holds, in block order.
    func transactions(cryptography: any Cryptography) -> [Transaction] {
        var transactions: [Transaction] = []
        var paid: Set<Address> = []
        for account in accounts
        where paid.insert(account.address.uppercased).inserted && account.balance > 0 {
            transactions.append(
                transaction(.none, 0, to: account.address, account.balance, by: holder, cryptography)
            )
        }
        guard showsDelegates else { return Block.inBlockOrder(transactions) }
        for (index, delegate) in delegates.enumerated() {
            let asset = Asset.delegate(username: Self.username(index))
            transactions.append(
                transaction(asset, Transaction.Kind.delegate, to: nil, 0, by: delegate, cryptography)
            )
        }
        let keys = delegates.map { "+" + Hex.encode($0.publicKey) }
        let address = holder.address(cryptography: cryptography)
        for first in stride(from: 0, to: keys.count, by: Ledger.mostVotes) {
            let asset = Asset.votes(Array(keys[first..<min(first + Ledger.mostVotes, keys.count)]))
            transactions.append(
                transaction(asset, Transaction.Kind.vote, to: address, 0, by: holder, cryptography)
            )
        }
        return Block.inBlockOrder(transactions)
    }

    /// A transaction without a fee.
    private func transaction(
        _ asset: Asset,
        _ type: Int,
        to recipient: Address?,
        _ amount: Int64,
        by signer: KeyPair,
        _ cryptography: any Cryptography
    ) -> Transaction {
        var transaction = Transaction(
            signing: asset,
            type: type,
            timestamp: timestamp,
            recipient: recipient,
            amount: amount,
            by: signer,
            cryptography: cryptography
        )
        transaction.fee = 0
        return transaction
    }
}
