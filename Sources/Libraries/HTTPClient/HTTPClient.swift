import Synchronization

/// Outgoing HTTP/1.1 and HTTP/2 with blocking calls that may be made from any thread.
///
/// Connections stay open and are used again. No redirect is followed, no proxy and nothing else of the
/// environment is taken into account.
public final class HTTPClient: Sendable {
    /// The protocols a client can ask for.
    public enum Version: Sendable {
        /// HTTP/1.1.
        case http1
        /// HTTP/2 where TLS negotiates it, otherwise HTTP/1.1; the response tells which.
        case http2
    }

    /// What holds for every request of a client.
    public struct Options: Sendable {
        /// PEM file of the only authorities to trust; nil for the system's.
        public var caFile: String?
        /// How long an exchange may take altogether; 0 for no limit.
        public var timeoutMilliseconds: Int
        /// How long connecting may take, TLS included.
        public var connectTimeoutMilliseconds: Int
        /// The protocol.
        public var httpVersion: Version
        /// Largest body accepted.
        public var maximumResponseBytes: Int
        /// Most exchanges of one ``HTTPClient/sendAll(_:)`` that are open at once.
        public var maximumParallel: Int

        /// Options; a body of up to 64 MiB is accepted unless told otherwise.
        public init(
            caFile: String? = nil,
            timeoutMilliseconds: Int = 10_000,
            connectTimeoutMilliseconds: Int = 10_000,
            httpVersion: Version = .http1,
            maximumResponseBytes: Int = 64 << 20,
            maximumParallel: Int = 128
        ) {
            self.caFile = caFile
            self.timeoutMilliseconds = timeoutMilliseconds
            self.connectTimeoutMilliseconds = connectTimeoutMilliseconds
            self.httpVersion = httpVersion
            self.maximumResponseBytes = maximumResponseBytes
            self.maximumParallel = maximumParallel
        }
    }

    private struct Pool {
        var idle: [TransferSession] = []
        var busy: [TransferSession] = []
        var isCancelled = false
    }

    private let options: Options
    private let pool = Mutex(Pool())

    /// A client without connections.
    public init(options: Options = Options()) {
        self.options = options
    }

    /// Sends one request and waits for its answer.
    public func send(_ request: HTTPClientRequest) throws(HTTPClientError) -> HTTPClientResponse {
        try run([Exchange(request, options: options)])[0].get()
    }

    /// Sends several requests at once and waits for all answers, which come in the order of the requests.
    public func sendAll(_ requests: [HTTPClientRequest]) -> [Result<HTTPClientResponse, HTTPClientError>] {
        run(requests.map { Exchange($0, options: options) })
    }

    /// Sends several requests at once, waits for all, and hands over each answer as it comes with its place.
    public func sendAll(
        _ requests: [HTTPClientRequest],
        _ completed: @escaping (Int, Result<HTTPClientResponse, HTTPClientError>) -> Void
    ) {
        _ = run(
            requests.enumerated().map { index, request in
                Exchange(request, options: options, ended: { completed(index, $0) })
            }
        )
    }

    /// Sends one request and hands over the body as it arrives, for example of server-sent events.
    ///
    /// Only connecting is limited in time, unless the request says otherwise. The receiver is given status and
    /// bytes and answers whether it wants more; the response at the end has an empty body.
    public func stream(
        _ request: HTTPClientRequest,
        _ receive: @escaping (_ status: Int, _ bytes: [UInt8]) -> Bool
    ) throws(HTTPClientError) -> HTTPClientResponse {
        var request = request
        request.timeoutMilliseconds = request.timeoutMilliseconds ?? 0
        return try run([Exchange(request, options: options, receive: receive)])[0].get()
    }

    /// Ends every exchange under way, and every later one at once, with ``HTTPClientError/cancelled``.
    public func cancel() {
        pool.withLock { pool in
            pool.isCancelled = true
            for session in pool.busy { session.wake() }
        }
    }

    private func run(_ exchanges: [Exchange]) -> [Result<HTTPClientResponse, HTTPClientError>] {
        let taken = pool.withLock { pool -> TransferSession? in
            guard !pool.isCancelled, let session = pool.idle.popLast() ?? TransferSession() else {
                return nil
            }
            pool.busy.append(session)
            return session
        }
        guard let session = taken else {
            let isCancelled = pool.withLock(\.isCancelled)
            let error =
                isCancelled ? HTTPClientError.cancelled : .other(code: 0, text: "libcurl cannot start")
            for exchange in exchanges { exchange.end(error) }
            return exchanges.map { _ in .failure(error) }
        }
        session.perform(exchanges, maximumParallel: max(1, options.maximumParallel)) {
            self.pool.withLock(\.isCancelled)
        }
        pool.withLock { pool in
            pool.busy.removeAll { $0 === session }
            pool.idle.append(session)
        }
        return exchanges.map { $0.result ?? .failure(.cancelled) }
    }
}
