#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif
import Synchronization

/// A file that is written piece by piece beside the place where others will see it, whole or not at all.
public final class FileDraft: Sendable {
    private let path: String
    private let draft: String
    /// Nil once it is in place or given up.
    private let file: Mutex<Int32?>

    /// Begins a file, which only its owner may read if it is to be private.
    public init(path: String, isPrivate: Bool) throws(FileError) {
        self.path = path
        draft = "\(path).\(getpid()).draft"
        let descriptor = unsafe open(
            draft,
            O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC,
            isPrivate ? 0o600 : 0o644
        )
        guard descriptor >= 0 else { throw FileError(path: path) }
        file = Mutex(descriptor)
    }

    deinit {
        file.withLock { file in
            guard let descriptor = file else { return }
            _ = close(descriptor)
            _ = unsafe unlink(draft)
        }
    }

    /// Adds bytes at the end.
    public func append(_ bytes: [UInt8]) throws(FileError) {
        try file.withLock { file throws(FileError) in
            guard let descriptor = file else { return }
            try writeAll(bytes, to: descriptor, path: path)
        }
    }

    /// Puts the file in its place.
    public func finish() throws(FileError) {
        try file.withLock { file throws(FileError) in
            guard let descriptor = file else { return }
            guard close(descriptor) == 0, unsafe rename(draft, path) == 0 else {
                let error = FileError(path: path)
                _ = unsafe unlink(draft)
                file = nil
                throw error
            }
            file = nil
        }
    }
}
