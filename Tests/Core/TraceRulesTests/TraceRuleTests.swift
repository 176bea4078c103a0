import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Simulators
import TestSupport
import Testing
import TraceRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Traces: rules")
struct TraceRuleTests {
    private static let message = ListedTransaction(SignalChain.message("aa", type: 1))

    /// The facts of a message that is in a block of height 120, told of by event 50.
    private static func facts(kind: String = "message") -> TraceFacts {
        var facts = TraceFacts(
            id: message.id,
            transaction: message,
            kind: kind,
            service: SignalChain.service.address,
            now: Timestamp(milliseconds: 2000),
            limitMilliseconds: 30_000,
            state: "forged"
        )
        facts.block = (120, Timestamp(milliseconds: 500))
        facts.events = [
            .init(seq: 40, at: Timestamp(milliseconds: 400), kind: "transaction.accepted", node: "alpha"),
            .init(
                seq: 50,
                at: Timestamp(milliseconds: 500),
                kind: "transaction.forged",
                data: ["height": 120]
            ),
        ]
        return facts
    }

    /// A service's poll for messages above a height, after an event, answered from a chain of a height.
    private static func chats(_ from: Int, _ event: Int, _ height: Int) -> ListCall {
        listCall(
            .chats(includesTransfers: false),
            [.aboveHeight(from)],
            number: event,
            event: event,
            height: height
        )
    }

    @Test("a call that was answered while the block was made says nothing of a lag")
    func likelyRace() {
        var facts = Self.facts()
        facts.lists = [Self.chats(100, 51, 119)]
        #expect(Trace(facts).cause?.code == .serviceSilent)
        facts.lists = [Self.chats(100, 51, 117)]
        #expect(Trace(facts).cause?.code == .laggingNode)
        facts.lists = [Self.chats(100, 51, 119)]
        facts.lagging = ["alpha": 1]
        #expect(
            Trace(facts).cause?.text.contains("alpha, which lagged, as of 119, 1 block before it") == true
        )
    }

    @Test("the example: asked from height 120 exclusive, so it never saw it")
    func example() {
        var facts = Self.facts()
        facts.lists = [Self.chats(120, 60, 121)]
        let trace = Trace(facts)
        #expect(trace.outcome == .lost)
        #expect(trace.lostAt == .polled)
        #expect(trace.cause?.code == .askedAbove)
        #expect(
            trace.cause?.text
                == "forged at 120; the service asked from height 120 exclusive, so it never saw it"
        )
    }

    @Test("a poll before the block is no answer that held it, one from another branch is")
    func branches() {
        var facts = Self.facts()
        facts.lists = [Self.chats(100, 45, 130)]
        #expect(!Trace(facts).passed(.polled))
        facts.events += [
            .init(
                seq: 60,
                at: Timestamp(milliseconds: 600),
                kind: "transaction.reverted",
                data: ["height": 120]
            ),
            .init(
                seq: 70,
                at: Timestamp(milliseconds: 700),
                kind: "transaction.forged",
                data: ["height": 118]
            ),
        ]
        facts.block = (118, Timestamp(milliseconds: 700))
        facts.lists = [Self.chats(110, 55, 120)]
        #expect(Trace(facts).passed(.polled), "as block 120 of the old branch")
        facts.lists = [Self.chats(119, 75, 121)]
        let moved = Trace(facts)
        #expect(
            moved.cause?.text.hasSuffix("a fork moved it to a height that the service had read already")
                == true
        )
    }

    @Test("another page is another page until the right one is asked for")
    func pages() {
        var facts = Self.facts()
        facts.lists = [Self.chats(100, 60, 120)]
        facts.otherPages = [60]
        #expect(Trace(facts).cause?.code == .otherPage)
        facts.lists[0].query?.offset = .max
        #expect(Trace(facts).cause?.text.contains("behind the first 9223372036854775807") == true)
        facts.lists.append(Self.chats(100, 61, 120))
        #expect(Trace(facts).passed(.polled))
    }

    @Test("what may still come is pending until the limit, what cannot is lost at once")
    func limits() {
        var facts = Self.facts()
        #expect(Trace(facts).outcome == .pending)
        facts.now = Timestamp(milliseconds: 30_500)
        #expect(Trace(facts).outcome == .lost)
        facts.state = "dropped"
        facts.block = nil
        facts.why = "why"
        facts.events.removeLast()
        facts.now = Timestamp(milliseconds: 0)
        #expect(Trace(facts).outcome == .lost)
        #expect(Trace(facts).lostAt == .forged)
    }

    @Test("nothing is pushed for votes and states")
    func otherKinds() {
        let trace = Trace(Self.facts(kind: "vote"))
        #expect(trace.outcome == .delivered)
        #expect(trace.cause?.code == .noPushExpected)
        #expect(trace.lostAt == nil)
    }

    @Test("what a service read before its calls are on record is not known, unless nothing was read before")
    func readBefore() throws {
        var chain = SignalChain()
        chain.forge([SignalChain.signal(.add, String(repeating: "a", count: 64), at: 1)])
        var facts = Self.facts()
        facts.registration.signals = chain.registry.signals(of: SignalChain.alice.address)
        facts.registration.rows = chain.registry.rows(of: SignalChain.alice.address, asOf: 120)
        let signals = [TransactionFilter.chatType(Int(Transaction.ChatKind.signal))]
        func polls(_ bound: TransactionFilter) -> [ListCall] {
            [
                listCall(
                    .chats(includesTransfers: false),
                    signals + [bound],
                    number: 55,
                    event: 55,
                    height: 110
                ), Self.chats(100, 60, 120),
            ]
        }
        facts.lists = polls(.aboveHeight(2))
        #expect(Trace(facts).cause?.code == .notPushed)
        facts.registration.isReadingWhole = true
        let cause = try #require(Trace(facts).cause)
        #expect(cause.code == .registrationUnread)
        #expect(
            cause.text
                == "the registration was forged at 2; the service asked for signals above 2, so it never saw it"
        )
        facts.lists = polls(.fromHeight(3))
        #expect(Trace(facts).cause?.text.hasSuffix("for signals from 3 on, so it never saw it") == true)
        facts.lists = polls(.aboveHeight(1))
        #expect(Trace(facts).cause?.code == .notPushed, "it was served")
    }

    @Test("of several devices the best counts, and each is told")
    func severalDevices() {
        var facts = Self.facts()
        facts.lists = [Self.chats(100, 60, 120)]
        facts.pushes = [
            TracedPush(
                id: "p1",
                seq: 70,
                at: Timestamp(milliseconds: 700),
                token: "a",
                status: 410,
                reason: "Unregistered",
                isAccepted: false
            ),
            TracedPush(
                id: "p2",
                seq: 71,
                at: Timestamp(milliseconds: 710),
                token: "b",
                status: 200,
                isAccepted: true,
                delivery: "delivered",
                device: "d1",
                deliveredAt: Timestamp(milliseconds: 711)
            ),
        ]
        func event(_ seq: Int, _ kind: String, _ data: JSONValue) -> TraceFacts.Event {
            .init(seq: seq, at: Timestamp(milliseconds: Int64(seq) * 10), kind: kind, data: data)
        }
        facts.events += [
            event(72, "device.push-received", ["device": "d1", "push": "p2"]),
            event(73, "device.transaction-fetched", ["device": "d1"]),
            event(74, "device.banner-shown", ["device": "d1", "pushId": "p2", "fallback": false]),
        ]
        let trace = Trace(facts)
        #expect(trace.outcome == .shown)
        #expect(trace.cause == nil)
        #expect(trace.deliveries.map(\.outcome) == [.lost, .shown])
        #expect(trace.deliveries[0].cause?.code == .tokenRefused)
    }

    /// The codes in the rows of a table of the documentation.
    private static func documented(under heading: String) throws -> Set<String> {
        let text = try String(contentsOfFile: Fixture.packageRoot + "/Docs/trace.md", encoding: .utf8)
        let rest = try #require(text.components(separatedBy: "## \(heading)\n").last)
        let section = try #require(rest.components(separatedBy: "\n## ").first)
        let codes = section.split(separator: "\n").filter { $0.hasPrefix("| `") }.flatMap { line in
            line.split(separator: "|")[0].split(separator: "`").filter { $0.contains { $0.isLetter } }
        }
        return Set(codes.map(String.init))
    }

    @Test("the documentation lists every cause and every reason of a repeat, and no other")
    func documented() throws {
        let causes = Set(TraceCause.Code.allCases.map(\.rawValue))
        #expect(try Self.documented(under: "Causes") == causes)
        let repeats = Set(TraceRepeat.Code.allCases.map(\.rawValue))
        #expect(try Self.documented(under: "Pushes that come twice") == repeats)
    }
}
