import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import TestSupport
import Testing

@Suite("Ledger: events as bytes")
struct LedgerEventTests {
    private func events() throws -> [LedgerEvent] {
        var world = TestWorld(versions: ["0.10", "0.9"], startHeight: 200_000_000)
        try world.post(world.transfer(1, Address("u123")!, 5))
        try world.post(world.chat(1, TestWorld.address(2), "AbCd", nonce: nil))
        try world.post(world.chat(1, TestWorld.address(2), "abcdef0123456789", type: 3, nonce: ""), node: 1)
        try world.post(world.state(2, "{\"a\":\"é\"}", key: nil, type: 1))
        var posted = try #require(world.chat(2, TestWorld.address(1), "aa").postedJSON.objectValue)
        posted["timestampMs"] = .int(Int64(world.seconds) * 1000 + 77)
        posted["extra"] = [
            1, -2, "x", nil, true, false, ["y": [1]], .string(String(repeating: "ab", count: 9)),
        ]
        posted["fraction"] = try JSONValue(parsing: "1.50e3")
        try world.post(body: ["transaction": .object(posted)])
        #expect(throws: SubmissionRejection.self) {
            try world.post(world.transfer(4, TestWorld.address(1), 5))
        }
        try world.post(world.transfer(1, TestWorld.address(3), 99_900_000_000))
        world.forge()
        return world.ledger.takeEvents()
    }

    @Test("every kind of event reads back as it was")
    func readsBack() throws {
        let events =
            try events() + [
                .accountStored(address: Address("U1")!, publicKey: nil),
                .dropped(node: 23, Identifier(.max), reason: "é"),
            ]
        #expect(events.contains { if case .relayed = $0 { true } else { false } })
        #expect(events.contains { if case .unconfirmed = $0 { true } else { false } })
        for event in events { #expect(LedgerEvent(decoding: event.encoded) == event) }
    }

    @Test("cut, lengthened, changed or random bytes never trap, and cut ones are nothing")
    func survivesDamage() throws {
        var generator = SeededGenerator(seed: 5)
        let fresh = TestWorld().ledger
        for event in try events() {
            let bytes = event.encoded
            for length in 0..<bytes.count { #expect(LedgerEvent(decoding: Array(bytes[0..<length])) == nil) }
            #expect(LedgerEvent(decoding: bytes + [0]) == nil)
            #expect(LedgerEvent(decoding: [2] + bytes.dropFirst()) == nil)
            for _ in 0..<300 {
                var damaged = bytes
                for _ in 0..<Int.random(in: 1...3, using: &generator) {
                    damaged[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(
                        in: 0...255,
                        using: &generator
                    )
                }
                guard let other = LedgerEvent(decoding: damaged) else { continue }
                var ledger = fresh
                ledger.restore(other)
                _ = ledger.forge(now: TestWorld.start)
            }
        }
        for length in 0..<200 {
            for kind in UInt8(0)...8 {
                _ = LedgerEvent(decoding: [1, kind] + generator.bytes(length))
            }
        }
    }
}
