#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Whole files, read and written at once.
public enum Files {
    /// The bytes of a file.
    public static func read(_ path: String) throws(FileError) -> [UInt8] {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError(path: path) }
        defer { _ = close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = readBytes(file, &buffer)
            guard count >= 0 else { throw FileError(path: path) }
            if count == 0 { return bytes }
            bytes += buffer.prefix(count)
        }
    }

    /// Writes a file so that others see all of it or the one before: beside it first, then renamed.
    ///
    /// - Parameters:
    ///   - bytes: what the file will hold.
    ///   - path: the file, whose folder exists.
    ///   - isPrivate: only the owner may read it.
    /// - Throws: ``FileError``; a file that was there is then unchanged.
    public static func write(_ bytes: [UInt8], to path: String, isPrivate: Bool = false) throws(FileError) {
        let draft = try FileDraft(path: path, isPrivate: isPrivate)
        try draft.append(bytes)
        try draft.finish()
    }

    /// Makes a folder with those above it; nothing happens when it is there.
    public static func makeFolder(_ path: String) throws(FileError) {
        if isFolder(path) { return }
        let parent = parentFolder(of: path)
        if parent != path, !parent.isEmpty { try makeFolder(parent) }
        if unsafe mkdir(path, 0o755) == 0 { return }
        let code = errno
        if code == EEXIST, isFolder(path) { return }
        throw FileError(path: path, code: code == EEXIST ? ENOTDIR : code)
    }

    /// Whether a path is that of a folder.
    public static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// The names in a folder, sorted, without those that begin with a dot.
    public static func names(inFolder path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw FileError(path: path) }
        defer { _ = unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            // SAFETY: the entry lives until the next call, and its name is terminated within it.
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// Whether there is something at a path.
    public static func exists(_ path: String) -> Bool {
        unsafe access(path, F_OK) == 0
    }

    /// Removes a file; nothing happens when there is none.
    public static func remove(_ path: String) throws(FileError) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
    }

    private static func parentFolder(of path: String) -> String {
        let trimmed = path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path
        guard let slash = trimmed.lastIndex(of: "/") else { return "" }
        return slash == trimmed.startIndex ? "/" : String(trimmed[..<slash])
    }
}

/// Writes all bytes at the end of what was written.
func writeAll(_ bytes: [UInt8], to file: Int32, path: String) throws(FileError) {
    var rest = bytes[...]
    while !rest.isEmpty {
        let count = writeBytes(file, rest)
        guard count >= 0 else { throw FileError(path: path) }
        rest = rest.dropFirst(count)
    }
}

/// Reads some bytes into a buffer; 0 at the end of the file, negative after an error.
func readBytes(_ file: Int32, _ buffer: inout [UInt8]) -> Int {
    while true {
        let count = unsafe read(file, &buffer, buffer.count)
        if count >= 0 || errno != EINTR { return count }
    }
}

/// Writes some of the bytes; negative after an error.
private func writeBytes(_ file: Int32, _ bytes: ArraySlice<UInt8>) -> Int {
    while true {
        let count = unsafe bytes.withUnsafeBytes { unsafe write(file, $0.baseAddress, $0.count) }
        if count >= 0 || errno != EINTR { return count }
    }
}
