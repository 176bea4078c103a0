public import JSONValue

/// What is known of the connection a request came on.
public final class APNsTransport: Sendable {
    /// The connection's number, counted from 1 for each server.
    public let connection: Int
    /// The client's address with its port.
    public let peer: String
    /// The port it came to.
    public let localPort: Int
    /// The TLS version.
    public let tlsVersion: String
    /// The cipher suite.
    public let cipher: String
    /// What ALPN chose; nil when the client offered nothing.
    public let alpn: String?
    /// The server name asked for.
    public let serverName: String?
    /// Whether the TLS session was resumed.
    public let isResumed: Bool
    /// The client's certificate.
    public let clientCertificate: APNsClientCertificate?

    /// Facts about a connection.
    public init(
        connection: Int,
        peer: String = "",
        localPort: Int = 0,
        tlsVersion: String = "",
        cipher: String = "",
        alpn: String? = nil,
        serverName: String? = nil,
        isResumed: Bool = false,
        clientCertificate: APNsClientCertificate? = nil
    ) {
        self.connection = connection
        self.peer = peer
        self.localPort = localPort
        self.tlsVersion = tlsVersion
        self.cipher = cipher
        self.alpn = alpn
        self.serverName = serverName
        self.isResumed = isResumed
        self.clientCertificate = clientCertificate
    }

    /// The facts as a push record shows them.
    public var json: JSONValue {
        [
            "peer": .string(peer), "port": .int(localPort), "tls": .string(tlsVersion),
            "cipher": .string(cipher),
            "alpn": .optional(alpn), "serverName": .optional(serverName), "resumed": .bool(isResumed),
            "clientCertificate": .optional(clientCertificate.map { Base64.encode($0.der) }),
        ]
    }
}

/// One request to the gateway.
public struct APNsRequest: Sendable {
    /// The header list, with what it tells by itself.
    let head: APNsRequestHead
    /// The body, or its beginning when it is very long.
    public let body: [UInt8]
    /// The number of bytes that the body had.
    public let bodyCount: Int
    /// The environment it was sent to.
    public let environment: APNsEnvironment
    /// The HTTP/2 stream.
    public let stream: Int32
    /// The connection.
    public let transport: APNsTransport
    /// What the payload tells at a glance.
    let payload: PayloadScan

    /// A request.
    public init(
        head: APNsRequestHead,
        body: [UInt8],
        bodyCount: Int? = nil,
        environment: APNsEnvironment,
        stream: Int32,
        transport: APNsTransport
    ) {
        self.head = head
        self.body = body
        self.bodyCount = bodyCount ?? body.count
        self.environment = environment
        self.stream = stream
        self.transport = transport
        payload = PayloadScan(body)
    }

    /// The header list in order, pseudo-headers included.
    public var headers: APNsHeaders { head.headers }
    /// What the path is.
    var path: APNsPath { head.path }
    /// The id that the request brought, for the answer to repeat: `apns-request-id` on the broadcast paths, else
    /// `apns-id`.
    var sentId: ArraySlice<UInt8>? {
        guard path == .broadcast else { return headers.value(.id) }
        return headers.fields.first { $0.name == "apns-request-id" }.map { Array($0.value.utf8)[...] }
    }
    /// The value of `:method`.
    public var method: String { headers.text(.method) ?? "" }
    /// The value of `:path`.
    public var pathText: String { headers.text(.path) ?? "" }
    /// The path's device token as sent, well-formed or not.
    public var token: String? { path.token.map { String(decoding: headers.bytes[$0], as: UTF8.self) } }
    /// The value of `apns-topic`.
    public var topic: String? { headers.text(.topic) }
    /// The value of `apns-push-type`.
    public var pushType: String? { headers.text(.pushType) }
    /// The value of `apns-priority`, when it is a number.
    public var priority: Int? { headers.text(.priority).flatMap { Int($0) } }
    /// The payload's `push-recipient`.
    public var recipient: String? { PayloadScan.text(body, payload.recipient) }
    /// Whether the string literal at a place of the body has a text, mostly without making a text of it.
    func holds(_ text: [UInt8], at range: Range<Int>?) -> Bool {
        if let plain = PayloadScan.plain(body, range) { return plain == text[...] }
        return PayloadScan.text(body, range).map { Array($0.utf8) == text } ?? false
    }
    /// The payload's `txn-id`.
    public var transactionId: String? { PayloadScan.text(body, payload.transactionId) }
}

/// What a request's path is.
enum APNsPath: Sendable, Equatable {
    /// None of the gateway's paths.
    case unknown
    /// A path of the broadcast service, which is not part of this one.
    case broadcast
    /// `/3/device/` without a token.
    case withoutToken
    /// `/3/device/<token>`; the range lies in the header list's bytes.
    case device(Range<Int>)

    private static let prefix = Array("/3/device/".utf8)
    /// Sending to channels, and managing them.
    private static let broadcastPrefixes = ["/4/broadcasts/apps/", "/1/apps/"].map { Array($0.utf8) }

    init(_ headers: APNsHeaders) {
        guard let range = headers.range(.path), Self.begins(headers, range, with: Self.prefix) else {
            let isBroadcast = headers.range(.path).map { range in
                Self.broadcastPrefixes.contains { Self.begins(headers, range, with: $0) }
            }
            self = isBroadcast == true ? .broadcast : .unknown
            return
        }
        let token = range.lowerBound + Self.prefix.count..<range.upperBound
        if token.isEmpty {
            self = .withoutToken
        } else {
            self = headers.bytes[token].contains(UInt8(ascii: "/")) ? .unknown : .device(token)
        }
    }

    private static func begins(_ headers: APNsHeaders, _ range: Range<Int>, with prefix: [UInt8]) -> Bool {
        range.count >= prefix.count
            && APNsHeaders.matches(
                headers.bytes,
                range.lowerBound,
                range.lowerBound + prefix.count,
                prefix
            )
    }

    var token: Range<Int>? {
        guard case .device(let range) = self else { return nil }
        return range
    }
}
