import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let accountListRoutes = [
        Route(.get, "/api/accounts/top", only: [.v0_10]) { server, call throws(NodeRefusal) in
            try server.richest(call)
        },
        Route(.get, "/api/accounts/count") { _, _ throws(NodeRefusal) in
            throw .exception("Cannot convert undefined or null to object")
        },
        Route(.post, "/api/accounts/open", only: [.v0_9]) { server, call throws(NodeRefusal) in
            let key = try server.key(of: call)
            let (found, now) = server.backend.withLedger { ledger, now in
                (ledger.account(ledger.address(publicKey: key).text, node: server.node), now)
            }
            let account = found?.withKey(key) ?? server.unknownAccount(key)
            let member = accountMember(account, multisignatures: found == nil ? "null" : "[]")
            return .members(member, second: now.epochSeconds)
        },
        Route(.post, "/api/accounts/generatePublicKey", only: [.v0_9]) { server, call throws(NodeRefusal) in
            .members([("publicKey", .string(Hex.encode(try server.key(of: call))))], second: server.second)
        },
    ]

    /// - Source: adamant:modules/accounts.js (`top`)
    private func richest(_ call: Call) throws(NodeRefusal) -> Reply {
        let limit = try Self.bounded("limit", call, 0...100) ?? 100
        let offset = try Self.bounded("offset", call, 0...Int.max) ?? 0
        let isDelegate = try Self.bounded("isDelegate", call, 0...1)
        let (found, now) = backend.withLedger { ledger, now in
            (ledger.richest(isDelegate: isDelegate.map { $0 == 1 }, offset: offset, limit: limit), now)
        }
        let accounts = found.holders.map { holder -> JSONValue in
            [
                "address": .string(holder.address.text), "balance": .string(String(holder.balance)),
                "publicKey": .optional(holder.publicKey), "username": .optional(holder.username),
                "isDelegate": holder.username == nil ? 0 : 1,
            ]
        }
        return .members(
            [
                ("accounts", .array(accounts)), ("count", .int(found.count)), ("limit", .int(limit)),
                ("offset", .int(offset)),
            ],
            second: now.epochSeconds
        )
    }

    /// A parameter that this call alone checks in words of its own.
    private static func bounded(
        _ name: String,
        _ call: Call,
        _ range: ClosedRange<Int>
    ) throws(NodeRefusal) -> Int? {
        guard let sent = call.parameters[name] else { return nil }
        guard let value = JSONValue?.some(sent).clampedInt else {
            throw NodeRefusal("Invalid \(name): value must be an integer")
        }
        guard value >= range.lowerBound else {
            throw NodeRefusal("Invalid \(name): value must be at least \(range.lowerBound)")
        }
        guard value <= range.upperBound else {
            throw NodeRefusal("Invalid \(name): value must be at most \(range.upperBound)")
        }
        return value
    }

    /// The public key of the pass phrase in a body.
    private func key(of call: Call) throws(NodeRefusal) -> [UInt8] {
        try check(call, by: .secret)
        let phrase = call.parameters["secret"]?.stringValue ?? ""
        guard let pair = KeyPair(phrase: phrase, cryptography: backend.cryptography) else {
            throw .exception("Invalid passphrase")
        }
        return pair.publicKey
    }

    private func unknownAccount(_ key: [UInt8]) -> AccountView {
        AccountView(
            address: Address(publicKey: key, cryptography: backend.cryptography),
            balance: 0,
            unconfirmedBalance: 0,
            publicKey: key
        )
    }
}

extension AccountView {
    /// The account with its key, known or not.
    fileprivate func withKey(_ key: [UInt8]) -> AccountView {
        AccountView(
            address: address,
            balance: balance,
            unconfirmedBalance: unconfirmedBalance,
            publicKey: publicKey ?? key
        )
    }
}

extension ObjectSchema {
    /// What the old calls with a pass phrase ask for.
    fileprivate static let secret = ObjectSchema(
        required: ["secret"],
        members: ["secret": SchemaRule(types: ["string"], minimumLength: 1, maximumLength: 100)]
    )
}
