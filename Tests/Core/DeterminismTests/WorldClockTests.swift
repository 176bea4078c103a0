import Determinism
import Testing

@Suite("The world's clock")
struct WorldClockTests {
    private func at(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

    @Test("it runs with the machine, plus what it was advanced by")
    func running() {
        var clock = WorldClock()
        #expect(clock.now(machine: at(10)) == at(10))
        clock.advance(milliseconds: 3_600_000)
        #expect(clock.now(machine: at(10)) == at(3_600_010))
        clock.advance(milliseconds: -3_600_000)
        #expect(clock.now(machine: at(20)) == at(20))
    }

    @Test("frozen it stands still, moves when it is told to, and runs on from there")
    func frozen() {
        var clock = WorldClock(offsetMilliseconds: 5)
        clock.setFrozen(true, machine: at(100))
        clock.setFrozen(true, machine: at(150))
        #expect(clock.now(machine: at(200)) == at(105))
        clock.advance(milliseconds: 1000)
        #expect(clock.now(machine: at(300)) == at(1105))
        clock.set(at(7), machine: at(300))
        #expect(clock.now(machine: at(400)) == at(7))
        clock.setFrozen(false, machine: at(500))
        #expect(clock.now(machine: at(510)) == at(17))
        clock.setFrozen(false, machine: at(600))
        #expect(clock.now(machine: at(510)) == at(17))
    }

    @Test("set while it runs, it goes on from that moment")
    func set() {
        var clock = WorldClock()
        clock.set(at(-50), machine: at(1000))
        #expect(clock.now(machine: at(1001)) == at(-49))
        #expect(clock.frozenAt == nil)
        #expect(clock.offsetMilliseconds == -1050)
    }

    @Test("it never leaves the range of moments")
    func extremes() {
        var clock = WorldClock()
        clock.advance(milliseconds: .max)
        clock.advance(milliseconds: .max)
        #expect(clock.now(machine: at(0)) == at(.max))
        clock.set(at(.min), machine: at(.max))
        #expect(clock.now(machine: at(.max)) == at(.min))
    }
}
