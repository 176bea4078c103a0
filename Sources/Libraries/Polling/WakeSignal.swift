#if canImport(Darwin)
    import Darwin
#else
    import CLinux
    import Glibc
#endif

/// Wakes a thread out of its wait: an eventfd on Linux, a pipe elsewhere.
public final class WakeSignal: Sendable {
    /// What the thread waits for.
    public let readEnd: Int32
    private let writeEnd: Int32

    /// A signal that is not raised.
    public init() throws(PollingError) {
        #if os(Linux)
            readEnd = eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
            guard readEnd >= 0 else {
                throw PollingError(operation: "eventfd", errorNumber: errno)
            }
            writeEnd = readEnd
        #else
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else {
                throw PollingError(operation: "pipe", errorNumber: errno)
            }
            readEnd = ends[0]
            writeEnd = ends[1]
            _ = fcntl(readEnd, F_SETFL, O_NONBLOCK)
            _ = fcntl(writeEnd, F_SETFL, O_NONBLOCK)
        #endif
    }

    deinit {
        close(readEnd)
        if writeEnd != readEnd { close(writeEnd) }
    }

    /// Makes the current or the next wait end at once.
    public func raise() {
        var one: UInt64 = 1
        _ = unsafe write(writeEnd, &one, 8)
    }

    /// Takes the signal back.
    public func lower() {
        var buffer: (UInt64, UInt64) = (0, 0)
        _ = unsafe read(readEnd, &buffer, 16)
    }
}
