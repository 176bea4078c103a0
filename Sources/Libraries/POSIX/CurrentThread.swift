import Glibc

/// The thread that this code runs on.
public enum CurrentThread {
    /// Lets it rest for so many milliseconds.
    public static func pause(milliseconds: Int) {
        usleep(UInt32(clamping: min(max(0, milliseconds), 600_000)) * 1000)
    }
}
