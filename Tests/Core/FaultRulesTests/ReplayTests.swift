import Determinism
import FaultRules
import JSONValue
import Testing

@Suite("Faults: decisions and their replay")
struct ReplayTests {
    /// What `GET /v1/faults/decisions` tells of a book after some calls.
    private func record(_ book: inout FaultBook, _ calls: [FaultRequest]) -> (JSONValue, [FaultDecision?]) {
        var log = DecisionLog()
        let decisions = calls.enumerated().map { number, call -> FaultDecision? in
            let decision = book.decide(call)
            if let decision {
                log.append(.init(seq: number + 1, at: .epoch, decision: decision, request: call))
            }
            return decision
        }
        let document: JSONValue = [
            "seed": .int(book.decidingSeed), "evicted": .int(log.evicted), "matches": book.matchesJSON,
            "decisions": .array(log.page(after: 0, limit: .max).map(\.json)),
        ]
        return (document, decisions)
    }

    private func replaying(_ document: JSONValue, _ rules: [String]) throws -> FaultBook {
        // As a file has it.
        let read = try FaultReplay(JSONValue(parsing: document.text))
        var book = FaultBook(seed: 99, nodeNames: ["alpha", "beta"], replay: read)
        for text in rules { _ = try book.add(rule(text), canReadSignals: true) }
        return book
    }

    private static let rules = [
        #"{"probability": 0.4, "effect": {"kind": "reset", "minMilliseconds": 1, "maxMilliseconds": 900}}"#,
        #"{"probability": 0.4, "per": "route", "effect": {"kind": "corrupt", "bytes": 3}}"#,
        #"{"probability": 0.2, "limit": 3, "effect": {"kind": "status", "status": 500}}"#,
        #"{"probability": 0.2, "limit": 3, "effect": {"kind": "status", "status": 500}}"#,
    ]

    private static let calls = (0..<400).map { number in
        nodeCall("GET", "/api/\(number % 3)", node: number % 2 == 0 ? "alpha" : "beta")
    }

    @Test("a replay makes the same decisions under another seed, and goes on as the recorded seed would")
    func repeats() throws {
        var original = FaultBook(seed: 7, nodeNames: ["alpha", "beta"])
        for text in Self.rules { _ = try original.add(rule(text), canReadSignals: true) }
        original.setFailureRate(0.3, mix: nil, node: "alpha")
        let (document, decided) = record(&original, Self.calls)
        #expect(decided.contains { $0?.ruleId == FaultBook.failureRateId })
        #expect(decided.compactMap { $0 }.count > 100)
        let further = original.decisions(Self.calls)

        var again = try replaying(document, Self.rules)
        again.setFailureRate(0.3, mix: nil, node: "alpha")
        #expect(again.decisions(Self.calls) == decided)
        #expect(again.decisions(Self.calls) == further)
        var other = FaultBook(seed: 99, nodeNames: ["alpha", "beta"])
        for text in Self.rules { _ = try other.add(rule(text), canReadSignals: true) }
        other.setFailureRate(0.3, mix: nil, node: "alpha")
        #expect(other.decisions(Self.calls) != decided)
    }

    @Test("what is taken out of the record does not strike, whatever probability, skip and limit say")
    func edited() throws {
        let text = #"{"effect": {"kind": "reset"}}"#
        var original = try book(text)
        let (document, _) = record(&original, Array(repeating: nodeCall(), count: 3))
        var object = try #require(document.objectValue)
        let kept = try #require(object["decisions"]?.arrayValue).filter { $0["match"] != 2 }
        object["decisions"] = .array(kept)
        var again = try replaying(.object(object), [text])
        #expect(again.firings(nodeCall(), count: 4) == [true, false, true, true])
        var limited = try replaying(.object(object), [#"{"limit": 0, "effect": {"kind": "reset"}}"#])
        #expect(limited.firings(nodeCall(), count: 4) == [true, false, true, false])
    }

    @Test("rules that were removed and made again are told apart")
    func madeAgain() throws {
        var original = FaultBook(seed: 7, nodeNames: ["alpha"])
        let once = #"{"limit": 1, "effect": {"kind": "reset"}}"#
        let never = #"{"limit": 0, "effect": {"kind": "reset"}}"#
        _ = try original.add(rule(once), canReadSignals: true)
        let (first, _) = record(&original, [nodeCall()])
        _ = original.remove("f1")
        _ = try original.add(rule(never), canReadSignals: true)
        let (second, decided) = record(&original, [nodeCall()])
        #expect(decided == [nil])
        var document = try #require(second.objectValue)
        document["decisions"] = first["decisions"]
        var again = try replaying(.object(document), [once])
        #expect(again.decide(nodeCall()) != nil)
        _ = again.remove("f1")
        _ = try again.add(rule(once), canReadSignals: true)
        #expect(again.decide(nodeCall()) == nil)
    }

    @Test("retries of one transaction are one match where a rule counts so, and share its fate")
    func perTransaction() throws {
        func post(_ id: String) -> FaultRequest {
            var call = signal()
            call.transactionId = id
            return call
        }
        let text = #"{"per": "transaction", "skip": 1, "limit": 1, "effect": {"kind": "reset"}}"#
        var book = try book(text)
        let calls = ["1", "1", "2", "1", "2", "2", "3", "2"].map(post)
        let (document, decided) = record(&book, calls)
        #expect(decided.map { $0 != nil } == [false, false, true, false, true, true, false, true])
        #expect(book.json("f1")?["matched"] == 3 && book.json("f1")?["fired"] == 1)
        #expect(book.json("f1")?["spent"] == true)
        // What carries no transaction is no match.
        #expect(book.decide(nodeCall()) == nil && book.json("f1")?["matched"] == 3)
        var again = try replaying(document, [text])
        #expect(again.decisions(calls) == decided)
    }

    @Test("a rule can ask for the number of the attempt")
    func attempts() throws {
        var book = try book(#"{"match": {"attempt": 2}, "effect": {"kind": "reset"}}"#)
        let struck = [1, 2, 3].map { number in
            var call = signal()
            call.attempt = number
            return book.decide(call) != nil
        }
        #expect(struck == [false, true, false])
        #expect(book.needsTransactionFacts)
    }

    @Test("the log gives up its oldest entries, counts them, and cannot be replayed any more")
    func bounds() throws {
        var log = DecisionLog()
        let decision = FaultDecision(ruleId: "f1", effect: .delay)
        for seq in 1...(DecisionLog.capacity + 3) {
            log.append(.init(seq: seq * 2, at: .epoch, decision: decision, request: nodeCall()))
        }
        #expect(log.evicted == 3)
        #expect(log.page(after: 0, limit: 2).map(\.seq) == [8, 10])
        #expect(log.page(after: 9, limit: 1).map(\.seq) == [10])
        #expect(log.page(after: .max, limit: 1).isEmpty)
        let document: JSONValue = ["seed": 7, "evicted": 3, "decisions": [], "matches": []]
        #expect(throws: FaultRuleError.self) { _ = try FaultReplay(document) }
    }

    @Test(
        "names what is wrong with a record",
        arguments: [
            (#"[]"#, nil), (#"{}"#, "seed"), (#"{"seed": -1}"#, "seed"), (#"{"seed": 7}"#, "decisions"),
            (#"{"seed": 7, "decisions": 1}"#, "decisions"), (#"{"seed": 7, "decisions": []}"#, "matches"),
            (#"{"seed": 7, "decisions": [1]}"#, "decisions[0]"),
            (#"{"seed": 7, "decisions": [{"match": 1, "kind": "a"}]}"#, "decisions[0].rule"),
            (#"{"seed": 7, "decisions": [{"rule": "a", "match": 0}]}"#, "decisions[0].match"),
            (#"{"seed": 7, "decisions": [{"rule": "a", "match": 1}]}"#, "decisions[0].kind"),
            (
                #"{"seed": 7, "decisions": [{"rule": "a", "match": 1, "kind": "b", "delayMilliseconds": 1e9}]}"#,
                "decisions[0].delayMilliseconds"
            ), (#"{"seed": 7, "decisions": [], "matches": [{"rule": "a"}]}"#, "matches[0].count"),
        ] as [(String, String?)]
    )
    func refusals(text: String, field: String?) throws {
        let document = try JSONValue(parsing: text)
        let error = #expect(throws: FaultRuleError.self) { _ = try FaultReplay(document) }
        #expect(error?.field == field)
    }
}

extension FaultBook {
    /// What is decided of calls, one after the other.
    fileprivate mutating func decisions(_ calls: [FaultRequest]) -> [FaultDecision?] {
        var result: [FaultDecision?] = []
        for call in calls { result.append(decide(call)) }
        return result
    }
}
