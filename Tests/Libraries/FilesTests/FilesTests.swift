import Files
import Foundation
import TestSupport
import Testing

@Suite("Files and locks")
struct FilesTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a file is read as it was written", arguments: [0, 1, 65_536, 200_000])
    func roundTrip(count: Int) throws {
        let path = folder.path + "/file"
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 31) }
        try Files.write([1, 2, 3], to: path)
        try Files.write(bytes, to: path)
        #expect(try Files.read(path) == bytes)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["file"])
    }

    @Test("a private file is its owner's alone")
    func privateFile() throws {
        let path = folder.path + "/key"
        try Files.write([1], to: path, isPrivate: true)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(mode == 0o600)
    }

    @Test("what cannot be read or written is told with its path")
    func failures() throws {
        let path = folder.path + "/none/file"
        let missing = #expect(throws: FileError.self) { try Files.read(path) }
        #expect(missing?.isMissing == true)
        #expect(missing?.description == path + ": No such file or directory")
        #expect(throws: FileError.self) { try Files.write([1], to: path) }
        #expect(throws: FileError.self) { try Files.read(folder.path) }
        #expect(throws: FileError.self) { try Files.write([1], to: folder.path) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).isEmpty)
    }

    @Test("a folder is made with those above it, once")
    func folders() throws {
        let path = folder.path + "/a/b//c/"
        try Files.makeFolder(path)
        try Files.makeFolder(path)
        #expect(Files.isFolder(path))
        try Files.write([1], to: path + "file")
        #expect(Files.exists(path + "file"))
        #expect(!Files.isFolder(path + "file"))
        #expect(throws: FileError.self) { try Files.makeFolder(path + "file") }
        #expect(throws: FileError.self) { try Files.makeFolder(path + "file/below") }
        try Files.remove(path + "file")
        try Files.remove(path + "file")
        #expect(!Files.exists(path + "file"))
    }

    @Test("a private folder has a new name each time, and goes when it is empty")
    func privateFolders() throws {
        let first = try Files.makePrivateFolder(in: folder.path, prefix: "work")
        let second = try Files.makePrivateFolder(in: folder.path, prefix: "work")
        #expect(first != second)
        #expect(Files.isFolder(first) && Files.isFolder(second))
        let mode = try FileManager.default.attributesOfItem(atPath: first)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        try Files.write([1], to: first + "/file")
        #expect(throws: FileError.self) { try Files.removeFolder(first) }
        for path in [second, second] { try Files.removeFolder(path) }
        #expect(throws: FileError.self) {
            try Files.makePrivateFolder(in: folder.path + "/none", prefix: "x")
        }
    }

    @Test("an absolute path stays, another begins at the working directory")
    func absolutePaths() {
        #expect(Files.absolute("/a/b") == "/a/b")
        #expect(Files.absolute("b") == FileManager.default.currentDirectoryPath + "/b")
    }

    @Test("a lock is held once and free again after its release")
    func lock() throws {
        let path = folder.path + "/lock"
        let first = try #require(try FileLock(path: path))
        #expect(try FileLock(path: path) == nil)
        first.release()
        first.release()
        do {
            let second = try FileLock(path: path)
            #expect(second != nil)
            #expect(try FileLock(path: path) == nil)
        }
        #expect(try FileLock(path: path) != nil)
    }

    @Test("a lock that another process holds is not taken, and is free when that process is killed")
    func lockOfAnotherProcess() throws {
        let path = folder.path + "/lock"
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = ["flock", "--exclusive", "--no-fork", path, "cat"]
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        try process.run()
        // `cat` echoes once `flock` has the lock.
        try input.fileHandleForWriting.write(contentsOf: Data([UInt8(ascii: "x")]))
        #expect(output.fileHandleForReading.readData(ofLength: 1).count == 1)
        #expect(try FileLock(path: path) == nil)
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        #expect(try FileLock(path: path) != nil)
    }

    @Test("a lock in a folder that is not there is an error, not a held lock")
    func lockWithoutFolder() {
        #expect(throws: FileError.self) { try FileLock(path: folder.path + "/none/lock") }
    }
}
