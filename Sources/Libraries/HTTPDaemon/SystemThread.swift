internal import Glibc

/// A thread of the system that runs one closure.
///
/// SAFETY: the handle is written once, before anybody else can see the object, and read only by `join`.
@safe final class SystemThread: @unchecked Sendable {
    private var handle = pthread_t()

    /// Starts a thread.
    init(_ body: @escaping @Sendable () -> Void) throws(HTTPDaemonError) {
        let box = unsafe Unmanaged.passRetained(Body(run: body))
        let status = unsafe pthread_create(&handle, nil, Self.main, box.toOpaque())
        guard status == 0 else {
            unsafe box.release()
            throw .systemCall("pthread_create", status)
        }
    }

    /// Waits for the end of the closure; once.
    func join() {
        pthread_join(handle, nil)
    }

    private final class Body: Sendable {
        let run: @Sendable () -> Void
        init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
        if let raw = unsafe raw { unsafe Unmanaged<Body>.fromOpaque(raw).takeRetainedValue().run() }
        return nil
    }
}

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
