public import JSONValue

/// The form of an exported world: a line that tells what it is, one frame for each row, and a digest of it all.
///
/// The line is a JSON object. A frame is the row's kind in one byte, the length of its body in four, most significant
/// first, and the body. The last frame, of kind 0, holds the number of rows in eight bytes and the digest: that of the
/// line, then for each row that of the digest before and the row's frame.
public enum WorldFile {
    /// The format that this version reads and writes.
    public static let version: Int64 = 1
    static let name = "mocknet world"
    static let longestHeader = 1 << 20
    static let longestBody = 1 << 26
    static let endKind: UInt8 = 0

    static func frame(kind: UInt8, _ body: [UInt8]) -> [UInt8] {
        var frame: [UInt8] = [kind]
        frame.reserveCapacity(body.count + 5)
        for shift in [24, 16, 8, 0] { frame.append(UInt8(truncatingIfNeeded: body.count >> shift)) }
        return frame + body
    }

    static func end(count: UInt64, digest: [UInt8]) -> [UInt8] {
        frame(
            kind: endKind,
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: count >> $0) } + digest
        )
    }
}

/// Makes the bytes of a world's file, row by row.
public struct WorldFileWriter: Sendable {
    private let sha256: @Sendable ([UInt8]) -> [UInt8]
    private var digest: [UInt8]
    private var count: UInt64 = 0

    /// The line with which the file begins.
    public let header: [UInt8]

    /// A file of which the header tells more than its format.
    public init(header: JSONObject, sha256: @escaping @Sendable ([UInt8]) -> [UInt8]) {
        var line = JSONObject([("format", .string(WorldFile.name)), ("version", .int(WorldFile.version))])
        for member in header.members { line.append(member.key, member.value) }
        self.header = JSONValue.object(line).bytes + [UInt8(ascii: "\n")]
        self.sha256 = sha256
        digest = sha256(self.header)
    }

    /// The bytes of the next row; nil for one that no reader would take: `kind` is from 1 to 255, and a body has an end.
    public mutating func row(kind: Int, _ body: [UInt8]) -> [UInt8]? {
        guard let kind = UInt8(exactly: kind), kind != WorldFile.endKind, body.count <= WorldFile.longestBody
        else { return nil }
        let frame = WorldFile.frame(kind: kind, body)
        digest = sha256(digest + frame)
        count += 1
        return frame
    }

    /// The bytes with which the file ends.
    public var end: [UInt8] { WorldFile.end(count: count, digest: digest) }
}
