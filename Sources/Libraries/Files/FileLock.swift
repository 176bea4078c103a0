#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

/// A lock on a file that one process at a time holds; the system releases it when the process ends.
public final class FileLock: Sendable {
    private let file: Mutex<Int32?>

    /// Takes the lock, making the file; nil when someone else holds it.
    public init?(path: String) throws(FileError) {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw FileError(path: path) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            let code = errno
            _ = close(descriptor)
            if code == EWOULDBLOCK { return nil }
            throw FileError(path: path, code: code)
        }
        file = Mutex(descriptor)
    }

    deinit { release() }

    /// Gives the lock back; the file stays.
    public func release() {
        file.withLock { file in
            if let descriptor = file {
                // Closing alone leaves it locked while a process that is just being made has a copy.
                _ = flock(descriptor, LOCK_UN)
                _ = close(descriptor)
            }
            file = nil
        }
    }
}
