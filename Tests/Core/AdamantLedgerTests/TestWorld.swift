import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import SystemCryptography
import TestSupport

/// A ledger with its keys, and a clock that tests move.
struct TestWorld {
    static let cryptography = SystemCryptography()
    static let start = Timestamp(epochSeconds: 300_000_000)

    /// Key pairs by number: accounts from 1, the holder 0, delegates from 1000.
    static func pair(_ number: Int) -> KeyPair {
        var seed = [UInt8](repeating: 7, count: 32)
        for index in 0..<8 { seed[index] = UInt8(truncatingIfNeeded: number >> (8 * index)) }
        return cryptography.keyPair(seed: seed)!
    }

    static let pairs = (0..<12).map(pair)
    static let delegates = (1000..<1101).map(pair)

    static func address(_ number: Int) -> Address { pairs[number].address(cryptography: cryptography) }

    var ledger: Ledger
    var now = start

    init(
        versions: [String] = ["0.10"],
        balances: [Int64] = [100_000_000_000, 100_000_000_000, 100_000_000_000, 0],
        startHeight: Int = 1,
        extra: [GenesisAccount] = [],
        showsDelegates: Bool = false
    ) {
        let accounts = balances.enumerated().map { index, balance in
            GenesisAccount(
                name: "account \(index + 1)",
                address: Self.address(index + 1),
                publicKey: Self.pairs[index + 1].publicKey,
                balance: balance
            )
        }
        ledger = Ledger(
            genesis: Genesis(
                accounts: accounts + extra,
                holder: Self.pairs[0],
                delegates: Self.delegates,
                showsDelegates: showsDelegates
            ),
            profiles: versions.map { NodeProfile(version: $0)! },
            startHeight: startHeight,
            cryptography: Self.cryptography
        )
    }

    var seconds: Int32 { Int32(now.epochSeconds) }

    func transfer(_ from: Int, _ to: Address, _ amount: Int64, at timestamp: Int32? = nil) -> Transaction {
        Transaction(
            signing: .none,
            type: 0,
            timestamp: timestamp ?? seconds,
            recipient: to,
            amount: amount,
            by: Self.pairs[from],
            cryptography: Self.cryptography
        )
    }

    func chat(
        _ from: Int,
        _ to: Address,
        _ message: String,
        type: Int32 = 1,
        nonce: String? = "00",
        amount: Int64 = 0,
        at timestamp: Int32? = nil
    ) -> Transaction {
        Transaction(
            signing: .chat(message: message, ownMessage: nonce, type: type),
            type: 8,
            timestamp: timestamp ?? seconds,
            recipient: to,
            amount: amount,
            by: Self.pairs[from],
            cryptography: Self.cryptography
        )
    }

    func state(
        _ from: Int,
        _ value: String,
        key: String?,
        type: Int32 = 0,
        at timestamp: Int32? = nil
    ) -> Transaction {
        Transaction(
            signing: .state(value: value, key: key, type: type),
            type: 9,
            timestamp: timestamp ?? seconds,
            recipient: nil,
            amount: 0,
            by: Self.pairs[from],
            cryptography: Self.cryptography
        )
    }

    func registration(_ from: Int, _ username: String) -> Transaction {
        Transaction(
            signing: .delegate(username: username),
            type: 2,
            timestamp: seconds,
            recipient: nil,
            amount: 0,
            by: Self.pairs[from],
            cryptography: Self.cryptography
        )
    }

    func vote(_ from: Int, _ changes: [String]) -> Transaction {
        Transaction(
            signing: .votes(changes),
            type: 3,
            timestamp: seconds,
            recipient: Self.address(from),
            amount: 0,
            by: Self.pairs[from],
            cryptography: Self.cryptography
        )
    }

    @discardableResult
    mutating func post(_ transaction: Transaction, node: Int = 0) throws -> Identifier {
        try post(body: ["transaction": transaction.postedJSON], node: node)
    }

    @discardableResult
    mutating func post(
        body: JSONValue,
        to endpoint: SubmissionEndpoint = .transactionsProcess,
        node: Int = 0
    ) throws -> Identifier {
        let submission = Submission(body: body, endpoint: endpoint, cryptography: Self.cryptography)
        return try ledger.submit(submission, node: node, now: now)
    }

    /// Fills the pools and forges one block.
    @discardableResult
    mutating func forge() -> Block {
        ledger.fillPools(now: now)
        return ledger.forge(now: now)
    }

    /// Fills and forges until nothing waits.
    mutating func forgeAll() {
        repeat {
            forge()
        } while (0..<ledger.nodeCount).contains {
            !ledger.queued(node: $0).isEmpty || !ledger.unconfirmed(node: $0).isEmpty
        }
    }

    mutating func wait(_ seconds: Int64) { now = now.adding(milliseconds: seconds * 1000) }

    func balance(_ number: Int) -> Int64? { ledger.account(Self.address(number).text)?.balance }

    func json(_ query: TransactionQuery, version: String = "0.10") throws -> (
        elements: [JSONValue], count: Int
    ) {
        var output = Array("[".utf8)
        let summary = try ledger.page(query, profile: NodeProfile(version: version)!, into: &output)
        output.append(UInt8(ascii: "]"))
        return (try JSONValue(parsing: output).arrayValue ?? [], summary.count)
    }

    func ids(_ query: TransactionQuery, version: String = "0.10") throws -> [String] {
        try json(query, version: version).elements.compactMap { $0["id"]?.stringValue }
    }
}

extension Transaction {
    /// What a client posts.
    var submission: Submission {
        Submission(
            body: ["transaction": postedJSON],
            endpoint: .transactionsProcess,
            cryptography: TestWorld.cryptography
        )
    }
}
