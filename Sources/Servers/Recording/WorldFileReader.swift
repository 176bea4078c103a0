import Files
public import JSONValue

/// Why the file of a world cannot be read.
public enum WorldFileError: Error, Hashable, Sendable, CustomStringConvertible {
    /// It is not there, or may not be read.
    case unreadable(reason: String)
    /// It is something else.
    case notAWorld(path: String)
    /// It is of another version of the format.
    case unknownVersion(path: String, found: String)
    /// It ends too early.
    case truncated(path: String, rows: UInt64)
    /// It is not what was written.
    case damaged(path: String)

    /// One line for people.
    public var description: String {
        switch self {
        case .unreadable(let reason): reason
        case .notAWorld(let path): "\(path) is no exported world"
        case .unknownVersion(let path, let found):
            "\(path) has version \(found) of the format, and this program reads version \(WorldFile.version)"
        case .truncated(let path, let rows): "\(path) is truncated: it ends after \(rows) whole rows"
        case .damaged(let path): "\(path) is damaged: its digest does not fit"
        }
    }
}

/// Reads the file of a world, once from beginning to end.
public final class WorldFileReader {
    /// What the first line tells.
    public let header: JSONObject

    private let path: String
    private let file: FileReader
    private let sha256: ([UInt8]) -> [UInt8]
    private var digest: [UInt8]

    /// Opens a file and reads its first line.
    public init(path: String, sha256: @escaping ([UInt8]) -> [UInt8]) throws(WorldFileError) {
        self.path = path
        self.sha256 = sha256
        let line: [UInt8]
        do throws(FileError) {
            file = try FileReader(path: path)
            line = try Self.line(of: file)
        } catch {
            throw .unreadable(reason: error.description)
        }
        digest = sha256(line)
        guard line.last == UInt8(ascii: "\n"), let object = (try? JSONValue(parsing: line))?.objectValue,
            object["format"]?.stringValue == WorldFile.name, let version = object["version"]
        else { throw .notAWorld(path: path) }
        guard version.intValue == WorldFile.version else {
            throw .unknownVersion(path: path, found: version.text)
        }
        header = object
    }

    private static func line(of file: FileReader) throws(FileError) -> [UInt8] {
        var line: [UInt8] = []
        while line.count < WorldFile.longestHeader, let byte = try file.read(1).first {
            line.append(byte)
            if byte == UInt8(ascii: "\n") { break }
        }
        return line
    }

    /// Shows all rows in their order, and then checks that they are what was written.
    public func forEachRow(_ body: (_ kind: Int, _ body: [UInt8]) -> Void) throws(WorldFileError) {
        var count: UInt64 = 0
        while true {
            let head = try read(5, after: count)
            let length = head[1...].reduce(0) { $0 << 8 | Int($1) }
            guard length <= WorldFile.longestBody else { throw .damaged(path: path) }
            let content = try read(length, after: count)
            guard head[0] != WorldFile.endKind else {
                let isWhole = WorldFile.end(count: count, digest: digest) == head + content
                guard isWhole, try read(upTo: 1).isEmpty else { throw .damaged(path: path) }
                return
            }
            digest = sha256(digest + head + content)
            count += 1
            body(Int(head[0]), content)
        }
    }

    private func read(_ count: Int, after rows: UInt64) throws(WorldFileError) -> [UInt8] {
        let bytes = try read(upTo: count)
        guard bytes.count == count else { throw .truncated(path: path, rows: rows) }
        return bytes
    }

    private func read(upTo count: Int) throws(WorldFileError) -> [UInt8] {
        do throws(FileError) {
            return try file.read(count)
        } catch {
            throw .unreadable(reason: error.description)
        }
    }
}
