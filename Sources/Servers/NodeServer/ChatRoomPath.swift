/// The path of a chat-room call.
///
/// - Source: adamant:api/http/chatrooms.js, modules/chatrooms.js
struct ChatRoomPath {
    /// How every path of these calls begins; what begins otherwise is no endpoint.
    static let start = "/api/chatrooms/u"

    /// The first address as written.
    let user: String
    /// The second address as written.
    let companion: String?
    /// Whether there are two addresses.
    var isRoom: Bool { companion != nil }

    /// Reads a path, which begins as it must.
    init(_ path: String) throws(NodeRefusal) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst(3).map(String.init)
        let isList = parts.count == 1 || (parts.count == 2 && parts[1].isEmpty)
        guard let first = parts.first, Self.isAddress(first),
            isList || (parts.count == 2 && Self.isAddress(parts[1]))
        else { throw NodeRefusal("Invalid Request path") }
        user = first
        companion = isList ? nil : parts[1]
    }

    /// A `U` in either case and digits, however many.
    private static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count > 1 && bytes.first.map { $0 | 0x20 } == UInt8(ascii: "u")
            && bytes.dropFirst().allSatisfy { (48...57).contains($0) }
    }
}
