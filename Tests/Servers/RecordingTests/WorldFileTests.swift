import Files
import JSONValue
import Recording
import SystemCryptography
import TestSupport
import Testing

@Suite("The file of a world")
struct WorldFileTests {
    private static let digest: @Sendable ([UInt8]) -> [UInt8] = { SystemCryptography().sha256($0) }
    private static let rows: [(Int, [UInt8])] = [
        (1, []), (255, [0, 1, 2]), (7, [UInt8](repeating: 9, count: 300_000)),
    ]

    /// The bytes of a file of the rows.
    private static func written() -> [UInt8] {
        var writer = WorldFileWriter(header: JSONObject([("more", "told")]), sha256: digest)
        return writer.header + rows.flatMap { writer.row(kind: $0.0, $0.1) ?? [] } + writer.end
    }

    private static func read(_ bytes: [UInt8]) throws -> [(Int, [UInt8])] {
        let folder = try TemporaryFolder()
        try Files.write(bytes, to: folder.path + "/file")
        let reader = try WorldFileReader(path: folder.path + "/file", sha256: digest)
        #expect(reader.header["more"] == "told")
        var rows: [(Int, [UInt8])] = []
        try reader.forEachRow { rows.append(($0, $1)) }
        return rows
    }

    @Test("reads back what was written, long rows and empty ones")
    func readsBack() throws {
        let read = try Self.read(Self.written())
        #expect(read.map(\.0) == Self.rows.map(\.0))
        #expect(read.map(\.1) == Self.rows.map(\.1))
    }

    @Test("has no place for rows that no reader would take, and is whole without them")
    func refusesRows() throws {
        var writer = WorldFileWriter(header: JSONObject([("more", "told")]), sha256: Self.digest)
        let refused = [(3, [UInt8](repeating: 0, count: (1 << 26) + 1)), (0, [1]), (-1, [1]), (256, [1])]
            .compactMap { writer.row(kind: $0.0, $0.1) }
        #expect(refused.isEmpty)
        let kept = writer.row(kind: 3, [7])
        let row = try #require(kept)
        #expect(try Self.read(writer.header + row + writer.end).map(\.1) == [[7]])
    }

    @Test("is refused when cut anywhere, lengthened, or with rows left out, doubled or exchanged")
    func refuses() throws {
        let whole = Self.written()
        for length in stride(from: 0, to: whole.count, by: 1013) {
            #expect(throws: WorldFileError.self) { try Self.read(Array(whole[..<length])) }
        }
        #expect(throws: WorldFileError.self) { try Self.read(whole + [1]) }
        var writer = WorldFileWriter(header: JSONObject([("more", "told")]), sha256: Self.digest)
        let frames = Self.rows.compactMap { writer.row(kind: $0.0, $0.1) }
        for order in [[0, 1], [0, 1, 2, 2], [1, 0, 2], []] {
            let bytes = writer.header + order.flatMap { frames[$0] } + writer.end
            #expect(throws: WorldFileError.self) { try Self.read(bytes) }
        }
    }
}
