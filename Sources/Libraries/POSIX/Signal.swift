import Glibc

/// A signal of the system, and how this process takes it.
public struct Signal: RawRepresentable, Hashable, Sendable {
    /// The system's number.
    public let rawValue: Int32

    /// The signal of a number.
    public init(rawValue: Int32) {
        self.rawValue = rawValue
    }

    /// The terminal is gone.
    public static let hangup = Signal(rawValue: SIGHUP)
    /// Ctrl-C.
    public static let interrupt = Signal(rawValue: SIGINT)
    /// Ctrl-\.
    public static let quit = Signal(rawValue: SIGQUIT)
    /// The polite request to end.
    public static let terminate = Signal(rawValue: SIGTERM)
    /// For whatever a program likes.
    public static let user1 = Signal(rawValue: SIGUSR1)
    /// For whatever a program likes.
    public static let user2 = Signal(rawValue: SIGUSR2)
    /// A child changed its state.
    public static let child = Signal(rawValue: SIGCHLD)
    /// Nobody reads what is written.
    public static let pipe = Signal(rawValue: SIGPIPE)

    /// A signal that came.
    public struct Delivery: Sendable, Equatable {
        /// Which.
        public let signal: Signal
        /// Whether the kernel sent it, as a terminal does to everything in the foreground.
        public let isFromKernel: Bool
    }

    /// Lets the process ignore this signal.
    public func ignore() {
        _ = Glibc.signal(rawValue, SIG_IGN)
    }

    /// Keeps signals for ``wait(for:timeoutMilliseconds:)``; threads started later do so too.
    public static func block(_ signals: [Signal]) {
        var set = set(of: signals)
        // SAFETY: the set lives through the call.
        unsafe pthread_sigmask(SIG_BLOCK, &set, nil)
    }

    /// Lets signals do again what the system does with them: end the process.
    public static func release(_ signals: [Signal]) {
        for signal in signals {
            _ = Glibc.signal(signal.rawValue, SIG_DFL)
        }
        var set = set(of: signals)
        // SAFETY: the set lives through the call.
        unsafe pthread_sigmask(SIG_UNBLOCK, &set, nil)
    }

    /// Waits until one of these blocked signals comes; nil when none came in time.
    public static func wait(for signals: [Signal], timeoutMilliseconds: Int? = nil) -> Delivery? {
        var set = set(of: signals)
        while true {
            var details = unsafe siginfo_t()
            var number: Int32
            if let timeoutMilliseconds {
                var time = timespec(
                    tv_sec: timeoutMilliseconds / 1000,
                    tv_nsec: timeoutMilliseconds % 1000 * 1_000_000
                )
                // SAFETY: all three live through the call.
                number = unsafe sigtimedwait(&set, &details, &time)
            } else {
                // SAFETY: both live through the call.
                number = unsafe sigwaitinfo(&set, &details)
            }
            if number > 0 {
                return Delivery(signal: Signal(rawValue: number), isFromKernel: unsafe details.si_code > 0)
            }
            guard errno == EINTR else { return nil }
        }
    }

    /// The system's set of some signals.
    static func set(of signals: [Signal]) -> sigset_t {
        var set = sigset_t()
        // SAFETY: the set is initialised by the first call and lives through the others.
        unsafe sigemptyset(&set)
        for signal in signals { unsafe sigaddset(&set, signal.rawValue) }
        return set
    }
}
