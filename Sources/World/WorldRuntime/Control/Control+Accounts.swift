import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import JSONValue

extension World {
    var accountRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/accounts", parameters: ListQuery.pageParameters) {
                [self] request throws(ControlError) in
                let page = try page(request.query, limit: .max)
                let accounts = withState { state, _ in state.accounts.accounts }
                return .json(.object(Self.document("accounts", page, of: accounts, element: json(of:))))
            },
            ControlRoute("POST", "/v1/accounts", members: ["passphrase", "name", "balance"]) {
                [self] request throws(ControlError) in
                let balance = try request.body.amount("balance") ?? 0
                let (account, isNew) = try addAccount(
                    passphrase: try request.body.string("passphrase"),
                    name: try request.body.string("name")
                )
                if balance > 0 { try fund(account.address, amount: balance) }
                return .json(json(of: account), status: isNew ? 201 : 200)
            },
            ControlRoute("GET", "/v1/accounts/{address}") { [self] request throws(ControlError) in
                .json(try accountJSON(request.parameter("address")))
            },
            ControlRoute("POST", "/v1/accounts/{address}/fund", members: ["amount"]) {
                [self] request throws(ControlError) in
                let address = try existingAddress(request.parameter("address"))
                guard let amount = try request.body.amount("amount"), amount > 0 else {
                    throw .invalid(
                        "amount",
                        "amount is required: a decimal string above 0, in units of 1e-8 ADM"
                    )
                }
                try fund(address, amount: amount)
                return .json(try accountJSON(address.text))
            },
        ]
    }

    /// The address that a name or an address stands for.
    func address(of text: String, field: String) throws(ControlError) -> Address {
        guard let address = findAddress(text) else {
            throw .invalid(field, "'\(text)' is neither an account's name nor an address such as U123")
        }
        return address
    }

    /// The same of one that a path names, where a name that nobody has is not found.
    private func existingAddress(_ text: String) throws(ControlError) -> Address {
        guard let address = findAddress(text) else {
            throw .notFound("there is no account '\(text)', and it is no address such as U123")
        }
        return address
    }

    private func findAddress(_ text: String) -> Address? {
        if text == "ans" { return settings.ansAddress }
        return withState { state, _ in state.accounts.find(text) }?.address ?? Address(text)
    }

    func json(of account: KnownAccount) -> JSONValue {
        [
            "name": .optional(account.name), "address": .string(account.address.text),
            "publicKey": .string(Hex.encode(account.keys.publicKey)),
            "passphrase": .string(account.passphrase),
            "balance": .string(balance(of: account.address)),
        ]
    }

    private func balance(of address: Address) -> String {
        withState { state, _ in String(state.ledger.account(address.text)?.balance ?? 0) }
    }

    private func accountJSON(_ text: String) throws(ControlError) -> JSONValue {
        if let known = withState({ state, _ in state.accounts.find(text) }) { return json(of: known) }
        let address = try existingAddress(text)
        guard let account = withState({ state, _ in state.ledger.account(address.text) }) else {
            throw .notFound("the chain knows no account \(address)")
        }
        return [
            "name": nil, "address": .string(account.address.text),
            "publicKey": .optional(account.publicKey.map(Hex.encode)), "passphrase": nil,
            "balance": .string(String(account.balance)),
        ]
    }

    /// Adds an account, or names one that is known; whether it is new.
    private func addAccount(
        passphrase: String?,
        name: String?
    ) throws(ControlError) -> (account: KnownAccount, isNew: Bool) {
        if let name, name.isEmpty || name == "ans" || name.contains("/") || Address(name) != nil {
            throw .invalid("name", "name must be some text without '/', other than 'ans' and no address")
        }
        let mnemonic =
            passphrase.map { Mnemonic(phrase: $0, cryptography: cryptography) }
            ?? Mnemonic(
                entropy: withState { state, _ in state.generator.bytes(16) },
                cryptography: cryptography
            )
        guard let phrase = mnemonic?.phrase, let keys = KeyPair(phrase: phrase, cryptography: cryptography)
        else {
            throw .invalid("passphrase", "passphrase must be valid BIP-39 English words, as the apps check")
        }
        let address = keys.address(cryptography: cryptography)
        return try withState { state, _ throws(ControlError) in
            if let name, let other = state.accounts.find(name), other.address != address {
                throw .conflict("the name '\(name)' is taken by \(other.address)")
            }
            let known = state.accounts.find(address.text)
            let account = KnownAccount(
                name: name ?? known?.name,
                passphrase: phrase,
                keys: keys,
                address: address
            )
            state.accounts.add(account)
            state.keep(.account, account.kept)
            _ = state.ledger.createAccount(publicKey: keys.publicKey)
            return (account, known == nil)
        }
    }

    /// Gives an account money by a transfer of the world's treasury, in a block of its own.
    private func fund(_ address: Address, amount: Int64) throws(ControlError) {
        try withState { state, now throws(ControlError) in
            do throws(SubmissionRejection) {
                _ = try state.ledger.fund(address, amount: amount, by: settings.treasury, now: now)
            } catch {
                throw .conflict("\(address) cannot be funded: \(error.message)")
            }
        }
    }
}
