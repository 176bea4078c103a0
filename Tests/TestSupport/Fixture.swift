public import JSONValue

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Files below `Fixtures/` at the root of the package.
public enum Fixture {
    /// The package's root folder.
    public static var packageRoot: String {
        var parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        parts.removeLast(3)
        return parts.joined(separator: "/")
    }

    /// The bytes of a fixture, named by its path below `Fixtures/`.
    public static func bytes(_ path: String) throws -> [UInt8] {
        let url = URL(filePath: packageRoot + "/Fixtures/" + path)
        return Array(try Data(contentsOf: url))
    }

    /// A fixture as JSON.
    public static func json(_ path: String) throws -> JSONValue {
        try JSONValue(parsing: bytes(path))
    }
}
