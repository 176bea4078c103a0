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
        // SAFETY: the path is a terminated text that lives through the call.
        let file = unsafe open("/proc/self/environ", O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return [] }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            // SAFETY: at most the buffer's own size is written into it.
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { break }
            bytes.append(contentsOf: chunk[..<count])
        }
        return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
    }
}
