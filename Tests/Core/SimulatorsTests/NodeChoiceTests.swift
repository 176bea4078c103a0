import AdamantModel
import Determinism
import JSONValue
import Simulators
import Testing

@Suite("Device: choosing nodes")
struct NodeChoiceTests {
    /// Nodes that are asked for the account at a sign-in, by heights and versions of all (nil: no answer).
    private func allowed(_ nodes: [(height: Int, version: String?)?]) throws -> Set<Int> {
        var result: Set<Int> = []
        for seed in 1...20 {
            var phone = Phone(nodes: nodes.count, seed: UInt64(seed))
            phone.onAsk = { request in
                switch request.operation {
                case .status:
                    nodes[request.node].map { .status(height: $0.height, version: $0.version) }
                        ?? .failed(.refused)
                default: .failed(.reset)
                }
            }
            try phone.do(.launch)
            phone.asked = []
            try phone.do(.signIn(Keys.alice))
            result.formUnion(phone.asked.filter { $0.operation != .status }.map(\.node))
        }
        return result
    }

    @Test("uses the largest group within nine blocks, the higher one of equals")
    func usesMajority() throws {
        #expect(try allowed([(100, "0.9.0"), (109, "0.9.0"), (120, "0.9.0")]) == [0, 1])
        #expect(try allowed([(100, "0.9.0"), (110, "0.9.0")]) == [1])
        #expect(try allowed([(5, "0.9.0")]) == [0])
    }

    @Test("uses no node that is silent or older than 0.8.0, but one that hides its version")
    func needsVersion() throws {
        #expect(
            try allowed([(100, "0.7.9"), (100, "v0.8.0"), nil, (100, nil), (100, "0.10.0-beta")]) == [
                1, 3, 4,
            ]
        )
    }

    @Test("tries each allowed node once, in an order that the seed decides")
    func failsOver() throws {
        var orders: Set<[Int]> = []
        for seed in 1...10 {
            var phone = Phone(nodes: 3, seed: UInt64(seed))
            phone.onSubmit = { _, _ in .failed(.refused) }
            try phone.do(.signIn(Keys.alice))
            let order = phone.posts.map(\.node)
            #expect(order.sorted() == [0, 1, 2])
            orders.insert(order)
            var again = Phone(nodes: 3, seed: UInt64(seed))
            again.onSubmit = { _, _ in .failed(.refused) }
            try again.do(.signIn(Keys.alice))
            #expect(again.posts.map(\.node) == order)
        }
        #expect(orders.count > 1)
    }

    @Test("a transport failure does not change what a node is taken for; the next health check does")
    func checksHealthAfterExhaustion() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        phone.onSubmit = { _, _ in .failed(.reset) }
        phone.asked = []
        try phone.do(.signOut)
        #expect(phone.asked.filter { $0.operation == .status }.count == 1)
    }

    @Test("a device without a network asks nobody and remembers its nodes")
    func isOffline() throws {
        var phone = Phone()
        try phone.do(.signIn(Keys.alice))
        phone.asked = []
        phone.posts = []
        try phone.do(.offline)
        try phone.do(.signOut)
        #expect(phone.posts.isEmpty && phone.asked.isEmpty)
        #expect(phone.snapshot.queuedRemovals == 1)
        try phone.do(.online)
        try phone.do(.kill)
        try phone.do(.launch)
        #expect(phone.snapshot.queuedRemovals == 0)
    }

    @Test(
        "heights that a device kept can be compared whatever they are",
        arguments: [
            ("-9223372036854775808", "1"), ("-1", "9223372036854775807"), ("0", "9223372036854775807"),
        ]
    )
    func comparesKeptHeights(low: String, high: String) throws {
        var phone = Phone(nodes: 2)
        try phone.do(.launch)
        var places = [low, high].makeIterator()
        let text = phone.device.stateJSON.text.replacing(/"height":100/) { _ in
            #""height":\#(places.next() ?? "")"#
        }
        #expect(places.next() == nil)
        phone.device = try #require(
            Device(
                stateJSON: try JSONValue(parsing: Array(text.utf8)),
                seed: 1,
                generation: 2,
                cryptography: Keys.cryptography
            )
        )
        try phone.do(.checkHealth)
        try phone.do(.signIn(Keys.alice))
        #expect(phone.snapshot.owner == Keys.address(Keys.alice))
    }
}
