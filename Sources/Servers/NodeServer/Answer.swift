import AdamantLedger
import HTTPDaemon
import JSONValue

/// An answer before it is packed and tagged.
struct Answer: Sendable {
    /// Which header fields it carries.
    enum Kind: Sendable {
        /// JSON of a handler, or of the router.
        case json
        /// JSON of the error handler before the router: without the fields of the router.
        case parserError
        /// Express's page.
        case page
        /// Something that stands between client and node.
        case proxyPage
        /// What a fault rule says, as it is.
        case text(contentType: String)
        /// The answer to a preflight.
        case preflight(allowedHeaders: String?)
    }

    var status: Int
    var kind: Kind
    var body: [UInt8]
    /// Changes with the body, where that is known of a cheaper way than reading it.
    var digest: PageDigest?
    /// The height of the newest block in sight when a list was read.
    var height: Int?

    /// `{"success":false,"error":…}`, the form of answers outside the handlers.
    static func failure(_ message: String, status: Int, kind: Kind = .json) -> Answer {
        var body = Array("{\"success\":false,\"error\":".utf8)
        JSONValue.writeString(message, to: &body)
        body.append(UInt8(ascii: "}"))
        return Answer(status: status, kind: kind, body: body)
    }

    /// `{"success":false,"nodeTimestamp":…,"error":…}` with status 200.
    static func refusal(_ message: String, second: Int64) -> Answer {
        var body = Array("{\"success\":false,\"nodeTimestamp\":\(second),\"error\":".utf8)
        JSONValue.writeString(message, to: &body)
        body.append(UInt8(ascii: "}"))
        return Answer(status: 200, kind: .json, body: body)
    }

    /// What a handler answers with status 200.
    static func success(_ body: [UInt8]) -> Answer {
        Answer(status: 200, kind: .json, body: body)
    }
}

extension Answer {
    private static let cors = [
        ("X-Powered-By", "Express"), ("Access-Control-Allow-Origin", "*"),
        ("Access-Control-Allow-Credentials", "true"),
    ]
    private static let frame = ("X-Frame-Options", "DENY")
    private static let framePolicy = ("Content-Security-Policy", "frame-ancestors 'none'")
    private static let vary = ("Vary", "Accept-Encoding")
    private static let json = ("Content-Type", "application/json; charset=utf-8")

    private static let jsonFields = cors + [frame, framePolicy, json, vary]
    private static let parserErrorFields = cors + [json, vary]
    private static let pageFields =
        cors + [
            frame, ("Content-Security-Policy", "default-src 'none'"), ("X-Content-Type-Options", "nosniff"),
            ("Content-Type", "text/html; charset=utf-8"), vary,
        ]

    /// Bodies below this size are not packed.
    ///
    /// - Source: compression, `threshold`
    private static let packingThreshold = 1024

    /// The header fields apart from the tag.
    private var fields: [(String, String)] {
        switch kind {
        case .json: Self.jsonFields
        case .parserError: Self.parserErrorFields
        case .page: Self.pageFields
        case .proxyPage: [("Server", "nginx"), ("Content-Type", "text/html")]
        case .text(let contentType): Self.cors + [("Content-Type", contentType)]
        case .preflight(let allowedHeaders):
            Self.cors + [
                ("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE"),
                ("Vary", "Access-Control-Request-Headers"),
            ] + (allowedHeaders.map { [("Access-Control-Allow-Headers", $0)] } ?? [])
                + [("Content-Length", "0")]
        }
    }

    /// Whether Express would tag it.
    private var isTagged: Bool {
        switch kind {
        case .json, .parserError: true
        case .page, .proxyPage, .text, .preflight: false
        }
    }

    private var tag: String {
        digest.map { EntityTag.weak(length: body.count, digest: $0.value) } ?? EntityTag.weak(body)
    }

    /// The answer as it is sent to this client.
    func response(to request: HTTPRequest) -> HTTPResponse {
        Self.unlessKnown(packed(Self.coding(for: request)), to: request)
    }

    /// How an answer to a request may be packed.
    static func coding(for request: HTTPRequest) -> ContentCoding? {
        guard request.method != "HEAD" else { return nil }
        return request.header("Accept-Encoding").flatMap { ContentCoding(accepted: $0) }
    }

    /// The answer with its tag, packed where that is worth it.
    func packed(_ coding: ContentCoding?) -> HTTPResponse {
        var response = HTTPResponse(status: status, headers: fields, body: body)
        guard isTagged else { return response }
        response.headers.append(("ETag", tag))
        if let coding, body.count >= Self.packingThreshold, let packed = coding.encode(body) {
            response.headers.append(("Content-Encoding", coding.rawValue))
            response.body = packed
        }
        return response
    }

    /// Status 304 for a client that has this answer already.
    static func unlessKnown(_ response: HTTPResponse, to request: HTTPRequest) -> HTTPResponse {
        guard request.method == "GET" || request.method == "HEAD", (200..<300).contains(response.status),
            let known = request.header("If-None-Match"), !forbidsCache(request),
            let tag = response.headers.first(where: { $0.0 == "ETag" })?.1,
            EntityTag.list(known, contains: tag)
        else { return response }
        let fields = response.headers.filter { $0.0 != "Content-Type" && $0.0 != "Content-Encoding" }
        return HTTPResponse(status: 304, headers: fields)
    }

    /// - Source: fresh, `Cache-Control: no-cache` of a request
    private static func forbidsCache(_ request: HTTPRequest) -> Bool {
        guard let control = request.header("Cache-Control") else { return false }
        return control.lowercased().split(separator: ",").contains { $0.filter { $0 != " " } == "no-cache" }
    }
}
