import AdamantModel
import Determinism
import HTTPClient
import JSONValue
import Simulators
import SystemCryptography

/// Messages between accounts of the fixture `accounts`, each drawn from the seed and its number.
struct LedgerLoad: Sendable {
    private let pairs: [KeyPair]
    private let addresses: [Address]
    private let seed: UInt64
    private let nodes: [String]
    private let cryptography = SystemCryptography()

    init(accounts: Int, seed: UInt64, nodes: [String]) {
        let cryptography = cryptography
        pairs = (0..<accounts).compactMap {
            FixtureAccounts.pair($0, purpose: "account", seed: seed, cryptography: cryptography)
        }
        addresses = pairs.map { $0.address(cryptography: cryptography) }
        self.seed = seed
        self.nodes = nodes
    }

    /// The post of a message, counted from 0, to the nodes in turn.
    func request(_ number: Int, second: Int32) -> HTTPClientRequest {
        var generator = SeededGenerator(seed: seed, purpose: "load \(number)")
        let sender = Int.random(in: 0..<pairs.count, using: &generator)
        let step = Int.random(in: 1..<max(2, pairs.count), using: &generator)
        let recipient = (sender + step) % pairs.count
        let box = MessageBox(
            sealing: "Message \(number)",
            nonce: generator.bytes(24),
            to: pairs[recipient].publicKey,
            from: pairs[sender],
            cryptography: cryptography
        )
        let transaction = Transaction(
            signing: .chat(
                message: box?.message ?? "",
                ownMessage: box?.nonce,
                type: Transaction.ChatKind.ordinary
            ),
            type: Transaction.Kind.chat,
            timestamp: second,
            recipient: addresses[recipient],
            amount: 0,
            by: pairs[sender],
            cryptography: cryptography
        )
        let body: JSONValue = ["transaction": transaction.postedJSON]
        return HTTPClientRequest(
            method: "POST",
            url: nodes[number % max(1, nodes.count)] + "/api/transactions/process",
            headers: [("Content-Type", "application/json")],
            body: body.bytes
        )
    }

    /// What became of the messages so far.
    struct Tally {
        private(set) var sent = 0
        private(set) var accepted = 0
        /// Whether any node has answered.
        private(set) var hasReached = false
        private(set) var lastFailure = ""
        private var refusals: [String: Int] = [:]

        /// Counts an answer.
        mutating func note(_ answer: Result<HTTPClientResponse, HTTPClientError>) {
            sent += 1
            switch answer {
            case .failure(let error):
                lastFailure = "\(error)"
                refusals[lastFailure, default: 0] += 1
            case .success(let response):
                hasReached = true
                let json = try? JSONValue(parsing: response.body)
                guard json?["success"] != true else { return accepted += 1 }
                // Ids and balances must not tell equal reasons apart.
                let words = json?["error"]?.stringValue ?? "HTTP \(response.status)"
                refusals[String(words.prefix { !$0.isNumber }), default: 0] += 1
            }
        }

        /// The tally as `--json` prints it.
        func json(milliseconds: Int64) -> JSONValue {
            let reasons = refusals.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            return [
                "sent": .int(sent), "accepted": .int(accepted), "milliseconds": .int(milliseconds),
                "perSecond": .int(Int64(accepted) * 1000 / max(1, milliseconds)),
                "refusals": .array(reasons.map { ["why": .string($0.key), "count": .int($0.value)] }),
            ]
        }
    }
}
