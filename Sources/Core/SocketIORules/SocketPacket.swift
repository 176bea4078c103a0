import JSONValue

/// One packet of Socket.IO, as clients send them.
///
/// - Source: socket.io-protocol (revision 5), socket.io-parser
struct SocketPacket: Hashable, Sendable {
    enum Kind: UInt8, Sendable {
        case connect = 48
        case disconnect
        case event
        case acknowledgement
        case connectError
        case binaryEvent
        case binaryAcknowledgement
    }

    /// Most attachments of one packet.
    ///
    /// - Source: socket.io-parser (`maxAttachments`)
    private static let maximumAttachments = 10
    /// Names that no client may emit.
    ///
    /// - Source: socket.io-parser (`RESERVED_EVENTS`)
    private static let reservedEvents: Set<String> = [
        "connect", "connect_error", "disconnect", "disconnecting", "newListener", "removeListener",
    ]

    let kind: Kind
    /// `/` for the default one.
    let namespace: String
    let payload: JSONValue?
    /// How many binary messages belong to it.
    let attachments: Int

    /// Reads a packet; nil when it is none, which ends the connection.
    init?(_ text: [UInt8]) {
        var rest = text[...]
        guard let kind = rest.popFirst().flatMap(Kind.init) else { return nil }
        self.kind = kind
        var attachments = 0
        if kind == .binaryEvent || kind == .binaryAcknowledgement {
            let digits = rest.prefix { (48...57).contains($0) }
            guard (1...2).contains(digits.count) else { return nil }
            attachments = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
            rest = rest.dropFirst(digits.count)
            guard rest.popFirst() == UInt8(ascii: "-"), attachments <= Self.maximumAttachments else {
                return nil
            }
        }
        self.attachments = attachments
        var namespace = "/"
        if rest.first == UInt8(ascii: "/") {
            let name = rest.prefix { $0 != UInt8(ascii: ",") }
            namespace = String(decoding: name, as: UTF8.self)
            rest = rest.dropFirst(name.count + 1)
        }
        self.namespace = namespace
        rest = rest.drop { (48...57).contains($0) }
        guard !rest.isEmpty else {
            payload = nil
            guard Self.isValid(nil, kind) else { return nil }
            return
        }
        guard let value = try? JSONValue(parsing: Array(rest)), Self.isValid(value, kind) else { return nil }
        payload = value
    }

    /// The name of an event and its first argument.
    var event: (name: String, argument: JSONValue?)? {
        guard kind == .event, let elements = payload?.arrayValue, let name = elements.first?.stringValue
        else { return nil }
        return (name, elements.dropFirst().first)
    }

    private static func isValid(_ payload: JSONValue?, _ kind: Kind) -> Bool {
        switch kind {
        case .connect: payload == nil || payload?.objectValue != nil
        case .disconnect: payload == nil
        case .connectError: payload?.stringValue != nil || payload?.objectValue != nil
        case .acknowledgement, .binaryAcknowledgement: payload?.arrayValue != nil
        case .event, .binaryEvent:
            switch payload?.arrayValue?.first {
            case .number?: true
            case .string(let name)?: !reservedEvents.contains(name)
            default: false
            }
        }
    }

    /// `2["name",payload]`, an event of the default namespace.
    static func event(_ name: String, _ payload: [UInt8]) -> [UInt8] {
        var text = Array("2[".utf8)
        JSONValue.writeString(name, to: &text)
        text.append(UInt8(ascii: ","))
        text += payload
        text.append(UInt8(ascii: "]"))
        return text
    }
}
