import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let accountRoutes = [
        Route(.get, "/api/accounts") { server, call throws(NodeRefusal) in try server.account(call) },
        Route(.get, "/api/accounts/getBalance") { server, call throws(NodeRefusal) in try server.balance(call)
        },
        Route(.get, "/api/accounts/getPublicKey") { server, call throws(NodeRefusal) in
            try server.publicKey(call)
        },
        Route(.post, "/api/accounts/new") { server, call throws(NodeRefusal) in try server.newAccount(call) },
    ]

    /// - Source: adamant:modules/accounts.js (`getAccount`)
    private func account(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .account)
        let address = call.parameters["address"]?.stringValue ?? ""
        let key = Hex.decode(call.parameters["publicKey"]?.stringValue ?? "") ?? []
        guard !address.isEmpty || !key.isEmpty else {
            throw NodeRefusal("Missing required property: address or publicKey")
        }
        guard !key.isEmpty else {
            let (account, now) = backend.withLedger { ($0.account(address, node: node), $1) }
            return try reply(account, call, now: now)
        }
        let owner = Address(publicKey: key, cryptography: backend.cryptography)
        guard address.isEmpty || address == owner.text else {
            throw NodeRefusal("Account publicKey does not match address")
        }
        let (account, now) = backend.withLedger { ($0.storePublicKey(key, node: node), $1) }
        return try reply(account, call, now: now)
    }

    private func reply(_ account: AccountView?, _ call: Call, now: Timestamp) throws(NodeRefusal) -> Reply {
        guard let account else { throw NodeRefusal("Account not found") }
        return .members(Self.accountMember(account, multisignatures: "[]"), second: now.epochSeconds)
    }

    /// - Source: adamant:modules/accounts.js (`getBalance`)
    private func balance(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .accountAddress)
        let address = call.parameters["address"]?.stringValue ?? ""
        let (account, now) = backend.withLedger { ($0.account(address, node: node), $1) }
        let members =
            ",\"balance\":\"\(account?.balance ?? 0)\",\"unconfirmedBalance\":\"\(account?.unconfirmedBalance ?? 0)\""
        return .members(members, second: now.epochSeconds)
    }

    /// - Source: adamant:modules/accounts.js (`getPublickey`)
    private func publicKey(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .accountAddress)
        let address = call.parameters["address"]?.stringValue ?? ""
        let (account, now) = backend.withLedger { ($0.account(address, node: node), $1) }
        guard let key = account?.publicKey else { throw NodeRefusal("Account not found") }
        return .members(",\"publicKey\":\"\(Hex.encode(key))\"", second: now.epochSeconds)
    }

    /// - Source: adamant:modules/accounts.js (`new`)
    private func newAccount(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .newAccount)
        guard let key = Hex.decode(call.parameters["publicKey"]?.stringValue ?? ""), !key.isEmpty else {
            throw NodeRefusal("Missing address or public key")
        }
        let (account, now) = backend.withLedger { ($0.createAccount(publicKey: key, node: node), $1) }
        return .members(Self.accountMember(account, multisignatures: "null"), second: now.epochSeconds)
    }

    static func accountMember(_ account: AccountView, multisignatures: String) -> String {
        let key = account.publicKey.map { "\"\(Hex.encode($0))\"" } ?? "null"
        return
            ",\"account\":{\"address\":\"\(account.address)\",\"unconfirmedBalance\":\"\(account.unconfirmedBalance)\""
            + ",\"balance\":\"\(account.balance)\",\"publicKey\":\(key),\"unconfirmedSignature\":0"
            + ",\"secondSignature\":0,\"secondPublicKey\":null,\"multisignatures\":\(multisignatures)"
            + ",\"u_multisignatures\":\(multisignatures)}"
    }
}
