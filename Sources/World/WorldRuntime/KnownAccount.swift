import AdamantModel

/// An account whose keys the world holds, so that it can sign for it.
struct KnownAccount: Sendable {
    /// How the control API and the command line may call it; nil for those added without a name.
    let name: String?
    let passphrase: String
    let keys: KeyPair
    let address: Address
}

/// The accounts whose keys the world holds, found by name or address.
struct AccountBook: Sendable {
    private(set) var accounts: [KnownAccount] = []

    /// Adds an account, or puts it in the place of the one of the same address.
    mutating func add(_ account: KnownAccount) {
        if let place = accounts.firstIndex(where: { $0.address == account.address }) {
            accounts[place] = account
        } else {
            accounts.append(account)
        }
    }

    /// The account of a name or an address.
    func find(_ nameOrAddress: String) -> KnownAccount? {
        accounts.first { $0.name == nameOrAddress }
            ?? Address(nameOrAddress).flatMap { address in
                accounts.first { $0.address == address.uppercased }
            }
    }
}
