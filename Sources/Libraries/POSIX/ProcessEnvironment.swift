import Glibc

/// The variables this process was started with.
public enum ProcessEnvironment {
    /// The value of a variable; nil when it is not set.
    public static func value(_ name: String) -> String? {
        // SAFETY: nothing in this program changes the environment; the text is copied at once.
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// All variables as `NAME=value`, in the system's order.
    ///
    /// Read from `/proc`, since Swift refuses the C library's mutable list.
    public static var all: [String] {
        guard let bytes = try? Files.read("/proc/self/environ") else { return [] }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
