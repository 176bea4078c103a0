public import APNsRules
import TLSListener

/// That a client could not push, or not on one of its streams, for a reason below the rules of pushes.
public struct ClientRefusal: Sendable, Equatable {
    /// The connection's number; nil where there was not even a handshake.
    public var connection: Int?
    /// The stream that was reset; nil where the whole connection came to nothing.
    public var stream: Int32?
    /// The client's address with its port.
    public var peer: String
    /// What the port or the name stands for.
    public var environment: APNsEnvironment
    /// Why, in words.
    public var why: String
    /// How many others were not told of since the one before, for they were too many at once.
    public var omitted = 0

    /// A refusal on a connection, or on one of its streams.
    init(_ client: APNsTransport, environment: APNsEnvironment, stream: Int32? = nil, why: String) {
        connection = client.connection
        self.stream = stream
        peer = client.peer
        self.environment = environment
        self.why = why
    }

    /// A handshake that came to nothing.
    init(_ failure: TLSHandshakeFailure, environment: APNsEnvironment) {
        peer = failure.peerAddress
        self.environment = environment
        why = failure.cause.sentence
    }
}

/// Bounds how many refusals are told of, since a client may cause them faster than anybody can read.
struct RefusalBound {
    /// So many are told of in a second.
    static let perSecond = 10

    private var second: Int64 = 0
    private var told = 0
    private var omitted = 0

    /// Counts one more; how many were omitted before it, or nil where it is to be omitted too.
    mutating func take(now milliseconds: Int64) -> Int? {
        if second != milliseconds / 1000 {
            second = milliseconds / 1000
            told = 0
        }
        guard told < Self.perSecond else {
            omitted += 1
            return nil
        }
        told += 1
        defer { omitted = 0 }
        return omitted
    }
}

extension TLSHandshakeFailure.Cause {
    /// - Source: RFC 8446, section 6.2, for the numbers of alerts
    fileprivate var sentence: String {
        switch self {
        case .alert(let number, let text) where (42...46).contains(number) || number == 48:
            "the client does not trust the certificate (alert \(text)): give it the CA, see 'caFile' in GET /v1/world, "
                + "and a name that the certificate carries"
        case .alert(_, let text): "the client broke off the TLS handshake (alert \(text))"
        case .ended: "the client ended the connection in the TLS handshake: it may not trust the certificate"
        case .timedOut: "the TLS handshake was not over in time"
        case .plainHTTP: "HTTP without TLS is not spoken here: use https"
        case .notTLS: "the client does not speak TLS, without which nothing is spoken here"
        case .version: "the client offers no TLS version above 1.1: use 1.2 or newer"
        case .applicationProtocol: "the client offers neither h2 nor http/1.1 by ALPN: offer h2"
        case .other(let text): "the TLS handshake failed: \(text)"
        }
    }
}
