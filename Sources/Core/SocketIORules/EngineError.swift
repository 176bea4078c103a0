public import JSONValue

/// Why Engine.IO refuses a request.
///
/// - Source: engine.io:lib/server.ts (`errors`, `errorMessages`)
public enum EngineError: Int, Error, Sendable, CaseIterable {
    /// Neither polling nor WebSocket.
    case unknownTransport = 0
    /// No session has this id.
    case unknownSession = 1
    /// A session begins with GET.
    case badHandshakeMethod = 2
    /// The transport does not fit the session or the request.
    case badRequest = 3
    /// Refused on purpose.
    case forbidden = 4

    /// The words for it.
    public var message: String {
        switch self {
        case .unknownTransport: "Transport unknown"
        case .unknownSession: "Session ID unknown"
        case .badHandshakeMethod: "Bad handshake method"
        case .badRequest: "Bad request"
        case .forbidden: "Forbidden"
        }
    }

    /// The status of the answer.
    public var status: Int { self == .forbidden ? 403 : 400 }

    /// The body of the answer.
    public var json: JSONValue { ["code": .int(rawValue), "message": .string(message)] }
}
