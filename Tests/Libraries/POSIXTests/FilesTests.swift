import POSIX
import Testing

@Suite("Files")
struct FilesTests {
    private func inFolder(_ body: (String) throws -> Void) throws {
        let folder = try Files.makeTemporaryFolder(named: "mocknet-test")
        try body(folder)
        try Files.removeFolder(folder)
        try Files.removeFolder(folder)
    }

    @Test("are read as they were written, and replaced whole")
    func roundTrip() throws {
        try inFolder { folder in
            let path = folder + "/file"
            for bytes in [[], [UInt8](repeating: 7, count: 200_000), Array("short".utf8)] as [[UInt8]] {
                try Files.writeAtomically(bytes, to: path)
                #expect(try Files.read(path) == bytes)
                #expect(Files.isReadable(path))
            }
            try Files.remove(path)
            try Files.remove(path)
            #expect(!Files.isReadable(path))
        }
    }

    @Test("tell what is missing")
    func missing() {
        let error = #expect(throws: POSIXError.self) { try Files.read("/no/such/file") }
        #expect(error?.isMissing == true)
        #expect(error?.description == "cannot read /no/such/file: No such file or directory")
        #expect(throws: POSIXError.self) { try Files.writeAtomically([1], to: "/no/such/file") }
        #expect(throws: POSIXError.self) { try Files.read("/") }
    }

    @Test("have absolute paths")
    func absolute() {
        #expect(Files.absolute("/a/b") == "/a/b")
        #expect(Files.absolute("b").hasPrefix("/"))
        #expect(Files.absolute("b").hasSuffix("/b"))
    }
}
