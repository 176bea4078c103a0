import Determinism
import JSONValue
import TestSupport
import Testing

@testable import SocketIORules

@Suite("Socket subscriptions")
struct SubscriptionTests {
    /// The transactions that the vectors speak of.
    private static let samples: [(name: String, transaction: SubscribedTransaction)] = [
        ("transfer", .init(sender: "U1", recipient: "U2", type: 0, chatType: nil)),
        ("chat1", .init(sender: "U1", recipient: "U2", type: 8, chatType: 1)),
        ("chat2", .init(sender: "U1", recipient: "U2", type: 8, chatType: 2)),
        ("chat3", .init(sender: "U1", recipient: "U2", type: 8, chatType: 3)),
        ("state", .init(sender: "U1", recipient: nil, type: 9, chatType: nil)),
        ("vote", .init(sender: "U1", recipient: "U1", type: 3, chatType: nil)),
    ]

    @Test("deliver what the real node's class delivers")
    func vectors() throws {
        let vectors = try #require(
            try Fixture.json("crypto/adamant-crypto.json")["webSocketSubscriptions"]?.arrayValue
        )
        #expect(vectors.count == 16)
        for vector in vectors {
            var subscription = SocketSubscription()
            for event in ["address", "types", "assetChatTypes"] {
                subscription.apply(event: event, vector[event], knowsBlocks: true)
            }
            for (name, transaction) in Self.samples {
                let expected = try #require(vector["delivered"]?[name]?.boolValue as Bool?)
                #expect(subscription.wants(transaction) == expected, "\(name) for \(vector.text)")
            }
        }
    }

    @Test("take a single value like a list of one")
    func single() {
        var one = SocketSubscription()
        one.apply(event: "address", "u2", knowsBlocks: true)
        var list = SocketSubscription()
        list.apply(event: "address", ["U2"], knowsBlocks: true)
        #expect(one == list)
    }

    @Test(
        "ignore wrong values and unknown events",
        arguments: [
            ("address", #""X1""#), ("address", #""U""#), ("address", #""U1234567890123456789012""#),
            ("address", "1"), ("address", "null"), ("address", #"[{}, [], "U12x"]"#),
            ("types", #""8""#), ("types", "10"), ("types", "-1"), ("types", "[true, null]"),
            ("assetChatTypes", "4"), ("assetChatTypes", "[-1, 1e300]"), ("balances", #""fee""#),
            ("balances", "true"), ("blocks", "1"), ("blocks", "[true]"), ("blocks", "null"),
            ("message", #""U1""#), ("", "0"),
        ]
    )
    func ignored(event: String, value: String) throws {
        var subscription = SocketSubscription()
        subscription.apply(event: event, try JSONValue(parsing: value), knowsBlocks: true)
        #expect(subscription.isEmpty)
        subscription.apply(event: event, nil, knowsBlocks: true)
        #expect(subscription.isEmpty)
    }

    @Test("a wrong value in a list does not spoil the right ones")
    func mixed() {
        var subscription = SocketSubscription()
        subscription.apply(event: "address", ["nothing", "U1"], knowsBlocks: false)
        #expect(subscription.addresses == ["U1"])
    }

    @Test("a recipient in lower case is not found")
    func lowercase() {
        var subscription = SocketSubscription()
        subscription.apply(event: "address", "U2", knowsBlocks: true)
        let transaction = SubscribedTransaction(sender: "U1", recipient: "u2", type: 0, chatType: nil)
        #expect(!subscription.wants(transaction))
    }

    @Test("take a fraction for a number that matches nothing, and do not tell one from another")
    func fractions() throws {
        let fraction = try JSONValue(parsing: "0.25")
        let many = try JSONValue(
            parsing: "[\((1...2000).map { "\(Double($0) / 1024)" }.joined(separator: ","))]"
        )
        for event in ["types", "assetChatTypes"] {
            var one = SocketSubscription()
            one.apply(event: event, fraction, knowsBlocks: true)
            #expect(!one.isEmpty)
            var other = SocketSubscription()
            other.apply(event: event, many, knowsBlocks: true)
            #expect(other != one, "1 is among them")
            one.apply(event: event, 1, knowsBlocks: true)
            #expect(other == one)
            for (name, transaction) in Self.samples {
                var alone = SocketSubscription()
                alone.apply(event: event, 1, knowsBlocks: true)
                #expect(one.wants(transaction) == alone.wants(transaction), "\(name) for \(event)")
            }
        }
        var follower = SocketSubscription()
        follower.apply(event: "address", "U1", knowsBlocks: true)
        #expect(Self.samples.allSatisfy { follower.wants($0.transaction) })
        follower.apply(event: "types", fraction, knowsBlocks: true)
        #expect(!Self.samples.contains { follower.wants($0.transaction) }, "a fraction is a choice of types")
    }

    @Test("know balances and blocks from 0.10 on alone; blocks can be left")
    func blocks() {
        var subscription = SocketSubscription()
        subscription.apply(event: "blocks", true, knowsBlocks: false)
        subscription.apply(event: "balances", ["balance", "unconfirmedBalance"], knowsBlocks: false)
        #expect(subscription.isEmpty)
        subscription.apply(event: "blocks", true, knowsBlocks: true)
        subscription.apply(event: "balances", ["balance", "other"], knowsBlocks: true)
        #expect(subscription.wantsBlocks && subscription.balances == [.balance])
        subscription.apply(event: "blocks", false, knowsBlocks: true)
        #expect(!subscription.wantsBlocks)
    }

    @Test("have an end")
    func bound() {
        var subscription = SocketSubscription()
        let many = (1...30_000).map { JSONValue.string("U\($0)") }
        subscription.apply(event: "address", .array(many), knowsBlocks: true)
        #expect(subscription.addresses.count == SocketSubscription.maximumAddresses)
    }
}

/// A filter that expectations can change.
private final class Filter {
    private var filter = RepeatFilter()

    func passes(_ id: UInt64, at milliseconds: Int64) -> Bool {
        filter.passes(id, now: Timestamp(milliseconds: milliseconds))
    }
}

@Suite("Repeat filter")
struct RepeatFilterTests {
    @Test(
        "lets an id pass again after one to two minutes",
        arguments: [(0, 59_999), (0, 119_999), (59_999, 60_000), (59_999, 119_999)]
    )
    func suppresses(first: Int64, again: Int64) {
        let filter = Filter()
        #expect(filter.passes(7, at: first))
        #expect(!filter.passes(7, at: again))
        #expect(filter.passes(8, at: again))
        #expect(filter.passes(7, at: first + 120_000))
    }

    @Test("goes on when the clock is set back by a little")
    func setBack() {
        let filter = Filter()
        #expect(filter.passes(7, at: 60_000))
        #expect(!filter.passes(7, at: 59_999))
        #expect(filter.passes(7, at: -600_000))
    }
}
