import Glibc

/// A program that this process has started.
public struct ChildProcess: Sendable {
    /// How a program ended.
    public enum Ending: Sendable, Equatable {
        /// By itself, with a code.
        case exited(Int32)
        /// By a signal.
        case signalled(Signal)
    }

    /// The system's number of the process.
    public let id: Int32

    /// Starts a program, looked up in `PATH`, with default signals.
    ///
    /// - Throws: ``POSIXError`` when it cannot be started.
    public init(arguments: [String], environment: [String]) throws(POSIXError) {
        guard let program = arguments.first else { throw POSIXError("start nothing", code: ENOENT) }
        var attributes = posix_spawnattr_t()
        // SAFETY: initialised before any other use and destroyed once.
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        var none = Signal.set(of: [])
        var defaults = Signal.set(of: [.pipe, .hangup, .interrupt, .quit, .terminate])
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
        var process: pid_t = 0
        let code = unsafe Self.withTexts(arguments) { argumentTexts in
            unsafe Self.withTexts(environment) { environmentTexts in
                // SAFETY: both lists end with nil and live through the call, which copies them.
                unsafe posix_spawnp(&process, program, nil, &attributes, argumentTexts, environmentTexts)
            }
        }
        guard code == 0 else { throw POSIXError("start \(program)", code: code) }
        id = process
    }

    /// How the program ended, told once; nil while it runs.
    public func poll() -> Ending? { wait(WNOHANG) }

    /// Waits for the program's end.
    public func wait() -> Ending { wait(0) ?? .exited(0) }

    /// Sends a signal to the program.
    public func send(_ signal: Signal) {
        kill(id, signal.rawValue)
    }

    private func wait(_ options: Int32) -> Ending? {
        var status: Int32 = 0
        while true {
            // SAFETY: the status lives through the call.
            let result = unsafe waitpid(id, &status, options)
            if result < 0, errno == EINTR { continue }
            guard result == id else { return nil }
            break
        }
        // As the macros WIFEXITED and WTERMSIG of <sys/wait.h> do.
        let signal = status & 0x7F
        return signal == 0 ? .exited((status >> 8) & 0xFF) : .signalled(Signal(rawValue: signal))
    }

    /// Gives a list of terminated texts that ends with nil.
    private static func withTexts<Result>(
        _ texts: [String],
        _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe texts.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { preconditionFailure("a list of texts has storage") }
            return unsafe body(base)
        }
    }
}
