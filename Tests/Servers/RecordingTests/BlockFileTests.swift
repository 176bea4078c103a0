import Files
import Recording
import TestSupport
import Testing

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Blocks in a file without a name")
struct BlockFileTests {
    /// Blocks of ten entries, numbered from 1 on, with two columns.
    private static func block(_ index: Int, bytes: Int = 100) -> BlockFile.Block {
        let first = Int64(index * 10 + 1)
        return BlockFile.Block(
            numbers: first...first + 9,
            count: 10,
            columns: [[UInt8(index)], [UInt8(index), 1]],
            body: [UInt8](repeating: UInt8(index), count: bytes)
        )
    }

    @Test("gives back bodies, columns and changes; the newest change of an entry counts")
    func readsBack() throws {
        let file = BlockFile()
        #expect(file.count == 0 && file.places(of: 1...100).isEmpty)
        for index in 0..<20 { try file.append(Self.block(index)) }
        #expect(file.count == 200)
        let places = file.places(of: 15...31)
        #expect(places.map(\.numbers) == [11...20, 21...30, 31...40])
        #expect(try file.body(of: places[1]) == [UInt8](repeating: 2, count: 100))
        var seen: [[UInt8]] = []
        try file.forEachColumn(1, of: places[1...]) { index, column in
            #expect(column == [UInt8(index + 1), 1])
            seen.append(column)
        }
        #expect(seen.count == 2)
        try file.write([.init(number: 12, body: [1]), .init(number: 30, body: [2])])
        try file.write([.init(number: 12, body: [3])])
        #expect(try file.changes(of: 1...29) == [.init(number: 12, body: [3])])
        #expect(try file.changes(of: 12...30).map(\.number) == [12, 30])
    }

    @Test("the oldest give way with their changes, and the others stay")
    func removesOldest() throws {
        let file = BlockFile()
        for index in 0..<3 { try file.append(Self.block(index)) }
        try file.write([.init(number: 3, body: [1]), .init(number: 13, body: [2])])
        let first = try #require(file.places(of: 1...1).first)
        #expect(try file.removeOldest() == 10)
        #expect(file.count == 20 && file.places(of: 1...30).map(\.numbers) == [11...20, 21...30])
        #expect(try file.body(of: first) == nil)
        #expect(try file.changes(of: 1...30).map(\.number) == [13])
        try file.append(Self.block(3))
        var columns: [[UInt8]] = []
        try file.forEachColumn(0, of: file.places(of: 1...40)[...]) { columns.append($1) }
        #expect(columns == [[1], [2], [3]])
    }

    @Test("leaves no name behind in its folder, not even while it is used")
    func hasNoName() throws {
        let folder = try TemporaryFolder()
        let file = BlockFile(folder: folder.path)
        try Files.write([1], to: folder.path + "/pushes.sqlite")
        for index in 0..<50 { try file.append(Self.block(index, bytes: 200_000)) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
        #expect(try file.body(of: try #require(file.places(of: 1...1).first))?.count == 200_000)
        let other = BlockFile(folder: folder.path)
        try other.append(Self.block(7))
        #expect(other.count == 10 && file.count == 500)
    }

    @Test("a disk without room is an error after which all that was written can be read")
    func fullDisk() throws {
        let file = BlockFile(maximumPages: 60)
        var written = 0
        let failure = #expect(throws: WorldLogError.self) {
            while written < 1000 {
                try file.append(Self.block(written % 200, bytes: 50_000))
                written += 1
            }
        }
        #expect("\(try #require(failure))".contains("full"))
        #expect((5..<30).contains(written) && file.count == written * 10)
        for place in file.places(of: 1...1_000_000) { #expect(try file.body(of: place)?.count == 50_000) }
        #expect(try file.removeOldest() == 10)
        try file.append(Self.block(150, bytes: 1000))
    }

    @Test("a folder that is not there is an error, again and again")
    func missingFolder() throws {
        let file = BlockFile(folder: "/nonexistent/folder")
        for _ in 0..<2 {
            #expect(throws: WorldLogError.self) { try file.append(Self.block(0)) }
        }
        #expect(file.count == 0)
    }
}
