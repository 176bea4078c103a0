import AdamantLedger
import AdamantModel
import JSONValue
import Testing

@Suite("Page digest")
struct PageDigestTests {
    /// What tags are made of, and what they stand for.
    private struct Page: Hashable {
        let query: Int
        let length: Int
        let digest: PageDigest
    }

    @Test("is the same for the same elements and for no others", arguments: 1...6)
    func followsElements(seed: Int) throws {
        var random = RandomChain(seed: UInt64(seed))
        var shown: [Page: [UInt8]] = [:]
        var pages: [[UInt8]: Set<Page>] = [:]
        var switched = try #require(NodeProfile(version: "0.9"))
        switched.showsBlockTimestampAlways = false
        let profiles = try [
            #require(NodeProfile(version: "0.9")), #require(NodeProfile(version: "0.10")), switched,
        ]
        for _ in 0..<60 {
            random.run(steps: 5)
            for profile in profiles {
                for (number, query) in Self.queries.enumerated() {
                    var bytes: [UInt8] = []
                    let summary = try random.world.ledger.page(query, profile: profile, into: &bytes)
                    let digest = try #require(summary.digest)
                    bytes.append(decimal: Int64(summary.count))
                    let page = Page(query: number, length: bytes.count, digest: digest)
                    #expect(shown.updateValue(bytes, forKey: page) ?? bytes == bytes)
                    bytes.append(UInt8(number))
                    pages[bytes, default: []].insert(page)
                }
            }
        }
        // A switch that changes nothing on a page may still change its digest.
        #expect(pages.values.allSatisfy { $0.count <= 2 } && shown.count > 100)
    }

    @Test("changes with what is put beside the elements")
    func takesNumbers() throws {
        let world = TestWorld()
        var bytes: [UInt8] = []
        let profile = try #require(NodeProfile(version: "0.9"))
        let summary = try world.ledger.page(TransactionQuery(.transactions), profile: profile, into: &bytes)
        let digest = try #require(summary.digest)
        let digests = (Int64(0)..<1000).map { second in
            var next = digest
            next.add(second)
            return next
        }
        #expect(Set(digests).count == 1000)
    }

    private static let queries: [TransactionQuery] = {
        let scopes: [TransactionQuery.Scope] = [.transactions, .chats(includesTransfers: true), .states]
        return scopes.flatMap { scope in
            [true, false].map { isDescending in
                var query = TransactionQuery(scope)
                query.limit = 10
                query.returnsAsset = isDescending
                query.order = TransactionOrder(.timestamp, isDescending: isDescending)
                return query
            }
        }
    }()
}
