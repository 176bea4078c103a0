import AdamantLedger
import AdamantModel
import Determinism

extension Ledger {
    /// The ledger of this one's blocks up to a height, none of which was ever undone; all keys are known in it.
    func replayed(upTo height: Int) -> Ledger {
        var copy = Ledger(
            genesis: genesis,
            profiles: profiles,
            startHeight: startHeight,
            cryptography: TestWorld.cryptography
        )
        for pair in TestWorld.pairs { _ = copy.createAccount(publicKey: pair.publicKey) }
        for next in stride(from: copy.height + 1, through: height, by: 1) {
            if let block = block(height: next) { copy.restore(.forged(block, transactions(height: next))) }
        }
        return copy
    }

    /// What follows from the blocks beside lists of transactions and balances: delegates, votes, rooms, blocks.
    func derived() -> [String] {
        var facts = delegates().map { "\($0)" }
        let profile = NodeProfile(version: "0.9")!
        for number in TestWorld.pairs.indices {
            let address = TestWorld.address(number)
            facts.append("votes of \(number): \(votes(of: address.text) ?? [])")
            for companion in [nil, TestWorld.address(1), TestWorld.address(2)] {
                var output: [UInt8] = []
                let query = ChatRoomQuery(user: address, companion: companion)
                let count =
                    companion == nil
                    ? rooms(query, profile: profile, into: &output)
                    : messages(query, profile: profile, into: &output).summary.count
                facts.append("rooms of \(number): \(count) \(String(decoding: output, as: UTF8.self))")
            }
        }
        for delegate in TestWorld.delegates.prefix(5) + TestWorld.pairs.prefix(3) {
            facts.append("voters: \(voters(publicKey: Hex.encode(delegate.publicKey)))")
            let forged = forged(publicKey: delegate.publicKey, from: 0, to: Int64(Int32.max))
            facts.append("forged: \(forged as Any)")
            var query = BlockQuery()
            query.generatorPublicKey = Hex.encode(delegate.publicKey)
            facts.append("blocks: \(blocks(query).map(\.id))")
        }
        facts.append("richest: \(richest(isDelegate: nil, offset: 0, limit: 50))")
        facts.append("blocks: \(blocks(BlockQuery()).map(\.id))")
        return facts
    }
}
