internal import CMicrohttpd
internal import Synchronization

/// A request whose body has arrived.
@safe public final class HTTPRequest: Sendable {
    /// The method as sent, for example `GET`.
    public let method: String
    /// The request target as sent, without scheme and authority.
    public let target: String
    /// The path without query, percent-decoded.
    public let path: String
    /// The query as sent, without the question mark; empty when there is none.
    public let query: String
    /// The body; empty when it was too large.
    public let body: [UInt8]
    /// Whether the body exceeded the listener's limit and was thrown away.
    public let bodyWasTooLarge: Bool
    /// The numeric address of the client.
    public let clientAddress: String
    /// The port the client connected to.
    public let serverPort: UInt16

    private let source: Mutex<HeaderSource>

    /// A request of its parts, for those who test handlers without sockets.
    public convenience init(
        method: String,
        target: String,
        headers: [(String, String)] = [],
        body: [UInt8] = [],
        bodyWasTooLarge: Bool = false,
        clientAddress: String = "127.0.0.1",
        serverPort: UInt16 = 0
    ) {
        self.init(
            method: method,
            target: target,
            source: HeaderSource(copied: headers),
            body: body,
            bodyWasTooLarge: bodyWasTooLarge,
            clientAddress: clientAddress,
            serverPort: serverPort
        )
    }

    init(
        method: String,
        target: String,
        source: HeaderSource,
        body: [UInt8],
        bodyWasTooLarge: Bool,
        clientAddress: String,
        serverPort: UInt16
    ) {
        self.method = method
        self.body = body
        self.bodyWasTooLarge = bodyWasTooLarge
        self.clientAddress = clientAddress
        self.serverPort = serverPort
        let target = RequestTarget(target)
        self.target = target.text
        path = target.path
        query = target.query
        self.source = Mutex(source)
    }

    /// The first field of a name, without regard to case.
    ///
    /// Fields can be read until the answer is on its way; after that there are none.
    public func header(_ name: String) -> String? {
        source.withLock { $0.value(of: name) }
    }

    /// All fields in the order sent; empty once the answer is on its way.
    public var headers: [(String, String)] {
        source.withLock { $0.all }
    }

    /// Forgets the connection, which is about to go.
    func detach() {
        source.withLock { $0 = HeaderSource(copied: []) }
    }
}

/// Where header fields come from: the library's connection, or a copy.
///
/// SAFETY: the connection is read under the request's lock only, and forgotten there before it ends.
@safe struct HeaderSource: @unchecked Sendable {
    private let connection: OpaquePointer?
    private let copied: [(String, String)]

    init(copied: [(String, String)]) {
        unsafe connection = nil
        self.copied = copied
    }

    init(connection: OpaquePointer) {
        unsafe self.connection = connection
        copied = []
    }

    func value(of name: String) -> String? {
        guard let connection = unsafe connection else {
            let wanted = name.lowercased()
            return copied.first { $0.0.lowercased() == wanted }?.1
        }
        let value = unsafe MHD_lookup_connection_value(connection, .HEADER_KIND, name)
        return unsafe value.map { unsafe String(cString: $0) }
    }

    var all: [(String, String)] {
        guard let connection = unsafe connection else { return copied }
        var fields: [(String, String)] = []
        unsafe withUnsafeMutablePointer(to: &fields) { pointer in
            _ = unsafe MHD_get_connection_values(connection, .HEADER_KIND, Self.collect, pointer)
        }
        return fields
    }

    private static let collect: MHD_KeyValueIterator = { raw, _, name, value in
        guard let fields = unsafe raw?.assumingMemoryBound(to: [(String, String)].self) else { return .NO }
        let name = unsafe name.map { unsafe String(cString: $0) } ?? ""
        let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
        unsafe fields.pointee.append((name, value))
        return .YES
    }
}

/// A request target taken apart.
struct RequestTarget {
    let text: String
    let path: String
    let query: String

    init(_ sent: String) {
        let sent = Self.withoutAuthority(sent)
        let bytes = sent.utf8
        text = sent
        guard let mark = bytes.firstIndex(where: { $0 == UInt8(ascii: "?") || $0 == UInt8(ascii: "%") })
        else {
            path = sent
            query = ""
            return
        }
        let question = bytes[mark...].firstIndex(of: UInt8(ascii: "?"))
        path = PercentCoding.decode(bytes[..<(question ?? bytes.endIndex)])
        query = if let question { String(sent[bytes.index(after: question)...]) } else { "" }
    }

    /// `http://host/path` → `/path`.
    private static func withoutAuthority(_ sent: String) -> String {
        guard sent.utf8.first != UInt8(ascii: "/") else { return sent }
        guard sent.hasPrefix("http://") || sent.hasPrefix("https://") else { return sent }
        let bytes = sent.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")) else { return sent }
        let host = bytes.index(colon, offsetBy: 3)
        let end = bytes[host...].firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }
        guard let end else { return "/" }
        let rest = String(sent[end...])
        return rest.utf8.first == UInt8(ascii: "/") ? rest : "/" + rest
    }
}

/// Percent-encoded text.
public enum PercentCoding {
    /// The text with each `%` and two digits replaced by its byte; malformed ones stay as they are.
    public static func decode(_ bytes: some Collection<UInt8>, plusIsSpace: Bool = false) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if byte == UInt8(ascii: "%"), let (value, next) = pair(in: bytes, at: index) {
                output.append(value)
                index = next
            } else {
                output.append(plusIsSpace && byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
            }
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func pair<Bytes: Collection<UInt8>>(
        in bytes: Bytes,
        at index: Bytes.Index
    ) -> (UInt8, Bytes.Index)? {
        guard index < bytes.endIndex, let high = digit(bytes[index]) else { return nil }
        let second = bytes.index(after: index)
        guard second < bytes.endIndex, let low = digit(bytes[second]) else { return nil }
        return (high << 4 | low, bytes.index(after: second))
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
