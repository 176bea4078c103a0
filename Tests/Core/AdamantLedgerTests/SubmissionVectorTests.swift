import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: submissions of the golden vectors")
struct SubmissionVectorTests {
    private static func endpoint(_ path: String) -> SubmissionEndpoint? {
        switch path {
        case "/api/transactions/process": .transactionsProcess
        case "/api/chats/process": .chatsProcess
        case "/api/states/store": .statesStore
        case "/api/transactions": .transactions
        default: nil
        }
    }

    private func ledger(_ accounts: [JSONValue], height: Int) throws -> Ledger {
        let genesisAccounts = try accounts.map { account in
            GenesisAccount(
                name: "",
                address: try #require(Address(account["address"]?.stringValue ?? "")),
                publicKey: Hex.decode(account["publicKey"]?.stringValue ?? ""),
                balance: try #require(Int64(account["balance"]?.stringValue ?? ""))
            )
        }
        return Ledger(
            genesis: Genesis(
                accounts: genesisAccounts,
                holder: TestWorld.pairs[0],
                delegates: TestWorld.delegates
            ),
            profiles: [try #require(NodeProfile(version: "0.10"))],
            startHeight: height,
            cryptography: TestWorld.cryptography
        )
    }

    /// The real node hangs after the exception; we go on, so the case after it is accepted.
    private static let goesOn = "any valid post after that"

    @Test("every case is answered as the real node answers it")
    func answersAsTheNode() throws {
        let submissions = try #require(try Fixture.json("crypto/adamant-crypto.json")["submissions"])
        let accounts = try #require(submissions["accounts"]?.arrayValue)
        var ledgers: [Int: Ledger] = [:]
        let cases = try #require(submissions["cases"]?.arrayValue)
        #expect(cases.count > 90)
        for item in cases {
            let name = item["name"]?.stringValue ?? ""
            let height = try #require(item["chainHeight"]?.intValue.map(Int.init))
            let now = Timestamp(milliseconds: try #require(item["nodeClockEpochMs"]?.intValue))
            let submission = Submission(
                body: item["body"] ?? .null,
                endpoint: try #require(Self.endpoint(item["endpoint"]?.stringValue ?? "")),
                cryptography: TestWorld.cryptography
            )
            let needsBlock = item["precondition"]?.stringValue?.contains("already in a block") == true
            var ledger = try self.ledger(accounts, height: height)
            if !needsBlock, let used = ledgers[height] { ledger = used }
            if needsBlock {
                _ = try ledger.submit(submission, node: 0, now: now)
                while ledger.height(of: try #require(submission.id)) == nil {
                    ledger.fillPools(now: now)
                    _ = ledger.forge(now: now)
                }
            }
            let result = Result { () throws(SubmissionRejection) in
                try ledger.submit(submission, node: 0, now: now)
            }
            if !needsBlock { ledgers[height] = ledger }
            compare(result, item, name)
        }
    }

    private func compare(_ result: Result<Identifier, SubmissionRejection>, _ item: JSONValue, _ name: String)
    {
        let expected = item["expect"]
        switch result {
        case .success(let id):
            #expect(
                expected?["transactionId"]?.stringValue == id.description || name == Self.goesOn,
                "\(name)"
            )
        case .failure(let rejection):
            if let message = item["expectException"]?.stringValue {
                #expect(rejection == .exception(message), "\(name)")
            } else if item["expectNoResponse"]?.boolValue == true {
                #expect(rejection.neverAnswered, "\(name)")
            } else {
                #expect(rejection == SubmissionRejection(expected?["error"]?.stringValue ?? ""), "\(name)")
            }
        }
    }
}
