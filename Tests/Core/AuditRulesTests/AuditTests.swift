import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Simulators
import SystemCryptography
import TestSupport
import Testing
import TraceRules

@testable import AuditRules

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What a push says, told by a test.
private struct ToldTexts: PushTexts {
    let id: String
    let token: String
    var reason: String?
    var timestamp: Int64?
    let recipient: String?
    let transactionId: String?
    var payload: [UInt8] { Array("{}".utf8) }
}

extension AuditedPush {
    fileprivate init(_ texts: ToldTexts, seq: Int, at: Timestamp, status: Int?) {
        self.init(
            seq: seq,
            at: at,
            status: status,
            isAccepted: status == 200,
            tokenNumber: Fingerprint.folded(texts.token),
            recipientNumber: texts.recipient.map(Fingerprint.folded),
            transaction: texts.transactionId.flatMap { Identifier($0) },
            template: 1,
            texts: texts
        )
    }
}

/// An audit of a chain of signals and messages, told step by step.
private struct AuditedChain {
    static let cryptography = SystemCryptography()
    static let service = account("ans")
    static let alice = account("alice")
    static let bob = account("bob")

    static func account(_ name: String) -> TestAccount { TestAccounts.all.first { $0.name == name }! }

    var registry = SignalRegistry(service: service.keyPair, address: service.address)
    var audit = Audit(
        limits: AuditLimits(pushMilliseconds: 30_000, orphanMilliseconds: 1_000_000),
        service: service.address,
        height: 1
    )
    var height = 1
    var seq = 0
    var now = Timestamp(epochSeconds: 1000)

    mutating func forge(signals: [Transaction] = [], messages: [UInt64] = []) {
        height += 1
        seq += 1
        let block = Block(
            height: height,
            timestamp: Int32(clamping: now.epochSeconds),
            previousBlock: nil,
            transactions: signals,
            reward: 0,
            generator: Self.bob.keyPair,
            cryptography: Self.cryptography
        )
        registry.apply(block, signals, cryptography: Self.cryptography)
        let parties =
            signals.map {
                TransactionParties(
                    id: $0.id,
                    kind: .signal,
                    sender: $0.sender,
                    recipient: Self.service.address
                )
            }
            + messages.map {
                TransactionParties(
                    id: Identifier($0),
                    kind: .message,
                    sender: Self.bob.address,
                    recipient: Self.alice.address
                )
            }
        audit.take(AuditedBlock(seq: seq, at: now, height: height, transactions: parties), registry: registry)
    }

    mutating func signal(_ action: Signal.Action, _ token: String) {
        let nonce = UInt8(truncatingIfNeeded: height)
        let signal = Signal(action: action, token: token, provider: "apns").transaction(
            to: ServiceIdentity(address: Self.service.address, publicKey: Self.service.keyPair.publicKey),
            timestamp: Int32(clamping: now.epochSeconds),
            nonce: Array(repeating: nonce, count: 24),
            by: Self.alice.keyPair,
            cryptography: Self.cryptography
        )!
        forge(signals: [signal])
    }

    /// The service reads a list up to a height.
    mutating func poll(_ filters: [TransactionFilter], height: Int? = nil) {
        var query = TransactionQuery(.chats(includesTransfers: false))
        query.required = filters
        audit.take(
            ListCall(
                number: seq,
                event: seq,
                at: now,
                node: "alpha",
                client: "127.0.0.1",
                agent: nil,
                target: "",
                query: query,
                status: 200,
                faultId: nil,
                height: height ?? self.height
            )
        )
    }

    mutating func pollSignals(height: Int? = nil) {
        poll([.chatType(3), .party(Self.service.address.text)], height: height)
    }

    mutating func push(
        _ token: String,
        _ id: UInt64?,
        status: Int? = 200,
        reason: String? = nil,
        timestamp: Int64? = nil
    ) {
        seq += 1
        let texts = ToldTexts(
            id: "p\(seq)",
            token: token,
            reason: reason,
            timestamp: timestamp,
            recipient: Self.alice.address.text,
            transactionId: id.map(String.init)
        )
        let push = AuditedPush(texts, seq: seq, at: now, status: status)
        audit.take(push, registry: registry) { _ in nil }
    }

    mutating func pass(_ milliseconds: Int64) {
        now = now.adding(milliseconds: milliseconds)
        audit.pass(to: now, registry: registry)
        audit.pass(to: now, registry: registry)
    }

    mutating func rules() -> [AuditRule] { audit.takeFindings().map(\.rule) }
}

@Suite("Audit: rules")
struct AuditTests {
    @Test("a push in time is enough, and the limit is exact")
    func forgotten() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.forge(messages: [1, 2])
        chain.push("t", 1)
        chain.pass(29_999)
        #expect(chain.rules() == [])
        chain.pass(1)
        #expect(chain.rules() == [.nobodyForgotten])
        chain.pass(60_000)
        #expect(chain.rules() == [], "it is told once")
    }

    @Test("nobody waits for a push to what is dead, removed, rolled back, or registered in the same block")
    func notExpected() {
        var chain = AuditedChain()
        chain.forge(messages: [1])
        chain.signal(.add, "t")
        chain.push("t", 9, status: 410, reason: "Unregistered")
        chain.forge(messages: [2])
        chain.pass(60_000)
        #expect(chain.rules() == [])
        chain.signal(.remove, "t")
        chain.signal(.add, "u")
        chain.forge(messages: [3, 4])
        chain.audit.forget([Identifier(3)])
        chain.signal(.remove, "u")
        chain.pass(60_000)
        #expect(chain.rules() == [])
    }

    @Test("the owner is judged by what the service had been served")
    func owner() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.pollSignals()
        chain.signal(.remove, "t")
        chain.push("t", nil)
        #expect(chain.rules() == [], "the service has not been served the removal")
        chain.pollSignals(height: chain.height - 1)
        chain.push("t", nil)
        #expect(chain.rules() == [], "a lagging node did not tell of it")
        chain.pollSignals()
        chain.push("t", nil)
        #expect(chain.rules() == [.rightOwner])
        chain.push("T".lowercased(), nil)
        #expect(chain.rules() == [.rightOwner])
    }

    @Test("a service that never asked is judged by the tip")
    func ownerByTip() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.push("t", nil)
        #expect(chain.rules() == [])
        chain.signal(.remove, "t")
        chain.push("t", nil)
        #expect(chain.rules() == [.rightOwner])
    }

    @Test("a push under way when the removal was served is judged by what was known at its message's poll")
    func underWay() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.pollSignals()
        chain.forge(messages: [1])
        chain.poll([.aboveHeight(2)])
        chain.signal(.remove, "t")
        chain.pollSignals()
        chain.push("t", 1)
        #expect(chain.rules() == [])
        chain.push("t", 7)
        #expect(chain.rules() == [.rightOwner])
    }

    @Test(
        "a dead token is dead until it is registered later than its death",
        arguments: [(Int64(-5000), [AuditRule]()), (Int64(5000), [AuditRule.deadTokensDropped])]
    )
    func death(offset: Int64, expected: [AuditRule]) {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.now = chain.now.adding(milliseconds: 10_000)
        chain.signal(.add, "t")
        _ = chain.rules()
        // A 410 that names another time: before the second registration, or after it.
        let timestamp = chain.now.adding(milliseconds: offset).unixMilliseconds
        chain.push("t", 1, status: 410, reason: "Unregistered", timestamp: timestamp)
        chain.now = chain.now.adding(milliseconds: 10_000)
        chain.push("t", 2)
        #expect(chain.rules() == expected)
    }

    @Test("BadDeviceToken ends a token, other refusals do not; a push under way is no breach")
    func ends() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.forge(messages: [1, 2])
        chain.push("t", 1, status: 400, reason: "BadTopic")
        chain.push("t", 1, status: 400, reason: "BadDeviceToken")
        chain.push("t", 2, status: 400, reason: "BadDeviceToken")
        #expect(chain.rules() == [], "both messages were on the chain before")
        chain.forge(messages: [3])
        chain.push("t", 3)
        #expect(chain.rules() == [.deadTokensDropped])
        chain.signal(.remove, "t")
        chain.signal(.add, "t")
        chain.push("t", 4)
        #expect(chain.rules() == [])
    }

    @Test("what was accepted twice is a duplicate, what was refused may come again")
    func duplicates() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.signal(.add, "u")
        chain.push("t", 1, status: 500)
        chain.push("t", 1, status: nil)
        chain.push("t", 1)
        chain.push("u", 1)
        chain.push("t", nil)
        chain.push("t", nil)
        #expect(chain.rules() == [])
        chain.push("t", 1)
        #expect(chain.rules() == [.noDuplicates])
    }

    @Test("what earlier runs pushed is remembered, and breaks nothing")
    func recalled() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        let texts = ToldTexts(
            id: "p",
            token: "t",
            recipient: AuditedChain.alice.address.text,
            transactionId: "1"
        )
        let push = AuditedPush(texts, seq: 1, at: chain.now, status: 200)
        chain.audit.recall(push)
        #expect(chain.rules() == [])
        #expect(chain.audit.implied.all.count == 1)
        chain.push("t", 1)
        #expect(chain.rules() == [.noDuplicates])
    }

    @Test("orphans are told when there are more, and not when a push reached the address")
    func orphans() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.push("t", 1)
        chain.pass(999_000)
        #expect(chain.rules() == [])
        chain.pass(70_000)
        #expect(chain.rules() == [.noOrphans])
        chain.pass(200_000)
        #expect(chain.rules() == [], "no more than before")
        chain.push("t", 2)
        chain.pass(200_000)
        #expect(chain.rules() == [])
        #expect(chain.audit.orphans(now: chain.now, registry: chain.registry).isEmpty)
    }

    @Test("findings are bounded, counts are not")
    func bounded() {
        var chain = AuditedChain()
        for _ in 0..<Audit.mostFindings + 10 { chain.push("x", nil) }
        #expect(chain.rules().count == Audit.mostFindings)
        #expect(chain.audit.counts[.rightOwner] == Audit.mostFindings + 10)
    }

    @Test("a table forgets its oldest entries")
    func table() {
        var table = RecentTable<Int, Int>(capacity: 3)
        for number in 1...5 { table.set(number * 10, for: number) }
        table.set(51, for: 5)
        #expect((1...5).map { table[$0] } == [nil, nil, 30, 40, 51])
        table.remove(3)
        table.set(33, for: 3)
        #expect(table[3] == 33)
        table.set(60, for: 6)
        #expect((3...6).map { table[$0] } == [33, nil, 51, 60], "what came back is as young as its return")
    }

    @Test("a registration that missed a push is missing until it is removed or made anew")
    func missing() {
        var chain = AuditedChain()
        func states() -> [String?] {
            let report = RegistryReport(chain.registry, chain.audit, now: chain.now)
            return (0...report.last).compactMap(report.row).map { $0["state"]?.stringValue }
        }
        chain.signal(.add, "t")
        chain.forge(messages: [1])
        chain.pass(60_000)
        #expect(states() == ["missing"])
        chain.signal(.remove, "t")
        chain.signal(.add, "t")
        #expect(states() == ["unproven"])
    }

    @Test("after a return to a snapshot what was served before does not count")
    func returned() {
        var chain = AuditedChain()
        chain.signal(.add, "t")
        chain.pollSignals(height: 40)
        chain.forge()
        chain.audit.forgetRegistry(before: chain.seq)
        chain.pollSignals()
        chain.signal(.remove, "t")
        chain.push("t", nil)
        #expect(chain.rules() == [], "the service has not been served the removal")
    }

    @Test("a dead token is remembered, however many there are")
    func manyDeaths() {
        var chain = AuditedChain()
        for number in 0...100_000 {
            chain.push("t\(number)", nil, status: 410, reason: "Unregistered")
        }
        _ = chain.rules()
        chain.pass(60_000)
        chain.push("t100000", nil)
        #expect(chain.rules().contains(.deadTokensDropped))
    }

    @Test("the registry's report tells what is confirmed, ended and surplus")
    func report() throws {
        var chain = AuditedChain()
        for token in ["a", "b", "c"] { chain.signal(.add, token) }
        chain.push("a", 1)
        chain.push("b", 1, status: 410, reason: "Unregistered")
        chain.push("x", 1)
        let registry = RegistryReport(chain.registry, chain.audit, now: chain.now)
        let states = (0...registry.last + 1).compactMap(registry.row).map { $0["state"]?.stringValue }
        let report = JSONValue.object(JSONObject(registry.members(elements: 1)))
        #expect(states == ["confirmed", "ended", "unproven"])
        let surplus = try #require(report["difference"]?["surplus"]?.arrayValue)
        #expect(surplus.map { $0["token"]?.stringValue } == ["x"])
        #expect(report["holders"]?.arrayValue?.first?["tokens"] == 3)
        #expect(report["implied"]?.arrayValue?.count == 1)
        #expect(report["totals"]?["implied"] == 3)
        #expect(report["signals"] == 3)
        #expect(report["fees"] == "300000")
    }

    @Test("the documentation lists every rule, and no other")
    func documented() throws {
        let text = try String(contentsOfFile: Fixture.packageRoot + "/Docs/audit.md", encoding: .utf8)
        let named = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
            .compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
        #expect(named == AuditRule.allCases.map(\.rawValue))
    }
}
