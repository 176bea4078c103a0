import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: lists of blocks")
struct BlockQueryTests {
    private static let chain: Ledger = {
        var random = RandomChain(seed: 3, startHeight: 1_999_990)
        random.run(steps: 400)
        return random.world.ledger
    }()

    private static let blocks = (chain.startHeight...chain.height).compactMap { chain.block(height: $0) }

    @Test("every filter, order and page finds what a plain scan finds", arguments: 1...60)
    func matchesScan(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        func one<Element>(_ elements: [Element]) -> Element {
            elements[Int.random(in: 0..<elements.count, using: &generator)]
        }
        let sample = one(Self.blocks)
        var query = BlockQuery()
        if one([true, false, false]) { query.generatorPublicKey = Hex.encode(sample.generatorPublicKey) }
        if one([true, false, false, false]) { query.height = sample.height }
        if one([true, false, false, false]) {
            query.previousBlock = sample.previousBlock?.description ?? "1"
        }
        if one([true, false, false]) { query.numberOfTransactions = Int64(sample.numberOfTransactions) }
        if one([true, false, false, false]) { query.totalAmount = sample.totalAmount }
        if one([true, false, false, false]) { query.totalFee = sample.totalFee }
        if one([true, false, false]) { query.reward = sample.reward }
        query.order = one(BlockQuery.Field.allCases)
        query.isDescending = one([true, false])
        query.offset = one([0, 0, 1, 7])
        query.limit = one([1, 5, 100])
        #expect(Self.chain.blocks(query) == Self.scan(query))
    }

    private static func scan(_ query: BlockQuery) -> [Block] {
        let matches = blocks.filter { block in
            (query.generatorPublicKey.map { $0 == Hex.encode(block.generatorPublicKey) } ?? true)
                && (query.height.map { $0 == block.height } ?? true)
                && (query.previousBlock.map { $0 == block.previousBlock?.description } ?? true)
                && (query.numberOfTransactions.map { $0 == Int64(block.numberOfTransactions) } ?? true)
                && (query.totalAmount.map { $0 == block.totalAmount } ?? true)
                && (query.totalFee.map { $0 == block.totalFee } ?? true)
                && (query.reward.map { $0 == block.reward } ?? true)
        }
        func key(_ block: Block) -> (Int64, String) {
            switch query.order {
            case .id: (0, block.id.description)
            case .previousBlock: (0, block.previousBlock?.description ?? "~")
            case .generatorPublicKey: (0, Hex.encode(block.generatorPublicKey))
            case .height, .timestamp: (Int64(block.height), "")
            case .totalAmount: (block.totalAmount, "")
            case .totalFee: (block.totalFee, "")
            case .reward: (block.reward, "")
            case .numberOfTransactions: (Int64(block.numberOfTransactions), "")
            }
        }
        let sorted = matches.sorted { left, right in
            let (first, second) = (key(left), key(right))
            return first == second ? left.height < right.height : (first > second) == query.isDescending
        }
        return Array(sorted.dropFirst(query.offset).prefix(query.limit))
    }

    @Test("a block has exactly the members of its call, in their order")
    func members() throws {
        var world = TestWorld()
        try world.post(world.transfer(1, TestWorld.address(2), 7))
        let block = world.forge()
        world.forge()
        var output: [UInt8] = []
        world.ledger.append(block, into: &output)
        let address = Address(publicKey: block.generatorPublicKey, cryptography: TestWorld.cryptography)
        let expected =
            #"{"id":"\#(block.id)","version":0,"timestamp":300000000,"height":2,"#
            + #""previousBlock":"\#(block.previousBlock!)","numberOfTransactions":1,"totalAmount":7,"#
            + #""totalFee":50000000,"reward":0,"payloadLength":117,"#
            + #""payloadHash":"\#(Hex.encode(block.payloadHash))","#
            + #""generatorPublicKey":"\#(Hex.encode(block.generatorPublicKey))","generatorId":"\#(address)","#
            + #""blockSignature":"\#(Hex.encode(block.signature))","confirmations":2,"totalForged":"50000000"}"#
        #expect(String(decoding: output, as: UTF8.self) == expected)
        output = []
        world.ledger.append(try #require(world.ledger.block(height: 1)), into: &output)
        #expect(try JSONValue(parsing: output)["previousBlock"] == .null)
    }

    @Test("extreme numbers find nothing and never trap")
    func extremes() {
        for number in [Int64.min, -1, 0, .max] {
            var query = BlockQuery()
            query.height = Int(number)
            #expect(Self.chain.blocks(query).isEmpty)
            query = BlockQuery()
            query.previousBlock = String(number)
            #expect(Self.chain.blocks(query).isEmpty)
        }
        var query = BlockQuery()
        query.offset = .max
        query.limit = .max
        #expect(Self.chain.blocks(query).isEmpty)
        query.generatorPublicKey = "zz"
        #expect(Self.chain.blocks(query).isEmpty)
    }
}
