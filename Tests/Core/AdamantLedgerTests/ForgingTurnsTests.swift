import AdamantLedger
import Determinism
import Testing

@Suite("Ledger: turns of the forging loop")
struct ForgingTurnsTests {
    /// A loop that is looked at whenever it asks for it; the world's clock is ahead of the loop's by `offset`.
    private struct Loop {
        var turns: ForgingTurns
        var now: Int64
        var offset: Int64

        init(interval: Int = 5000, now: Int64 = 1_000_000, offset: Int64) {
            self.now = now
            self.offset = offset
            turns = ForgingTurns(
                intervalMilliseconds: interval,
                now: now,
                time: Timestamp(milliseconds: now + offset)
            )
        }

        /// The slot of a block, or nil, of the next turn, which comes late.
        mutating func turn(late: Int64 = 0) -> Int64? {
            now = max(now, turns.due) + late
            let time = Timestamp(milliseconds: now + offset)
            return turns.take(now: now, time: time) ? time.slot : nil
        }
    }

    @Test(
        "a block comes in the first second of each slot, whenever the loop began",
        arguments: [0, 1, 2600, 4999]
    )
    func slots(offset: Int64) {
        var loop = Loop(offset: offset)
        let first = Timestamp(milliseconds: loop.now + offset).slot
        for slot in first + 1...first + 20 {
            var forged: Int64?
            repeat { forged = loop.turn() } while forged == nil
            #expect(forged == slot)
            #expect((loop.now + offset) % 5000 < 1000)
        }
    }

    @Test("a turn that comes late never puts two blocks into a slot, nor leaves the next one empty")
    func stalls() {
        var loop = Loop(offset: 4650)
        var slots: [Int64] = []
        for turn in 0..<200 {
            if let slot = loop.turn(late: turn.isMultiple(of: 7) ? 900 : 0) { slots.append(slot) }
        }
        #expect(slots.count >= 40)
        #expect(zip(slots, slots.dropFirst()).allSatisfy { $1 == $0 + 1 })
    }

    @Test("slots that a long stall takes stay empty")
    func longStall() {
        var loop = Loop(offset: 0)
        let first = Timestamp(milliseconds: loop.now).slot
        #expect(loop.turn(late: 17_000) == first + 3)
        #expect(loop.turn() == nil)
        while true {
            guard let slot = loop.turn() else { continue }
            #expect(slot == first + 4)
            return
        }
    }

    @Test("clocks set forward and back make one block, and slots are followed from there")
    func setClocks() {
        var loop = Loop(offset: 0)
        for offset: Int64 in [3_600_000, -7_200_000] {
            loop.offset = offset
            let slot = loop.turn()
            #expect(slot == Timestamp(milliseconds: loop.now + offset).slot)
            while true {
                guard let next = loop.turn() else { continue }
                #expect(next == slot.map { $0 + 1 })
                break
            }
        }
    }

    @Test("while the world's clock stands still, each fifth turn makes a block")
    func frozen() {
        var turns = ForgingTurns(intervalMilliseconds: 5000, now: 0, time: nil)
        for turn in 1...20 {
            #expect(turns.due == Int64(turn) * 1000)
            #expect(turns.take(now: turns.due, time: nil) == turn.isMultiple(of: 5))
        }
    }

    @Test(
        "another interval has turns of a fifth of it, of 10 ms at least",
        arguments: [(50, 10), (1000, 200), (10, 10)]
    )
    func otherIntervals(interval: Int, turn: Int64) {
        var loop = Loop(interval: interval, offset: 123)
        for number in 1...20 {
            #expect(loop.turns.due == 1_000_000 + Int64(number) * turn)
            #expect((loop.turn() != nil) == number.isMultiple(of: 5))
        }
    }

    @Test("turns missed are skipped, not made up for")
    func missed() {
        var turns = ForgingTurns(intervalMilliseconds: 1000, now: 0, time: nil)
        _ = turns.take(now: 90_000, time: nil)
        #expect(turns.due == 90_000)
        _ = turns.take(now: 90_000, time: nil)
        #expect(turns.due == 90_200)
    }

    @Test("numbers at their ends are taken")
    func extremes() {
        var turns = ForgingTurns(intervalMilliseconds: .max, now: .max, time: Timestamp(milliseconds: .min))
        _ = turns.take(now: .max, time: Timestamp(milliseconds: .max))
        turns = ForgingTurns(intervalMilliseconds: .min, now: .min, time: nil)
        _ = turns.take(now: .min, time: nil)
    }
}
