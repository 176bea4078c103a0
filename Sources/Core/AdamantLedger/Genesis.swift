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

    /// A genesis; `delegates` must not be empty.
    public init(accounts: [GenesisAccount], holder: KeyPair, delegates: [KeyPair], timestamp: Int32 = 0) {
        precondition(!delegates.isEmpty)
        self.accounts = accounts
        self.holder = holder
        self.delegates = delegates
        self.timestamp = timestamp
    }
}

extension Genesis {
    /// The genesis of a new world: alice to judy, the ANS account, and the account without a balance.
    ///
    /// - Parameters:
    ///   - extraAccounts: accounts of the configuration, after the usual ones; one with the address of a usual
    ///     account replaces it.
    ///   - ansAccount: takes the place of the usual ANS account.
    ///   - cryptography: makes the keys of holder and delegates.
    /// - Returns: a genesis whose block has the time 0.
    public static func standard(
        extraAccounts: [GenesisAccount] = [],
        ansAccount: GenesisAccount? = nil,
        cryptography: some Cryptography
    ) -> Genesis {
        var accounts: [GenesisAccount] = []
        for account in TestAccounts.all {
            if account.name == "ans", let ansAccount {
                accounts.append(ansAccount)
                continue
            }
            accounts.append(
                GenesisAccount(
                    name: account.name,
                    address: account.address,
                    publicKey: account.keyPair.publicKey,
                    balance: account.name == "zero" ? 0 : testBalance
                )
            )
        }
        for extra in extraAccounts {
            if let place = accounts.firstIndex(where: { $0.address == extra.address }) {
                accounts[place] = extra
            } else {
                accounts.append(extra)
            }
        }
        let delegates = TestAccounts.delegates(cryptography: cryptography)
        guard let holder = TestAccounts.genesis(cryptography: cryptography), !delegates.isEmpty else {
            preconditionFailure("The primitives make a key pair of any 32 bytes")
        }
        return Genesis(accounts: accounts, holder: holder, delegates: delegates)
    }
}
