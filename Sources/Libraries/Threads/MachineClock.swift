#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// The clocks of the machine.
public enum MachineClock {
    /// Milliseconds since 1970; jumps when someone sets the clock.
    public static func unixMilliseconds() -> Int64 {
        milliseconds(CLOCK_REALTIME)
    }

    /// Milliseconds since some start; never goes back, so waits are measured by it.
    public static func monotonicMilliseconds() -> Int64 {
        milliseconds(CLOCK_MONOTONIC)
    }

    /// The moment of ``monotonicMilliseconds()`` after so many more, some decades at most; now for a negative number.
    public static func deadline(afterMilliseconds milliseconds: Int) -> Int64 {
        monotonicMilliseconds() + Int64(max(0, min(milliseconds, 1 << 40)))
    }

    /// Nanoseconds since some start; never goes back.
    public static func monotonicNanoseconds() -> Int64 {
        let time = read(CLOCK_MONOTONIC)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }

    private static func milliseconds(_ clock: clockid_t) -> Int64 {
        let time = read(clock)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    private static func read(_ clock: clockid_t) -> timespec {
        var time = timespec()
        _ = unsafe clock_gettime(clock, &time)
        return time
    }
}
