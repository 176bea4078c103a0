internal import Glibc

/// A counter that wakes a thread out of `poll`.
struct WakeSignal: Sendable {
    let descriptor: Int32

    init() throws(HTTPDaemonError) {
        descriptor = Self.make()
        guard descriptor >= 0 else { throw .systemCall("eventfd", errno) }
    }

    /// Wakes the thread, now or when it next waits.
    func signal() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Takes back all wakings so far.
    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }

    func destroy() {
        _ = close(descriptor)
    }
}
