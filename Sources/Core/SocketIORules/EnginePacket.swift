/// The revision of the Engine.IO protocol that a client speaks.
public enum EngineRevision: Hashable, Sendable {
    /// Clients of Socket.IO 2 and before: the client pings.
    case three
    /// Clients of Socket.IO 3 and later: the server pings.
    case four

    /// The revision by the query parameter `EIO`: 3 for whatever is not 4.
    ///
    /// - Source: engine.io:lib/server.ts (`handshake`)
    public init(parameter: String?) { self = parameter == "4" ? .four : .three }
}

/// One packet of Engine.IO.
///
/// - Source: engine.io-protocol, engine.io-parser
public enum EnginePacket: Hashable, Sendable {
    /// The handshake, as JSON.
    case open([UInt8])
    /// The sender closes.
    case close
    /// A heartbeat, or a probe.
    case ping([UInt8])
    /// The answer to a heartbeat or a probe.
    case pong([UInt8])
    /// A text of the layer above.
    case message([UInt8])
    /// Bytes of the layer above; no event of a node has any, so their content is not kept.
    case binary
    /// The client goes on over the new transport.
    case upgrade
    /// Nothing.
    case noop

    /// What a probe says.
    static let probe = Array("probe".utf8)

    /// A packet as text; nil when it is none.
    init?(text: ArraySlice<UInt8>) {
        guard let type = text.first else { return nil }
        let rest = Array(text.dropFirst())
        switch type {
        case UInt8(ascii: "0"): self = .open(rest)
        case UInt8(ascii: "1"): self = .close
        case UInt8(ascii: "2"): self = .ping(rest)
        case UInt8(ascii: "3"): self = .pong(rest)
        case UInt8(ascii: "4"): self = .message(rest)
        case UInt8(ascii: "5"): self = .upgrade
        case UInt8(ascii: "6"): self = .noop
        case UInt8(ascii: "b"): self = .binary
        default: return nil
        }
    }

    /// How many bytes its text has.
    var byteCount: Int {
        switch self {
        case .open(let rest), .ping(let rest), .pong(let rest), .message(let rest): 1 + rest.count
        case .close, .binary, .upgrade, .noop: 1
        }
    }

    /// The packet as text.
    public var text: [UInt8] {
        switch self {
        case .open(let rest): [UInt8(ascii: "0")] + rest
        case .close: [UInt8(ascii: "1")]
        case .ping(let rest): [UInt8(ascii: "2")] + rest
        case .pong(let rest): [UInt8(ascii: "3")] + rest
        case .message(let rest): [UInt8(ascii: "4")] + rest
        case .binary: [UInt8(ascii: "b")]
        case .upgrade: [UInt8(ascii: "5")]
        case .noop: [UInt8(ascii: "6")]
        }
    }
}
