#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

extension Files {
    /// A path that does not depend on the working directory.
    public static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/") else { return path }
        // SAFETY: getcwd allocates the text when given none; it is copied and freed.
        guard let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(cString: folder) + "/" + path
    }

    /// Makes a folder of a new name that only this user can enter, in another folder.
    public static func makePrivateFolder(in parent: String, prefix: String) throws(FileError) -> String {
        var template = Array("\(parent)/\(prefix)-XXXXXX".utf8CString)
        // SAFETY: mkdtemp changes the six X of a terminated text in place.
        let made = unsafe template.withUnsafeMutableBufferPointer { buffer -> String? in
            guard let base = buffer.baseAddress, let result = unsafe mkdtemp(base) else { return nil }
            return unsafe String(cString: result)
        }
        guard let made else { throw FileError(path: parent) }
        return made
    }

    /// Removes an empty folder; nothing happens when there is none.
    public static func removeFolder(_ path: String) throws(FileError) {
        guard unsafe rmdir(path) == 0 || errno == ENOENT else { throw FileError(path: path) }
    }
}
