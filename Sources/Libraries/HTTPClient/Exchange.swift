import CCurl

/// One request under way, with what has been received of its answer.
final class Exchange {
    let request: HTTPClientRequest
    let options: HTTPClient.Options
    private let receive: ((Int, [UInt8]) -> Bool)?
    private let ended: ((Result<HTTPClientResponse, HTTPClientError>) -> Void)?
    private var status = 0
    private var headers: [(name: String, value: String)] = []
    private var body: [UInt8] = []
    private var isTooLarge = false
    private var isRefusedByReceiver = false
    private var wasSent = false
    /// Nil until the exchange has ended.
    private(set) var result: Result<HTTPClientResponse, HTTPClientError>? {
        didSet { if let result { ended?(result) } }
    }

    init(
        _ request: HTTPClientRequest,
        options: HTTPClient.Options,
        receive: ((Int, [UInt8]) -> Bool)? = nil,
        ended: ((Result<HTTPClientResponse, HTTPClientError>) -> Void)? = nil
    ) {
        self.request = request
        self.options = options
        self.receive = receive
        self.ended = ended
    }

    /// Notes that the request is about to be sent; answers whether it may be.
    ///
    /// On a connection used before, libcurl would send a request that was reset once more, a POST too.
    func mayBeSent() -> Bool {
        defer { wasSent = true }
        return !wasSent
    }

    /// Takes one header line; a status line begins the headers anew.
    func takeHeader(_ line: String) {
        if line.hasPrefix("HTTP/") {
            headers = []
            let parts = line.split(separator: " ")
            status = parts.count > 1 ? Int(parts[1].prefix { $0.isNumber }) ?? 0 : 0
        } else if let colon = line.firstIndex(of: ":") {
            headers.append((String(line[..<colon]), Self.trimmed(line[line.index(after: colon)...])))
        }
    }

    /// Takes a piece of the body; answers whether more is wanted.
    func takeBody(_ bytes: [UInt8]) -> Bool {
        if let receive {
            isRefusedByReceiver = !receive(status, bytes)
            return !isRefusedByReceiver
        }
        guard bytes.count <= options.maximumResponseBytes - body.count else {
            isTooLarge = true
            return false
        }
        body += bytes
        return true
    }

    /// Ends the exchange with libcurl's verdict.
    func end(code: CURLcode, systemError: Int, httpVersion: Int) {
        guard code != CURLE_OK else {
            let version = httpVersion == Int(CURL_HTTP_VERSION_1_0) ? "1.0" : httpVersion == 3 ? "2" : "1.1"
            result = .success(
                HTTPClientResponse(status: status, httpVersion: version, headers: headers, body: body)
            )
            return
        }
        result = .failure(error(code: code, systemError: systemError))
    }

    /// Ends the exchange before or without libcurl.
    func end(_ error: HTTPClientError) {
        result = .failure(error)
    }

    private func error(code: CURLcode, systemError: Int) -> HTTPClientError {
        if isTooLarge { return .tooLarge(limitBytes: options.maximumResponseBytes) }
        if isRefusedByReceiver { return .cancelled }
        let text = unsafe String(cString: curl_easy_strerror(code))
        switch code {
        case CURLE_COULDNT_CONNECT where systemError == Int(ECONNREFUSED): return .connectionRefused
        case CURLE_COULDNT_CONNECT where systemError == Int(ECONNRESET): return .connectionReset
        case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE:
            return .connectionReset
        case CURLE_ABORTED_BY_CALLBACK where wasSent: return .connectionReset
        case CURLE_OPERATION_TIMEDOUT: return .timedOut
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_ENGINE_INITFAILED,
            CURLE_SSL_CLIENTCERT:
            return .tls(text)
        default: return .other(code: Int(code.rawValue), text: text)
        }
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" || last == "\r\n" || last.isNewline {
            text.removeLast()
        }
        return String(text)
    }
}
