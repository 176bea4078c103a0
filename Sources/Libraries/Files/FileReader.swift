#if canImport(Glibc)
    import Glibc
#elseif canImport(Darwin)
    import Darwin
#endif

/// Reads a file from its beginning to its end, for one thread.
public final class FileReader {
    private static let bufferBytes = 1 << 18

    private let path: String
    private let file: Int32
    private var buffer: [UInt8] = []
    private var place = 0

    /// Opens a file.
    public init(path: String) throws(FileError) {
        self.path = path
        file = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileError(path: path) }
    }

    deinit { _ = close(file) }

    /// The next bytes: as many as asked for, fewer only at the end of the file.
    public func read(_ count: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            if place == buffer.count, try !fill() { break }
            let taken = min(count - bytes.count, buffer.count - place)
            bytes += buffer[place..<place + taken]
            place += taken
        }
        return bytes
    }

    /// Reads the next piece; false at the end of the file.
    private func fill() throws(FileError) -> Bool {
        buffer = [UInt8](repeating: 0, count: Self.bufferBytes)
        let count = readBytes(file, &buffer)
        guard count >= 0 else { throw FileError(path: path) }
        buffer.removeLast(buffer.count - count)
        place = 0
        return count > 0
    }
}
