import AdamantLedger
import AdamantModel
import Determinism
import JSONValue

extension NodeServer {
    static let delegateRoutes = [
        Route(.get, "/api/delegates") { server, call throws(NodeRefusal) in try server.delegates(call) },
        Route(.get, "/api/delegates/get") { server, call throws(NodeRefusal) in try server.delegate(call) },
        Route(.get, "/api/delegates/count") { server, _ throws(NodeRefusal) in
            let (count, now) = server.backend.withLedger { ($0.delegateCount, $1) }
            return .members([("count", .int(count))], second: now.epochSeconds)
        },
        Route(.get, "/api/delegates/search") { server, call throws(NodeRefusal) in try server.search(call) },
        Route(.get, "/api/delegates/voters") { server, call throws(NodeRefusal) in try server.voters(call) },
        Route(.get, "/api/delegates/fee", only: [.v0_9]) { server, _ throws(NodeRefusal) in
            .members([("fee", .int(Fees.delegate))], second: server.second)
        },
        Route(.get, "/api/delegates/getNextForgers") { server, call throws(NodeRefusal) in
            try server.nextForgers(call)
        },
        Route(.get, "/api/delegates/forging/getForgedByAccount") { server, call throws(NodeRefusal) in
            try server.forged(call)
        },
        Route("/api/delegates", takes: .delegates),
        Route(.get, "/api/delegates/forging/status") { _, _ throws(NodeRefusal) in throw .accessDenied },
        Route(.post, "/api/delegates/forging/enable") { _, _ throws(NodeRefusal) in throw .accessDenied },
        Route(.post, "/api/delegates/forging/disable") { _, _ throws(NodeRefusal) in throw .accessDenied },
        Route(.get, "/api/accounts/delegates") { server, call throws(NodeRefusal) in
            try server.votes(call)
        },
        Route(.get, "/api/accounts/delegates/fee") { server, _ throws(NodeRefusal) in
            .members([("fee", .int(Fees.delegate))], second: server.second)
        },
        Route("/api/accounts/delegates", takes: .votes),
    ]

    /// - Source: adamant:modules/delegates.js (`getDelegates`)
    private func delegates(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .delegates)
        var (delegates, now) = backend.withLedger { ($0.delegates(), $1) }
        let count = delegates.count
        if let sent = ListOrder.named(call.parameters["orderBy"]), !sent.name.isEmpty {
            guard let order = DelegateOrder(rawValue: sent.name), order.isOfList else {
                throw NodeRefusal("Invalid sort field")
            }
            order.sort(&delegates, isDescending: sent.isDescending ?? true)
        }
        let page = delegates.dropFirst(call.parameters["offset"].clampedInt ?? 0)
            .prefix(call.parameters["limit"].clampedInt ?? Ledger.roundLength)
        return .members(
            [("delegates", .array(page.map(\.json))), ("totalCount", .int(count))],
            second: now.epochSeconds
        )
    }

    /// - Source: adamant:modules/delegates.js (`getDelegate`)
    private func delegate(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .delegate)
        func text(_ name: String) -> String? {
            call.parameters[name]?.stringValue.flatMap { $0.isEmpty ? nil : $0 }
        }
        let (key, username, address) = (text("publicKey"), text("username"), text("address"))
        if let key, let address, let bytes = Hex.decode(key),
            Address(publicKey: bytes, cryptography: backend.cryptography) != Address(address)?.uppercased
        {
            throw NodeRefusal("Delegate publicKey does not match address")
        }
        let (delegates, now) = backend.withLedger { ($0.delegates(), $1) }
        let found = delegates.first { delegate in
            if let key { return delegate.publicKey == key }
            if let username { return delegate.username == username }
            return address.flatMap { Address($0) }?.uppercased == delegate.address
        }
        guard let found else { throw NodeRefusal("Delegate not found") }
        return .members([("delegate", found.json)], second: now.epochSeconds)
    }

    /// - Source: adamant:sql/delegates.js (`search`)
    private func search(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .delegateSearch)
        let pattern = LikePattern("%" + (call.parameters["q"]?.stringValue ?? "").lowercased() + "%")
        var (delegates, now) = backend.withLedger { ($0.delegates(), $1) }
        let sent = ListOrder.named(call.parameters["orderBy"])
        let name = sent.map(\.name).flatMap { $0.isEmpty ? nil : $0 } ?? DelegateOrder.username.rawValue
        guard let order = DelegateOrder(rawValue: name), order.isOfSearch else {
            throw NodeRefusal("Invalid sort field")
        }
        order.sort(&delegates, isDescending: sent?.isDescending ?? false)
        let matches = delegates.filter { pattern.matches($0.username) }
            .prefix(call.parameters["limit"].clampedInt ?? Ledger.roundLength)
        return .members([("delegates", .array(matches.map(\.searchJSON)))], second: now.epochSeconds)
    }

    private func voters(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .voters)
        let key = call.parameters["publicKey"]?.stringValue ?? ""
        let (voters, now) = backend.withLedger { ($0.voters(publicKey: key), $1) }
        let accounts = voters.map { voter -> JSONValue in
            [
                "address": .string(voter.address.text), "balance": .string(String(voter.balance)),
                "username": .optional(voter.username), "publicKey": .optional(voter.publicKey),
            ]
        }
        return .members([("accounts", .array(accounts))], second: now.epochSeconds)
    }

    private func nextForgers(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .nextForgers)
        let limit = call.parameters["limit"].clampedInt ?? 10
        let ((block, forgers), now) = backend.withLedger { ledger, now in
            ((ledger.lastBlock, ledger.nextForgers(after: now, limit: limit)), now)
        }
        let slot = Int64(block.timestamp).flooredDivision(by: Timestamp.slotSeconds)
        return .members(
            [
                ("currentBlock", .int(block.height)), ("currentBlockSlot", .int(slot)),
                ("currentSlot", .int(now.slot)), ("delegates", .array(forgers.map(JSONValue.string))),
            ],
            second: now.epochSeconds
        )
    }

    /// - Source: adamant:modules/delegates.js (`getForgedByAccount`), modules/blocks/utils.js
    private func forged(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .forged)
        guard let key = Hex.decode(call.parameters["generatorPublicKey"]?.stringValue ?? ""), !key.isEmpty
        else { throw NodeRefusal("Account not found") }
        let epoch = Timestamp.epochUnixMilliseconds / 1000
        let start = call.parameters["start"].clampedInteger?.subtractingClamped(epoch)
        let end = call.parameters["end"].clampedInteger?.subtractingClamped(epoch)
        let hasRange = start != nil || end != nil
        let (found, now) = backend.withLedger { ledger, now in
            let found =
                hasRange
                ? ledger.forged(publicKey: key, from: start ?? .min, to: end ?? .max)
                : ledger.forged(publicKey: key)
            return (found, now)
        }
        guard let amounts = found else {
            throw NodeRefusal(hasRange ? "Account not found or is not a delegate" : "Account not found")
        }
        var members: [(String, JSONValue)] = [
            ("fees", .string(String(amounts.fees))), ("rewards", .string(String(amounts.rewards))),
            ("forged", .string(String(amounts.total))),
        ]
        if hasRange { members.append(("count", .int(amounts.blocks))) }
        return .members(members, second: now.epochSeconds)
    }

    /// - Source: adamant:modules/accounts.js (`getDelegates`)
    private func votes(_ call: Call) throws(NodeRefusal) -> Reply {
        try check(call, by: .accountAddress)
        let address = call.parameters["address"]?.stringValue ?? ""
        let ((votes, delegates), now) = backend.withLedger { ledger, now in
            ((ledger.votes(of: address), ledger.delegates()), now)
        }
        guard let votes else { throw NodeRefusal("Account not found") }
        let chosen = Set(votes)
        let found = delegates.filter { chosen.contains($0.publicKey) }
        return .members([("delegates", .array(found.map(\.json)))], second: now.epochSeconds)
    }
}

extension NodeRefusal {
    /// What everybody hears who is not on the node's list of addresses that may let it forge.
    fileprivate static let accessDenied = NodeRefusal("Access denied")
}

extension ObjectSchema {
    private static let username = SchemaRule(
        types: ["string"],
        format: .username,
        minimumLength: 1,
        maximumLength: 20
    )

    /// What `/api/delegates` asks for.
    ///
    /// - Source: adamant:schema/delegates.js
    fileprivate static let delegates = ObjectSchema(
        required: [],
        members: ["orderBy": .text, "limit": .integer(1, 101), "offset": .integer(0)]
    )

    /// What `/api/delegates/get` asks for.
    fileprivate static let delegate = ObjectSchema(
        required: [],
        members: ["publicKey": .publicKey, "username": username, "address": .address]
    )

    /// What `/api/delegates/search` asks for.
    fileprivate static let delegateSearch = ObjectSchema(
        required: ["q"],
        members: [
            "q": SchemaRule(types: ["string"], minimumLength: 1, maximumLength: 20),
            "limit": .integer(1, 1000),
        ]
    )

    /// What `/api/delegates/voters` asks for.
    fileprivate static let voters = ObjectSchema(
        required: ["publicKey"],
        members: ["publicKey": .publicKey]
    )

    /// What `/api/delegates/getNextForgers` asks for.
    fileprivate static let nextForgers = ObjectSchema(required: [], members: ["limit": .integer(1, 101)])

    /// What `/api/delegates/forging/getForgedByAccount` asks for.
    fileprivate static let forged = ObjectSchema(
        required: ["generatorPublicKey"],
        members: [
            "generatorPublicKey": .publicKey, "start": SchemaRule(types: ["integer"]),
            "end": SchemaRule(types: ["integer"]),
        ]
    )
}
