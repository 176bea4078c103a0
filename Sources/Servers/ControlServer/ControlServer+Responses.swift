import HTTPDaemon
import JSONValue

extension ControlServer {
    /// What every answer carries: nothing is framed, sniffed, or fetched from elsewhere.
    static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"),
        ("X-Frame-Options", "DENY"),
        ("Referrer-Policy", "no-referrer"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; "
                + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
        ),
    ]

    static func response(json: JSONValue, status: Int = 200) -> HTTPResponse {
        response(json.bytes, contentType: "application/json; charset=utf-8", status: status)
    }

    /// The response of a reply that needs no waiting.
    static func response(immediate reply: ControlReply) -> HTTPResponse {
        switch reply {
        case .json(let document, let status): response(json: document, status: status)
        case .text(let text, let type): response(Array(text.utf8), contentType: type)
        case .file(let bytes, let type, let tag):
            HTTPResponse(
                status: 200,
                headers: [("Content-Type", type)] + cached(tag) + securityHeaders,
                body: bytes
            )
        case .notModified(let tag):
            HTTPResponse(status: 304, headers: cached(tag) + securityHeaders, body: [])
        case .empty, .waiting, .background, .download, .events:
            HTTPResponse(status: 204, headers: securityHeaders, body: [])
        }
    }

    private static func cached(_ tag: String) -> [(String, String)] {
        [("Cache-Control", "no-cache"), ("ETag", "\"\(tag)\"")]
    }

    func response(to error: ControlError) -> HTTPResponse {
        var response = Self.response(json: error.json, status: error.status)
        if error.status == 401 { response.headers.append(("WWW-Authenticate", "Bearer")) }
        return response
    }

    private static func response(_ body: [UInt8], contentType: String, status: Int = 200) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Content-Type", contentType), ("Cache-Control", "no-store")] + securityHeaders,
            body: body
        )
    }
}
