import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Ledger: what holds after any submissions")
struct PropertyTests {
    private static let versions = [["0.9"], ["0.10"], ["0.9", "0.10"], ["0.10", "0.10", "0.9"]]

    /// Heights that reach rewards and round ends soon.
    private static let heights = [1, 95, 1_999_995, 100_000_000]

    private static func run(_ seed: Int) -> RandomChain {
        var random = RandomChain(
            seed: UInt64(seed),
            versions: versions[seed % 4],
            startHeight: heights[seed / 4 % 4]
        )
        random.run(steps: 250)
        return random
    }

    private static var addresses: [Address] {
        (TestWorld.pairs + TestWorld.delegates).map { $0.address(cryptography: TestWorld.cryptography) }
    }

    @Test("no unit of the supply is lost or made, and no balance is negative", arguments: 1...8)
    func conserves(seed: Int) throws {
        let ledger = Self.run(seed).world.ledger
        let balances = Self.addresses.map { ledger.account($0.text)?.balance ?? 0 }
        #expect(balances.allSatisfy { $0 >= 0 })
        var rewards: Int64 = 0
        var unpaid: Int64 = 0
        for height in ledger.startHeight...ledger.height {
            let block = try #require(ledger.block(height: height))
            rewards += block.reward
            unpaid += block.reward + block.totalFee
            if height.isMultiple(of: 101) { unpaid = 0 }
        }
        #expect(balances.reduce(unpaid, +) == 9_800_000_000_000_000 + rewards)
    }

    @Test("balances follow from the blocks alone", arguments: 1...4)
    func followsFromBlocks(seed: Int) throws {
        let random = Self.run(seed)
        let ledger = random.world.ledger
        var balances: [String: Int64] = [TestWorld.address(0).text: 9_800_000_000_000_000]
        var ids: Set<Identifier> = []
        for height in ledger.startHeight...ledger.height {
            let block = try #require(ledger.block(height: height))
            let transactions = ledger.transactions(height: height)
            #expect(block.numberOfTransactions == transactions.count && transactions.count <= 25)
            #expect(block.totalFee == transactions.reduce(0) { $0 + $1.fee })
            #expect(
                block.payloadHash == TestWorld.cryptography.sha256(transactions.flatMap(\.fullBytes))
            )
            for transaction in transactions {
                #expect(ids.insert(transaction.id).inserted)
                balances[transaction.sender.text, default: 0] -= transaction.amount + transaction.fee
                if transaction.amount > 0, let recipient = transaction.recipient {
                    balances[recipient.uppercased.text, default: 0] += transaction.amount
                }
            }
        }
        for (address, balance) in balances { #expect(ledger.account(address)?.balance == balance) }
    }

    @Test("restoring the events, through their bytes, gives the same ledger", arguments: 1...8)
    func restores(seed: Int) throws {
        var random = Self.run(seed)
        var original = random.world.ledger
        var restored = TestWorld(
            versions: Self.versions[seed % 4],
            balances: [900_000_000_000, 430_000_000_000, 2_000_000_000, 0],
            startHeight: Self.heights[seed / 4 % 4]
        ).ledger
        for event in original.takeEvents() {
            let decoded = try #require(LedgerEvent(decoding: event.encoded))
            let fits = restored.restore(decoded)
            #expect(fits)
        }
        #expect(!restored.hasEvents)
        try compare(original, restored)
        random.world.ledger = original
        var other = random
        other.world.ledger = restored
        random.run(steps: 60)
        other.run(steps: 60)
        try compare(random.world.ledger, other.world.ledger)
    }

    private func compare(_ left: Ledger, _ right: Ledger) throws {
        #expect(left.height == right.height && left.lastBlock == right.lastBlock)
        #expect(left.delegates() == right.delegates())
        for address in Self.addresses {
            #expect(left.votes(of: address.text) == right.votes(of: address.text))
        }
        for node in 0..<left.nodeCount {
            #expect(left.queued(node: node) == right.queued(node: node))
            #expect(left.unconfirmed(node: node) == right.unconfirmed(node: node))
            for address in Self.addresses {
                #expect(left.account(address.text, node: node) == right.account(address.text, node: node))
            }
        }
        var query = TransactionQuery(.transactions)
        query.limit = 10_000
        query.returnsAsset = true
        let profile = try #require(NodeProfile(version: "0.10"))
        var (leftBytes, rightBytes) = ([UInt8](), [UInt8]())
        let counts = (
            try left.page(query, profile: profile, into: &leftBytes),
            try right.page(query, profile: profile, into: &rightBytes)
        )
        #expect(counts.0 == counts.1 && leftBytes == rightBytes)
        #expect(left.blocks(BlockQuery()) == right.blocks(BlockQuery()))
        for address in Self.addresses.prefix(8) {
            var rooms = ([UInt8](), [UInt8]())
            let query = ChatRoomQuery(user: address)
            let counts = (
                left.rooms(query, profile: profile, into: &rooms.0),
                right.rooms(query, profile: profile, into: &rooms.1)
            )
            #expect(counts.0 == counts.1 && rooms.0 == rooms.1)
        }
        for entry in left.transactions(height: left.height) {
            #expect(left.location(of: entry.id, node: 0) == right.location(of: entry.id, node: 0))
        }
    }

    @Test("events that do not fit are refused and change nothing")
    func refusesStrangeEvents() throws {
        var world = TestWorld()
        let transaction = world.transfer(1, TestWorld.address(2), 1)
        let events: [LedgerEvent] = [
            .relayed(node: 0, transaction.id, receivedAt: world.now), .unconfirmed(node: 0, transaction.id),
            .unconfirmed(node: 5, transaction.id), .dropped(node: 5, transaction.id, reason: ""),
            .accepted(node: 5, transaction, posted: JSONObject(), receivedAt: world.now),
            .forged(world.ledger.lastBlock, []),
        ]
        for event in events {
            let fits = world.ledger.restore(event)
            #expect(!fits)
        }
        #expect(world.ledger.height == 1)
        let accepted = LedgerEvent.accepted(node: 0, transaction, posted: JSONObject(), receivedAt: world.now)
        let fits = (world.ledger.restore(accepted), world.ledger.restore(accepted))
        #expect(fits == (true, false))
        #expect(world.ledger.location(of: transaction.id, node: 0) == .queued)
    }
}
