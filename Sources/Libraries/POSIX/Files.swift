import Glibc

/// Files and folders of the machine, by path.
public enum Files {
    /// Largest file that is read; everything that people write is far below.
    public static let maximumBytes = 64 << 20

    /// The bytes of a file.
    public static func read(_ path: String) throws(POSIXError) -> [UInt8] {
        // SAFETY: paths reach C as terminated copies that live through each call.
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw POSIXError("read \(path)") }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let capacity = chunk.count
            // SAFETY: at most `capacity` bytes are written into the array's storage.
            let count = unsafe chunk.withUnsafeMutableBytes {
                unsafe Glibc.read(file, $0.baseAddress, capacity)
            }
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw POSIXError("read \(path)") }
            guard count > 0 else { return bytes }
            bytes.append(contentsOf: chunk[..<count])
            guard bytes.count <= maximumBytes else { throw POSIXError("read \(path)", code: EFBIG) }
        }
    }

    /// Writes a file whole or not at all: into one beside it that then takes its place.
    public static func writeAtomically(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o644)
        throws(POSIXError)
    {
        let temporary = "\(path).\(getpid()).tmp"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
        guard file >= 0 else { throw POSIXError("write \(path)") }
        let isWritten = write(bytes[...], to: file)
        let code = errno
        close(file)
        guard isWritten else {
            unsafe unlink(temporary)
            throw POSIXError("write \(path)", code: code)
        }
        guard unsafe rename(temporary, path) == 0 else {
            let code = errno
            unsafe unlink(temporary)
            throw POSIXError("write \(path)", code: code)
        }
    }

    /// Whether there is anything at a path that can be read.
    public static func isReadable(_ path: String) -> Bool {
        unsafe access(path, R_OK) == 0
    }

    /// Removes a file; one that is not there is no failure.
    public static func remove(_ path: String) throws(POSIXError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw POSIXError("remove \(path)") }
    }

    /// Makes a folder that only this user can enter, below the system's folder for temporary files.
    public static func makeTemporaryFolder(named prefix: String) throws(POSIXError) -> String {
        let parent = ProcessEnvironment.value("TMPDIR") ?? "/tmp"
        var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        // SAFETY: mkdtemp changes the six X of a terminated text in place.
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, let result = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: result)
        }
        guard let made else { throw POSIXError("make a folder in \(parent)") }
        return made
    }

    /// Removes an empty folder; one that is not there is no failure.
    public static func removeFolder(_ path: String) throws(POSIXError) {
        guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw POSIXError("remove \(path)") }
    }

    /// A path that does not depend on the working directory.
    public static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        // SAFETY: getcwd allocates the text when given none; it is copied and freed.
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// Writes everything; false with `errno` set when the system refuses.
    static func write(_ bytes: ArraySlice<UInt8>, to file: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            // SAFETY: exactly the slice's bytes are read.
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
