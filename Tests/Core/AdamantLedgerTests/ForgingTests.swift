import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Ledger: blocks and accounts")
struct ForgingTests {
    @Test("the genesis block pays the accounts without fees and is signed by the holder of the rest")
    func genesis() throws {
        let world = TestWorld(startHeight: 7)
        let block = try #require(world.ledger.block(height: 7))
        #expect(world.ledger.height == 7 && world.ledger.startHeight == 7)
        #expect(block.numberOfTransactions == 3 && block.totalFee == 0 && block.timestamp == 0)
        #expect(block.previousBlock == nil && block.totalAmount == 300_000_000_000)
        for transaction in world.ledger.transactions(height: 7) {
            #expect(transaction.fee == 0 && transaction.type == 0)
            #expect(
                TestWorld.cryptography.verify(
                    signature: transaction.signature,
                    message: TestWorld.cryptography.sha256(transaction.unsignedBytes),
                    publicKey: TestWorld.pairs[0].publicKey
                )
            )
        }
        let rest: Int64 = 9_800_000_000_000_000 - 300_000_000_000
        #expect(world.balance(0) == rest)
        let zero = try #require(world.ledger.account(TestWorld.address(4).text))
        #expect(zero.balance == 0 && zero.publicKey == TestWorld.pairs[4].publicKey)
        #expect(throws: SubmissionRejection("Invalid sender. Can not send from genesis account")) {
            var world = world
            try world.post(world.transfer(0, TestWorld.address(1), 1))
        }
    }

    @Test("blocks are chained, signed by the slot's delegate, and stamped with the start of the slot")
    func chains() throws {
        var world = TestWorld()
        world.now = Timestamp(milliseconds: 300_000_004_999)
        let first = world.forge()
        let second = world.forge()
        world.now = Timestamp(milliseconds: 299_000_000_000)
        let third = world.forge()
        world.now = Timestamp(milliseconds: 300_000_005_000)
        let fourth = world.forge()
        #expect(
            [first, second, third, fourth].map(\.timestamp) == [
                300_000_000, 300_000_000, 300_000_000, 300_000_005,
            ]
        )
        #expect([first, second, third, fourth].map(\.height) == [2, 3, 4, 5])
        #expect(second.previousBlock == first.id && fourth.previousBlock == third.id)
        #expect(first.generatorPublicKey == TestWorld.delegates[300_000_000 / 5 % 101].publicKey)
        #expect(fourth.generatorPublicKey == TestWorld.delegates[300_000_005 / 5 % 101].publicKey)
        for block in [first, second, third, fourth] {
            #expect(world.ledger.block(height: block.height) == block)
            #expect(world.ledger.block(id: block.id) == block)
            #expect(
                TestWorld.cryptography.verify(
                    signature: block.signature,
                    message: TestWorld.cryptography.sha256(block.unsignedBytes),
                    publicKey: block.generatorPublicKey
                )
            )
        }
        #expect(world.ledger.lastBlock == fourth)
        #expect(world.ledger.block(height: 6) == nil && world.ledger.block(height: .min) == nil)
        #expect(world.ledger.block(id: Identifier(1)) == nil)
    }

    @Test("contents are sorted by type, then amount")
    func sorts() throws {
        var world = TestWorld(versions: ["0.9"])
        let chat = try world.post(world.chat(1, TestWorld.address(2), "aa"))
        let large = try world.post(world.transfer(1, TestWorld.address(2), 9))
        let state = try world.post(world.state(1, "v", key: "k"))
        let small = try world.post(world.transfer(1, TestWorld.address(2), 3))
        let block = world.forge()
        #expect(world.ledger.transactions(height: block.height).map(\.id) == [small, large, chat, state])
        #expect(block.totalFee == 100_200_000 && block.totalAmount == 12)
    }

    @Test(
        "forgers get their rewards and a share of the fees for each block when the round ends, the last the rest"
    )
    func pays() throws {
        let height = 2_020_000 / 101 * 101
        var world = TestWorld(startHeight: height - 3)
        try world.post(world.transfer(1, TestWorld.address(2), 1))
        try world.post(world.chat(1, TestWorld.address(2), String(repeating: "ab", count: 765)))
        world.forge()
        world.wait(5)
        world.forge()
        let delegates = TestWorld.delegates.map { $0.address(cryptography: TestWorld.cryptography) }
        func paid() -> [Int64] { delegates.map { world.ledger.account($0.text)?.balance ?? -1 } }
        #expect(paid().allSatisfy { $0 == 0 })
        world.wait(5)
        world.forge()
        let slot = 300_000_000 / 5 % 101
        var expected = [Int64](repeating: 0, count: 101)
        for index in slot..<slot + 3 { expected[index % 101] = 50_000_000 + 50_200_000 / 3 }
        expected[(slot + 2) % 101] += 50_200_000 % 3
        #expect(paid() == expected)
    }

    @Test("an account exists once credited, created, or after posting, but not by a plain message")
    func accounts() throws {
        var world = TestWorld(balances: [100_000_000_000])
        #expect(world.ledger.account(TestWorld.address(5).text) == nil)
        try world.post(world.chat(1, TestWorld.address(5), "aa"))
        try world.post(world.transfer(1, TestWorld.address(6).uppercased, 10))
        world.forge()
        #expect(world.ledger.account(TestWorld.address(5).text) == nil)
        let credited = try #require(world.ledger.account("u" + TestWorld.address(6).text.dropFirst()))
        #expect(
            credited.balance == 10 && credited.publicKey == nil && credited.address == TestWorld.address(6)
        )

        _ = world.ledger.takeEvents()
        let key = TestWorld.pairs[6].publicKey
        #expect(world.ledger.storePublicKey(TestWorld.pairs[5].publicKey) == nil)
        #expect(world.ledger.storePublicKey(key)?.publicKey == key)
        #expect(world.ledger.takeEvents() == [.accountStored(address: TestWorld.address(6), publicKey: key)])
        #expect(world.ledger.storePublicKey(key)?.publicKey == key)
        #expect(!world.ledger.hasEvents)

        #expect(world.ledger.createAccount(publicKey: TestWorld.pairs[7].publicKey).balance == 0)
        #expect(world.ledger.account(TestWorld.address(7).text)?.publicKey == TestWorld.pairs[7].publicKey)

        #expect(throws: SubmissionRejection.self) {
            try world.post(world.chat(8, TestWorld.address(1), "aa"))
        }
        #expect(world.ledger.account(TestWorld.address(8).text)?.publicKey == TestWorld.pairs[8].publicKey)
        #expect(throws: SubmissionRejection("Missing required property: signature")) {
            try world.post(body: [
                "transaction": ["senderPublicKey": .string(Hex.encode(TestWorld.pairs[9].publicKey))]
            ])
        }
        #expect(world.ledger.account(TestWorld.address(9).text) == nil)
        #expect(world.ledger.account("nonsense") == nil)
    }

    @Test("a transfer to a lower-case address credits the account, and is stored as sent")
    func lowercase() throws {
        var world = TestWorld()
        let lower = try #require(Address("u" + TestWorld.address(2).text.dropFirst()))
        let id = try world.post(world.transfer(1, lower, 10))
        world.forge()
        #expect(world.balance(2) == 100_000_000_010)
        #expect(world.ledger.transaction(id)?.recipient == lower)
    }

    @Test("delegate registrations and votes follow their rules")
    func delegates() throws {
        var world = TestWorld(versions: ["0.9"], balances: [1_000_000_000_000, 1_000_000_000_000])
        func sign(_ asset: Asset, _ type: Int, _ from: Int, to: Address? = nil, amount: Int64 = 0)
            -> Transaction
        {
            Transaction(
                signing: asset,
                type: type,
                timestamp: world.seconds,
                recipient: to,
                amount: amount,
                by: TestWorld.pairs[from],
                cryptography: TestWorld.cryptography
            )
        }
        func refusal(_ transaction: Transaction) -> String? {
            do { try world.post(transaction) } catch { return (error as? SubmissionRejection)?.message }
            return nil
        }
        let names: [(String, String)] = [
            ("Alice", "Username must be lowercase"), ("", "Username is undefined"), (" ", "Empty username"),
            ("abcdefghijklmnopqrstu", "Username is too long. Maximum is 20 characters"),
            ("u12345", "Username can not be a potential address"),
            (
                "\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}\u{e9}",
                "Username can only contain alphanumeric characters with the exception of !@$&_."
            ),
            ("a-b", "Username can only contain alphanumeric characters with the exception of !@$&_."),
            ("genesis_1", "Username already exists"),
        ]
        for (name, text) in names { #expect(refusal(sign(.delegate(username: name), 2, 1)) == text) }
        #expect(
            refusal(sign(.delegate(username: "a"), 2, 1, to: TestWorld.address(2))) == "Invalid recipient"
        )
        #expect(refusal(sign(.delegate(username: "a"), 2, 1, amount: 1)) == "Invalid transaction amount")
        #expect(refusal(sign(.delegate(username: "alice"), 2, 1)) == nil)
        world.forge()
        #expect(refusal(sign(.delegate(username: "other"), 2, 1)) == "Account is already a delegate")
        #expect(refusal(sign(.delegate(username: "alice"), 2, 2)) == "Username already exists")

        let key = Hex.encode(TestWorld.pairs[1].publicKey)
        let me = TestWorld.address(2)
        let votes: [([String], Address?, String)] = [
            (["+" + key], TestWorld.address(1), "Invalid recipient"),
            ([], me, "Invalid votes. Must not be empty"),
            (
                Array(repeating: "+" + key, count: 34), me,
                "Voting limit exceeded. Maximum is 33 votes per transaction"
            ),
            ([key + "0"], me, "Invalid vote at index 0 - Invalid vote format"),
            (["+" + key, "+"], me, "Invalid vote at index 1 - Invalid vote format"),
            (["+" + key, "-" + key + "0"], me, "Invalid vote at index 1 - Invalid vote length"),
            (["+" + key, "-" + key], me, "Multiple votes for same delegate are not allowed"),
            (["-" + key], me, "Failed to remove vote, account has not voted for this delegate"),
            (["+" + Hex.encode(TestWorld.pairs[3].publicKey)], me, "Delegate not found"),
        ]
        for (list, to, text) in votes { #expect(refusal(sign(.votes(list), 3, 2, to: to)) == text) }
        let vote = sign(.votes(["+" + key]), 3, 2, to: me)
        #expect(refusal(vote) == nil)
        world.forge()
        #expect(
            refusal(sign(.votes(["+" + key]), 3, 2, to: me))
                == "Failed to add vote, account has already voted for this delegate"
        )
        let json = try #require(
            world.ledger.transactionJSON(
                vote.id,
                form: .single(returnsAsset: false),
                profile: NodeProfile(version: "0.10")!
            )
        )
        #expect(try JSONValue(parsing: json)["votes"] == ["added": [.string(key)], "deleted": []])
        #expect(refusal(sign(.votes(["-" + key]), 3, 2, to: me)) == nil)
    }
}
