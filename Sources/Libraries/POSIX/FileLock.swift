import Glibc

/// An exclusive lock that the system gives to one process at a time and takes back when that ends.
public final class FileLock: Sendable {
    private let file: Int32

    /// Takes the lock of a file, which is made when it is not there.
    ///
    /// - Parameters:
    ///   - path: the file; its content does not matter.
    ///   - waits: whether to wait for a process that has it.
    /// - Throws: ``POSIXError``, with `EWOULDBLOCK` when another process has it and `waits` is false.
    public init(_ path: String, waits: Bool) throws(POSIXError) {
        // SAFETY: the path reaches C as a terminated copy that lives through the call.
        file = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw POSIXError("open \(path)") }
        var result: Int32
        repeat { result = flock(file, LOCK_EX | (waits ? 0 : LOCK_NB)) } while result != 0 && errno == EINTR
        guard result == 0 else {
            let code = errno
            close(file)
            throw POSIXError("lock \(path)", code: code)
        }
    }

    deinit { close(file) }
}
