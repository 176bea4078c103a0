import HTTPDaemon
import JSONValue
import OpenSSLCrypto
import Sodium
import SocketIORules

/// The answers of a Socket.IO server to HTTP requests.
///
/// - Source: engine.io:lib/server.ts, lib/transports/polling.ts; ws:lib/websocket-server.js
enum SocketAnswer {
    static let cors = [
        ("Access-Control-Allow-Origin", "*"), ("Access-Control-Allow-Credentials", "true"),
    ]
    private static let noStore = [("Cache-Control", "no-store")]
    /// Bodies below this size are not packed.
    ///
    /// - Source: engine.io (`httpCompression.threshold`)
    private static let packingThreshold = 1024
    /// What the accepted key is made of.
    ///
    /// - Source: RFC 6455, section 1.3
    private static let acceptanceGUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"

    /// The packets that a GET was waiting for.
    static func payload(_ body: [UInt8], coding: ContentCoding?) -> HTTPResponse {
        var headers = cors + noStore + [("Content-Type", "text/plain; charset=UTF-8")]
        guard body.count >= packingThreshold, let coding, let packed = coding.encode(body) else {
            return HTTPResponse(status: 200, headers: headers, body: body)
        }
        headers.append(("Content-Encoding", coding.rawValue))
        return HTTPResponse(status: 200, headers: headers, body: packed)
    }

    /// What a POST is answered with.
    static let taken = HTTPResponse(
        status: 200,
        headers: cors + noStore + [("Content-Type", "text/html")],
        body: Array("ok".utf8)
    )

    /// A status without a body.
    static func empty(status: Int) -> HTTPResponse { HTTPResponse(status: status, headers: cors) }

    /// The answer to a preflight.
    static func preflight(requested: String?) -> HTTPResponse {
        HTTPResponse(
            status: 204,
            headers: cors + [
                ("Access-Control-Allow-Methods", "GET,HEAD,PUT,PATCH,POST,DELETE"),
                ("Vary", "Access-Control-Request-Headers"),
            ] + (requested.map { [("Access-Control-Allow-Headers", $0)] } ?? []) + [("Content-Length", "0")]
        )
    }

    /// Why a request is refused: as JSON, or as text to a client that asked for a WebSocket.
    static func refusal(_ error: EngineError, asksForSocket: Bool) -> HTTPResponse {
        guard asksForSocket else {
            return HTTPResponse(
                status: error.status,
                headers: cors + [("Content-Type", "application/json")],
                body: error.json.bytes
            )
        }
        return socketRefusal(error.message, status: error == .forbidden ? error.status : 400)
    }

    /// A refusal of the WebSocket's handshake itself.
    static func socketRefusal(_ message: String, status: Int = 400) -> HTTPResponse {
        HTTPResponse(
            status: status,
            headers: [("Connection", "close"), ("Content-Type", "text/html")],
            body: Array(message.utf8)
        )
    }

    /// The fields that complete a WebSocket's handshake, by the key of the client.
    static func acceptance(key: String) -> [(String, String)]? {
        guard let digest = try? SHA1.digest(Array((key + acceptanceGUID).utf8)) else { return nil }
        let accepted = Sodium.base64(digest, variant: .standard)
        return cors + [("Upgrade", "websocket"), ("Sec-WebSocket-Accept", accepted)]
    }
}
