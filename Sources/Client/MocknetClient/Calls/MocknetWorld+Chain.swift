extension MocknetWorld {
    /// The accounts whose pass phrases the world knows.
    public func accounts() async throws -> [Account] { try await list("accounts", "/v1/accounts") }

    /// Makes an account, or names a known one.
    ///
    /// Without a pass phrase one is made. The balance is in units of 1e-8 ADM, and there at once.
    public func makeAccount(
        passphrase: String? = nil,
        name: String? = nil,
        balance: UInt64? = nil
    ) async throws -> Account {
        let members: [String: JSON?] = [
            "passphrase": passphrase.map(JSON.string), "name": name.map(JSON.string),
            "balance": balance.map { .string(String($0)) },
        ]
        return try await call("POST", "/v1/accounts", body: JSON(members))
    }

    /// An account by its name or address.
    public func account(_ nameOrAddress: String) async throws -> Account {
        try await call("GET", "/v1/accounts/\(segment(nameOrAddress))")
    }

    /// Gives an account money, in units of 1e-8 ADM, at once.
    @discardableResult
    public func fund(_ nameOrAddress: String, amount: UInt64) async throws -> Account {
        try await call(
            "POST",
            "/v1/accounts/\(segment(nameOrAddress))/fund",
            body: ["amount": .string(String(amount))]
        )
    }

    /// Signs a chat message of an account and submits it; the answer is the transaction's id.
    @discardableResult
    public func sendMessage(
        _ text: String,
        from sender: String,
        to recipient: String,
        node: String? = nil
    ) async throws -> String {
        try await send(
            ["from": .string(sender), "to": .string(recipient), "message": .string(text)],
            node: node
        )
    }

    /// Signs a signal message, by its plain text, and submits it; the answer is the transaction's id.
    @discardableResult
    public func sendSignal(_ text: String, from sender: String, node: String? = nil) async throws -> String {
        let order: JSON = ["from": .string(sender), "to": "ans", "message": .string(text), "kind": "signal"]
        return try await send(order, node: node)
    }

    /// Signs a transfer, in units of 1e-8 ADM, and submits it; the answer is the transaction's id.
    @discardableResult
    public func sendTransfer(
        _ amount: UInt64,
        from sender: String,
        to recipient: String,
        node: String? = nil
    ) async throws -> String {
        let order: JSON = [
            "from": .string(sender), "to": .string(recipient), "amount": .string(String(amount)),
            "kind": "transfer",
        ]
        return try await send(order, node: node)
    }

    private func send(_ order: JSON, node: String?) async throws -> String {
        guard case .object(var members) = order else { return "" }
        members["node"] = node.map(JSON.string)
        let answer: [String: JSON] = try await call("POST", "/v1/transactions", body: .object(members))
        guard let id = answer["transactionId"]?.stringValue else {
            throw MocknetError.unreadable("the answer has no transactionId")
        }
        return id
    }

    /// Transactions after the genesis block, in the order in which they came.
    public func transactions(
        kind: String? = nil,
        state: String? = nil,
        sender: String? = nil,
        recipient: String? = nil,
        limit: Int = 100
    ) async throws -> [TransactionState] {
        let query: [String: String?] = [
            "kind": kind, "state": state, "sender": sender, "recipient": recipient, "limit": String(limit),
        ]
        return try await list("transactions", "/v1/transactions", query: query)
    }

    /// Where a transaction is.
    public func transaction(_ id: String) async throws -> TransactionState {
        try await call("GET", "/v1/transactions/\(segment(id))")
    }

    /// The way of a transaction, and where and why it ended.
    public func trace(_ transactionId: String) async throws -> Trace {
        try await call("GET", "/v1/traces/\(segment(transactionId))")
    }

    /// Transactions that fault rules hold back.
    public func held() async throws -> [HeldTransaction] { try await list("held", "/v1/held") }

    /// Lets a held transaction into its node's pool.
    public func release(_ heldId: String) async throws {
        try await perform("POST", "/v1/held/\(segment(heldId))/release")
    }

    /// The chain, and how it grows.
    public func chain() async throws -> Chain { try await call("GET", "/v1/chain") }

    /// Blocks, the oldest first, from behind the height `after`.
    public func blocks(after: Int = 0, limit: Int = 100) async throws -> [Block] {
        try await list("blocks", "/v1/blocks", query: ["after": String(after), "limit": String(limit)])
    }

    /// A block by its id or height, with its transactions.
    public func block(_ idOrHeight: String) async throws -> Block {
        try await call("GET", "/v1/blocks/\(segment(idOrHeight))")
    }

    /// Changes how blocks are made: `interval`, `instant` or `manual`.
    @discardableResult
    public func setForging(_ forging: String, intervalMilliseconds: Int? = nil) async throws -> Chain {
        let members = [
            "forging": JSON.string(forging),
            "intervalMilliseconds": intervalMilliseconds.map { .integer(Int64($0)) },
        ]
        return try await call("PATCH", "/v1/chain", body: JSON(members))
    }

    /// Makes blocks at once, of all that was accepted, 25 transactions to a block.
    @discardableResult
    public func forge(blocks: Int = 1) async throws -> Chain {
        try await call("POST", "/v1/chain/forge", body: ["blocks": .integer(Int64(blocks))])
    }

    /// The snapshots that were taken.
    public func snapshots() async throws -> [Snapshot] { try await list("snapshots", "/v1/chain/snapshots") }

    /// Takes a snapshot of chain, pools and accounts.
    public func takeSnapshot(name: String? = nil) async throws -> Snapshot {
        try await call("POST", "/v1/chain/snapshots", body: JSON(["name": name.map(JSON.string)]))
    }

    /// Goes back to a snapshot, by id or name, any number of times.
    public func revert(to snapshot: String) async throws {
        try await perform("POST", "/v1/chain/snapshots/\(segment(snapshot))/revert")
    }

    /// Forgets a snapshot, by id or name.
    public func deleteSnapshot(_ snapshot: String) async throws {
        try await perform("DELETE", "/v1/chain/snapshots/\(segment(snapshot))")
    }

    /// Rolls blocks back and forges others in which their transactions return.
    ///
    /// Further members tell what becomes of the transactions: `blocks`, `keep`, `order`, `delay`, `drop`.
    @discardableResult
    public func reorganize(depth: Int, _ members: [String: JSON] = [:]) async throws -> Reorganization {
        let body = members.merging(["depth": .integer(Int64(depth))]) { _, depth in depth }
        return try await call("POST", "/v1/chain/reorg", body: .object(body))
    }
}
