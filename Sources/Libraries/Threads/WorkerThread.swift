#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

/// The operating system gave no thread.
public struct ThreadError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error number of `pthread_create`.
    public let code: Int32

    /// What happened, for people.
    public var description: String { "no further thread (error \(code))" }
}

/// A thread of the operating system that runs one function and is joined once.
public final class WorkerThread: Sendable {
    /// What the new thread takes over: its name and its work.
    private final class Start: Sendable {
        let name: String
        let body: @Sendable () -> Void

        init(name: String, body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// SAFETY: an identifier that `pthread_join` and `pthread_detach` take from any thread; taken once.
    private struct Handle: @unchecked Sendable {
        let thread: pthread_t
    }

    private let handle: Mutex<Handle?>

    /// Starts a thread.
    ///
    /// - Parameters:
    ///   - name: shown by the system's tools; cut after 15 bytes.
    ///   - body: runs on the new thread; the thread ends with it.
    /// - Throws: ``ThreadError`` when the system has no thread left.
    public init(name: String, _ body: @escaping @Sendable () -> Void) throws(ThreadError) {
        let context = unsafe Unmanaged.passRetained(Start(name: name, body: body))
        #if canImport(Darwin)
            var thread: pthread_t?
        #else
            var thread = pthread_t()
        #endif
        let code = unsafe pthread_create(&thread, nil, threadMain, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            throw ThreadError(code: code)
        }
        #if canImport(Darwin)
            handle = Mutex(thread.map(Handle.init))
        #else
            handle = Mutex(Handle(thread: thread))
        #endif
    }

    deinit {
        if let thread = take() { _ = pthread_detach(thread) }
    }

    /// Waits for the end of the thread; a second call, and one from the thread itself, returns at once.
    public func join() {
        guard let thread = take() else { return }
        if pthread_equal(thread, pthread_self()) != 0 {
            _ = pthread_detach(thread)
        } else {
            _ = pthread_join(thread, nil)
        }
    }

    private func take() -> pthread_t? {
        handle.withLock { handle in
            defer { handle = nil }
            return handle?.thread
        }
    }

    /// Runs the work that was handed over; releases it at the end.
    fileprivate static func run(_ context: UnsafeMutableRawPointer) {
        let start = unsafe Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
        setName(String(decoding: start.name.utf8.prefix(15), as: UTF8.self))
        start.body()
    }

    /// Names the calling thread; a name that the system does not take is no failure.
    private static func setName(_ name: String) {
        #if canImport(Darwin)
            _ = unsafe pthread_setname_np(name)
        #else
            // Glibc hides its function behind _GNU_SOURCE, which Swift's importer does not set.
            let file = unsafe open("/proc/thread-self/comm", O_WRONLY | O_CLOEXEC)
            guard file >= 0 else { return }
            let bytes = Array(name.utf8)
            _ = unsafe write(file, bytes, bytes.count)
            _ = close(file)
        #endif
    }
}

#if canImport(Darwin)
    private func threadMain(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
        unsafe WorkerThread.run(context)
        return nil
    }
#else
    private func threadMain(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
        if let context = unsafe context { unsafe WorkerThread.run(context) }
        return nil
    }
#endif
