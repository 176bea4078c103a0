import FaultRules
import JSONValue
import Synchronization
import Testing

import Foundation

@Suite("Faults: schedule")
struct ScheduleTests {
    private static let reset = #""effect": {"kind": "reset"}"#

    @Test("tries rules in the order made, counts every match, and lets the first that fires decide")
    func order() throws {
        var book = try book(
            #"{"limit": 1, \#(Self.reset)}"#,
            #"{"limit": 1, "effect": {"kind": "status", "status": 500}}"#
        )
        #expect(book.decide(nodeCall())?.ruleId == "f1")
        #expect(book.decide(nodeCall())?.ruleId == "f2")
        #expect(book.decide(nodeCall()) == nil)
        let second = try #require(book.json("f2"))
        #expect(second["matched"] == 3)
        #expect(second["fired"] == 1)
        #expect(second["spent"] == true)
    }

    @Test("passes over the first matches and stops at the limit")
    func skipAndLimit() throws {
        var book = try book(#"{"skip": 2, "limit": 3, \#(Self.reset)}"#)
        let firings = book.firings(nodeCall(), count: 8)
        #expect(firings == [false, false, true, true, true, false, false, false])
    }

    @Test("never fires at probability 0 and always at 1")
    func extremes() throws {
        var never = try book(#"{"probability": 0, \#(Self.reset)}"#)
        var always = try book(#"{"probability": 1, \#(Self.reset)}"#)
        let (none, all) = (
            never.firings(nodeCall(), count: 10_000), always.firings(nodeCall(), count: 10_000)
        )
        #expect(!none.contains(true))
        #expect(!all.contains(false))
    }

    @Test(
        "fires as often as its probability says, within five standard deviations",
        arguments: [0.01, 0.3, 0.5, 0.9]
    )
    func frequency(probability: Double) throws {
        for seed in [1, 2, 3] as [UInt64] {
            var book = try book(seed: seed, #"{"probability": \#(probability), \#(Self.reset)}"#)
            let count = Double(book.firings(nodeCall(), count: 10_000).count { $0 })
            let deviation = (10_000 * probability * (1 - probability)).squareRoot()
            #expect((count - 10_000 * probability).magnitude < 5 * deviation)
        }
    }

    @Test("decides the same for the same seed, and otherwise for another")
    func seeds() throws {
        let text = #"{"probability": 0.5, \#(Self.reset)}"#
        var first = try book(seed: 7, text)
        var second = try book(seed: 7, text)
        var third = try book(seed: 8, text)
        let firings = first.firings(nodeCall(), count: 200)
        #expect(second.firings(nodeCall(), count: 200) == firings)
        #expect(third.firings(nodeCall(), count: 200) != firings)
    }

    @Test("decides the same whatever other rules there are, and after it was removed and added again")
    func independence() throws {
        let text = #"{"probability": 0.5, "effect": {"kind": "reset"}, "match": {"path": "/a"}}"#
        var alone = try book(text)
        let expected = alone.firings(nodeCall("GET", "/a"), count: 100)
        var beside = try book(#"{"match": {"path": "/b"}, \#(Self.reset)}"#, text)
        #expect(beside.firings(nodeCall("GET", "/a"), count: 100) == expected)
        let isRemoved = alone.remove("f1")
        #expect(isRemoved)
        let again = try alone.add(
            rule(
                #"{"name": "again", "match": {"path": "/a"}, "effect": {"kind": "reset"}, "probability": 0.5}"#
            ),
            canReadSignals: true
        )
        #expect(again == "f2")
        #expect(alone.firings(nodeCall("GET", "/a"), count: 100) == expected)
    }

    @Test("lets two rules that are alike draw apart")
    func twins() throws {
        let text = #"{"probability": 0.5, \#(Self.reset)}"#
        var book = try book(text, text)
        let ids = (0..<100).map { _ in book.decide(nodeCall())?.ruleId }
        #expect(ids.contains("f1") && ids.contains("f2") && ids.contains(nil))
    }

    @Test("counts each route apart when told to, so that another route moves nothing")
    func perRoute() throws {
        let text = #"{"per": "route", "skip": 1, "limit": 2, "probability": 0.6, \#(Self.reset)}"#
        var quiet = try book(text)
        var busy = try book(text)
        let expected = quiet.firings(nodeCall("POST", "/api/chats/process"), count: 50)
        let firings = (0..<50).map { index in
            for _ in 0..<index % 3 { _ = busy.decide(nodeCall()) }
            return busy.decide(nodeCall("POST", "/api/chats/process")) != nil
        }
        #expect(firings == expected)
        #expect(expected.count { $0 } == 2)
    }

    @Test("gives the k-th match the k-th decision with 64 threads at once")
    func threads() throws {
        let text =
            #"{"probability": 0.4, "effect": {"kind": "delay", "minMilliseconds": 0, "maxMilliseconds": 500}}"#
        var reference = try book(text)
        let expected = (0..<6400).map { _ in reference.decide(nodeCall())?.delayMilliseconds }
        let shared = Mutex((book: try book(text), decisions: [Int?]()))
        let group = ThreadGroup()
        for _ in 0..<64 {
            group.run {
                for _ in 0..<100 {
                    shared.withLock { state in
                        state.decisions.append(state.book.decide(nodeCall())?.delayMilliseconds)
                    }
                }
            }
        }
        group.wait()
        #expect(shared.withLock(\.decisions) == expected)
    }

    @Test("bounds the routes it tells apart")
    func manyRoutes() throws {
        var book = try book(#"{"per": "route", \#(Self.reset)}"#)
        for index in 0..<10_000 { _ = book.decide(nodeCall("GET", "/api/\(index)")) }
        #expect(book.json("f1")?["matched"] == 10_000)
    }
}

/// Threads of the test that are waited for together.
private final class ThreadGroup: Sendable {
    private let running = Mutex(0)
    private let signal = NSCondition()

    func run(_ body: @escaping @Sendable () -> Void) {
        running.withLock { $0 += 1 }
        Thread.detachNewThread {
            body()
            self.signal.lock()
            self.running.withLock { $0 -= 1 }
            self.signal.broadcast()
            self.signal.unlock()
        }
    }

    func wait() {
        signal.lock()
        while running.withLock({ $0 }) > 0 { signal.wait() }
        signal.unlock()
    }
}
