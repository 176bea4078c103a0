public import AdamantModel
import Determinism

extension Ledger {
    /// A stored account as a node sees it; an address in either spelling, nil when unknown.
    public func account(_ address: String, node: Int = 0) -> AccountView? {
        guard let address = Address(address), let number = chain.accounts.stored(address) else { return nil }
        return view(number, node: node)
    }

    /// The address of a public key.
    public func address(publicKey: [UInt8]) -> Address {
        Address(publicKey: publicKey, cryptography: cryptography)
    }

    /// Stores the key of an existing account that has none; nil when the account is unknown.
    ///
    /// - Source: adamant:modules/accounts.js (`getAccount` with `publicKey`)
    public mutating func storePublicKey(_ publicKey: [UInt8], node: Int = 0) -> AccountView? {
        let address = address(publicKey: publicKey)
        guard let number = chain.accounts.stored(address) else { return nil }
        if chain.accounts[number].publicKeyHex == nil { store(address, publicKey: publicKey) }
        return view(number, node: node)
    }

    /// Writes the account of a key, as POST `/api/accounts/new` does.
    public mutating func createAccount(publicKey: [UInt8], node: Int = 0) -> AccountView {
        let number = store(address(publicKey: publicKey), publicKey: publicKey)
        return view(number, node: node)
    }

    /// Writes an account's row and key, and tells so when that is news.
    @discardableResult
    mutating func store(_ address: Address, publicKey: [UInt8]?) -> UInt32 {
        let (number, changed) = chain.accounts.store(address, publicKey: publicKey)
        if changed { events.append(.accountStored(address: address.uppercased, publicKey: publicKey)) }
        return number
    }

    /// The confirmed balance of a stored account, less what waits in a node's unconfirmed part.
    func unconfirmedBalance(_ number: UInt32, node: Int, payments: [Int: Int64]? = nil) -> Int64 {
        let pending = pools.indices.contains(node) ? pools[node].pendingUnits[number] ?? 0 : 0
        return balance(number, payments: payments).subtractingClamped(pending).subtractingClamped(
            hiddenMoves(number).spent
        )
    }

    private func view(_ number: UInt32, node: Int) -> AccountView {
        let account = chain.accounts[number]
        return AccountView(
            address: account.address,
            balance: balance(number),
            unconfirmedBalance: unconfirmedBalance(number, node: node),
            publicKey: account.publicKey
        )
    }
}
