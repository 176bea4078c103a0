import Glibc

/// The process that this code runs in.
public enum CurrentProcess {
    /// Ends it at once with an exit status; threads that still run are not waited for.
    public static func exit(_ status: Int32) -> Never {
        _exit(status)
    }
}
