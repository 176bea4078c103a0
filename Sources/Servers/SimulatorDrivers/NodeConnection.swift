import AdamantModel
import HTTPClient
import JSONValue
import Simulators

/// Turns operations into the requests that a real client sends to a node, and answers into facts.
struct NodeConnection: Sendable {
    /// Whose requests and whose reading of answers.
    enum Client: Sendable {
        /// The iOS app: looks at no status code, needs `success` and `nodeTimestamp`.
        case app
        /// The C# service: needs status 2xx and every height, and opens a connection for each request.
        case service
        /// As ``service``, on connections that stay open.
        case orderedService
    }

    let urls: [String]
    let client: Client
    let timeoutMilliseconds: Int

    /// Asks a node and waits for its answer.
    func perform(_ request: NodeRequest, with http: HTTPClient) -> NodeAnswer {
        guard urls.indices.contains(request.node) else { return .failed(.unsendable("unknown node")) }
        do throws(HTTPClientError) {
            let response = try http.send(httpRequest(request))
            if client != .app, !(200...299).contains(response.status) {
                return .failed(.other("HTTP \(response.status)"))
            }
            guard let json = try? JSONValue(parsing: response.body) else {
                return .unparsable("parsing failed")
            }
            return answer(to: request.operation, json)
        } catch {
            return .failed(TransportFailure(error))
        }
    }

    private func httpRequest(_ request: NodeRequest) -> HTTPClientRequest {
        let url = urls[request.node] + NodePath.path(of: request.operation)
        var headers =
            client == .app
            ? [
                (name: "Content-Type", value: "application/json"),
                (name: "User-Agent", value: NodePath.deviceAgent),
            ]
            : [(name: "Accept", value: "application/json")]
        var body: [UInt8]?
        if case .submit(let transaction) = request.operation {
            body = JSONValue.object(JSONObject([("transaction", transaction.postedJSON)])).bytes
            if client != .app { headers.append((name: "Content-Type", value: "application/json")) }
        }
        return HTTPClientRequest(
            method: body == nil ? "GET" : "POST",
            url: url,
            headers: headers,
            body: body,
            timeoutMilliseconds: timeoutMilliseconds,
            usesFreshConnection: client == .service
        )
    }

    private func answer(to operation: NodeOperation, _ json: JSONValue) -> NodeAnswer {
        let reader = AnswerReader(json: json, needsHeights: client != .app)
        guard client != .app || reader.isEnvelope else {
            if case .submit = operation { return .submitted(reader.submission) }
            return .unparsable("parsing failed")
        }
        switch operation {
        case .status: return reader.status
        case .account: return reader.account
        case .publicKey: return reader.publicKey
        case .submit: return .submitted(reader.submission)
        case .poll: return reader.page
        case .fetch: return reader.transaction
        case .state: return reader.state
        }
    }
}

/// Paths and queries as the real clients write them.
///
/// - Source: adamant-iOS:CommonKit/Services/ApiService, adamant-notificationService:AdamantApi
public enum NodePath {
    /// The `User-Agent` of simulated devices.
    public static let deviceAgent = "mocknet-device"

    static func path(of operation: NodeOperation) -> String {
        switch operation {
        case .status: "/api/node/status"
        case .account(let publicKey): "/api/accounts?publicKey=" + Hex.encode(publicKey)
        case .publicKey(let address): "/api/accounts/getPublicKey?address=" + address.text
        case .submit(let transaction):
            transaction.type == Transaction.Kind.chat ? "/api/chats/process" : "/api/transactions/process"
        case .fetch(let id): "/api/transactions/get?id=\(id)&returnAsset=1"
        case .state(let key, let owner):
            "/api/states/get?key=\(key)&orderBy=timestamp%3Adesc&senderId=\(owner.text)"
        case .poll(let query): path(of: query)
        }
    }

    private static func path(of query: PollQuery) -> String {
        let order = "?orderBy=timestamp:" + (query.isAscending ? "asc" : "desc")
        let height = query.fromHeight.map { String($0) }
        let offset = query.offset > 0 ? "&offset=\(query.offset)" : ""
        switch query.list {
        case .chats:
            return "/api/chats/get" + order + (height.map { "&fromHeight=" + $0 } ?? "") + offset
        case .signals(let address):
            return "/api/chats/get" + order + "&isIn=\(address.text)&type=3"
                + (height.map { "&fromHeight=" + $0 } ?? "") + offset
        case .transfers:
            return "/api/transactions" + order + "&type=0" + (height.map { "&and:fromHeight=" + $0 } ?? "")
                + offset
        case .newest:
            return "/api/transactions" + order + "&limit=1"
        }
    }
}

extension TransportFailure {
    /// The party's view of a failed exchange.
    init(_ error: HTTPClientError) {
        switch error {
        case .connectionRefused: self = .refused
        case .connectionReset: self = .reset
        case .timedOut: self = .timedOut
        case .tls(let text): self = .tls(text)
        case .other(let code, let text) where code == 3 || code == 0: self = .unsendable(text)
        case .tooLarge, .cancelled, .other: self = .other(error.description)
        }
    }
}
