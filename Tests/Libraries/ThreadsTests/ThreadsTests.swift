import Threads
import Testing

@Suite("Threads, conditions and timers", .timeLimit(.minutes(1)))
struct ThreadsTests {
    @Test("a thread runs its work and join waits for its end")
    func join() throws {
        let done = Condition(false)
        let thread = try WorkerThread(name: "a name that is too long") { done.withLock { $0 = true } }
        thread.join()
        thread.join()
        #expect(done.withLock { $0 })
    }

    @Test("joined from itself a thread ends all the same")
    func joinFromItself() throws {
        let holder = Condition<WorkerThread?>(nil)
        let ended = Condition(false)
        let thread = try WorkerThread(name: "self") {
            holder.wait { $0 }?.join()
            ended.update { $0 = true }
        }
        holder.update { $0 = thread }
        #expect(ended.wait(until: soon()) { $0 ? true : nil } == true)
    }

    @Test("changes by many threads are all kept")
    func contention() throws {
        let sum = Condition(0)
        let threads = try (0..<8).map { _ in
            try WorkerThread(name: "adder") { for _ in 0..<10_000 { sum.withLock { $0 += 1 } } }
        }
        for thread in threads { thread.join() }
        #expect(sum.withLock { $0 } == 80_000)
    }

    @Test("a wait ends with the change it waits for, and with its deadline")
    func waiting() throws {
        let number = Condition(0)
        let thread = try WorkerThread(name: "counter") { for _ in 0..<5 { number.update { $0 += 1 } } }
        #expect(number.wait(until: soon()) { $0 == 5 ? $0 : nil } == 5)
        thread.join()
        let start = MachineClock.monotonicMilliseconds()
        #expect(number.wait(until: start + 30) { $0 == 6 ? $0 : nil } == nil)
        #expect(MachineClock.monotonicMilliseconds() >= start + 30)
        #expect(number.wait(until: start - 10) { $0 == 6 ? $0 : nil } == nil)
        #expect(number.wait(until: .min) { $0 == 5 ? $0 : nil } == 5)
    }

    @Test("an error thrown under the lock leaves it free")
    func throwing() {
        struct Refusal: Error {}
        let number = Condition(1)
        #expect(throws: Refusal.self) {
            try number.withLock { (_: inout Int) throws(Refusal) in throw Refusal() }
        }
        #expect(number.withLock { $0 } == 1)
    }

    @Test("actions run in the order of their times, not of the calls")
    func timers() throws {
        let timer = try TimerThread(name: "timer")
        let order = Condition<[Int]>([])
        for delay in [60, 20, 40, 0, 20] {
            timer.after(milliseconds: delay) { order.update { $0.append(delay) } }
        }
        #expect(order.wait(until: soon()) { $0.count == 5 ? $0 : nil } == [0, 20, 20, 40, 60])
        timer.stop()
    }

    @Test("an action never runs before its time")
    func timing() throws {
        let timer = try TimerThread(name: "timer")
        let start = MachineClock.monotonicMilliseconds()
        let ran = Condition<Int64?>(nil)
        timer.after(milliseconds: 25) { ran.update { $0 = MachineClock.monotonicMilliseconds() } }
        let time = try #require(ran.wait(until: soon()) { $0 })
        #expect(time >= start + 25)
        timer.stop()
    }

    @Test("a cancelled action, and one after the stop, does not run")
    func cancelling() throws {
        let timer = try TimerThread(name: "timer")
        let ran = Condition<[String]>([])
        let token = timer.after(milliseconds: 5) { ran.update { $0.append("cancelled") } }
        timer.cancel(token)
        timer.after(milliseconds: 20) { ran.update { $0.append("kept") } }
        #expect(ran.wait(until: soon()) { $0.isEmpty ? nil : $0 } == ["kept"])
        timer.after(milliseconds: 1 << 60) { ran.update { $0.append("far") } }
        timer.after(milliseconds: -5) { ran.update { $0.append("past") } }
        #expect(ran.wait(until: soon()) { $0.count == 2 ? $0 : nil } == ["kept", "past"])
        timer.stop()
        timer.after(milliseconds: 0) { ran.update { $0.append("late") } }
        timer.stop()
        #expect(ran.withLock { $0 } == ["kept", "past"])
    }

    @Test("a thousand actions all run")
    func manyTimers() throws {
        let timer = try TimerThread(name: "timer")
        let count = Condition(0)
        for number in 0..<1000 {
            timer.after(milliseconds: number * 7919 % 50) { count.update { $0 += 1 } }
        }
        #expect(count.wait(until: soon()) { $0 == 1000 ? $0 : nil } == 1000)
        timer.stop()
    }

    @Test("the clocks go forward and agree on their units")
    func clocks() {
        let milliseconds = MachineClock.monotonicMilliseconds()
        let nanoseconds = MachineClock.monotonicNanoseconds()
        #expect(nanoseconds >= milliseconds * 1_000_000)
        #expect(nanoseconds < milliseconds * 1_000_000 + 10_000_000_000)
        // Between 2020 and 2100.
        #expect((1_577_836_800_000..<4_102_444_800_000).contains(MachineClock.unixMilliseconds()))
    }

    private func soon() -> Int64 { MachineClock.monotonicMilliseconds() + 20_000 }
}
