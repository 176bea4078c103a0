import AdamantModel
import HTTPDaemon
import JSONValue
import Simulators
import Synchronization
import SystemCryptography
import TestSupport
import Threads

/// A node and a push service on one port, over a chain that includes at once what it accepts.
final class FakeNode: Sendable {
    enum Fault: Sendable { case none, reset, hang, text(Int, String) }

    struct Push: Sendable {
        var path: String
        var headers: [String: String]
        var body: JSONValue
    }

    struct State: Sendable {
        var requests: [String] = []
        var headers: [[String: String]] = []
        var transactions: [(transaction: JSONValue, id: String, height: Int)] = []
        var pushes: [Push] = []
        var fault = Fault.none
        var pushAnswer = (status: 200, body: "")
        /// Only requests of this path meet the fault.
        var faultPath = "/"
    }

    private let daemon: HTTPDaemon
    private let listener: HTTPListener
    let state = Condition(State())

    init() throws {
        daemon = try HTTPDaemon(threads: 1)
        let box = Handler()
        listener = try daemon.listen(host: "127.0.0.1", port: 0) { request in box.handle(request) }
        box.node.withLock { $0 = Handler.Reference(node: self) }
    }

    var url: String { "http://127.0.0.1:\(listener.port)" }
    var requests: [String] { state.withLock(\.requests) }
    var headers: [[String: String]] { state.withLock(\.headers) }
    var pushes: [Push] { state.withLock(\.pushes) }
    /// Waits until so many requests have come whose line contains a text; false after ten seconds.
    func wait(for count: Int, of text: String) -> Bool {
        let deadline = MachineClock.monotonicMilliseconds() + 60_000
        let found: Bool? = state.wait(until: deadline) { state in
            state.requests.filter { $0.contains(text) }.count >= count ? true : nil
        }
        return found ?? false
    }

    func stop() { daemon.stop() }

    func set(_ fault: Fault, path: String = "/") {
        state.withLock {
            $0.fault = fault
            $0.faultPath = path
        }
    }

    /// The closure of the listener is made before the node is.
    private final class Handler: Sendable {
        struct Reference: Sendable { weak var node: FakeNode? }
        let node = Mutex(Reference(node: nil))

        func handle(_ request: HTTPRequest) -> HTTPAction {
            guard let node = node.withLock(\.node) else { return .close }
            return node.handle(request)
        }
    }

    private func handle(_ request: HTTPRequest) -> HTTPAction {
        let fields = Dictionary(
            request.headers.map { ($0.0.lowercased(), $0.1) },
            uniquingKeysWith: { first, _ in first }
        )
        return state.update { state in
            state.requests.append("\(request.method) \(request.target)")
            state.headers.append(fields)
            if request.path.hasPrefix(state.faultPath) {
                switch state.fault {
                case .none: break
                case .reset: return .reset
                case .hang: return .later { _ in }
                case .text(let status, let text):
                    return .respond(HTTPResponse(status: status, headers: [], body: Array(text.utf8)))
                }
            }
            if request.path.hasPrefix("/3/device/") {
                let body = (try? JSONValue(parsing: request.body)) ?? .null
                state.pushes.append(Push(path: request.path, headers: fields, body: body))
                return .respond(
                    HTTPResponse(
                        status: state.pushAnswer.status,
                        headers: [],
                        body: Array(state.pushAnswer.body.utf8)
                    )
                )
            }
            let answer = Self.answer(request, &state)
            return .respond(
                HTTPResponse(status: 200, headers: [("Content-Type", "application/json")], body: answer.bytes)
            )
        }
    }

    private static func answer(_ request: HTTPRequest, _ state: inout State) -> JSONValue {
        var object = JSONObject([("success", true), ("nodeTimestamp", 275_000_000)])
        switch request.path {
        case "/api/node/status":
            object.append("network", ["height": .int(state.transactions.count + 10)])
            object.append("version", ["version": "0.9.0"])
        case "/api/accounts": object.append("account", ["balance": "500000000"])
        case "/api/chats/process":
            let posted = (try? JSONValue(parsing: request.body))?["transaction"] ?? .null
            let id = Self.id(of: posted)
            state.transactions.append((posted, id, state.transactions.count + 11))
            object.append("transactionId", .string(id))
        case "/api/transactions/get":
            let id = request.query.split(separator: "&").first { $0.hasPrefix("id=") }?.dropFirst(3)
            guard let found = state.transactions.first(where: { $0.id == id ?? "" }) else {
                return ["success": false, "nodeTimestamp": 1, "error": "Transaction not found"]
            }
            object.append("transaction", Self.json(found))
        case "/api/chats/get", "/api/transactions":
            let isSignals = request.query.contains("type=3")
            let from =
                request.query.split(separator: "&").first { $0.hasPrefix("fromHeight=") }
                .flatMap { Int($0.dropFirst(11)) } ?? 0
            let chats = state.transactions.filter { element in
                let isSignal = element.transaction["asset"]?["chat"]?["type"]?.intValue == 3
                return isSignal == isSignals && element.height > from && request.path == "/api/chats/get"
            }
            object.append("transactions", .array(chats.reversed().map(Self.json)))
        default: return ["success": false, "error": "API endpoint not found"]
        }
        return .object(object)
    }

    private static func json(_ element: (transaction: JSONValue, id: String, height: Int)) -> JSONValue {
        guard case .object(var object) = element.transaction else { return .null }
        object["id"] = .string(element.id)
        object["height"] = .int(element.height)
        return .object(object)
    }

    private static func id(of posted: JSONValue) -> String {
        let chat = posted["asset"]?["chat"]
        let bytes = TransactionBytes(
            type: 8,
            timestamp: Int32(posted["timestamp"]?.intValue ?? 0),
            senderPublicKey: Hex.decode(posted["senderPublicKey"]?.stringValue ?? "") ?? [],
            recipient: Address(posted["recipientId"]?.stringValue ?? ""),
            amount: 0,
            asset: .chat(
                message: chat?["message"]?.stringValue ?? "",
                ownMessage: chat?["own_message"]?.stringValue,
                type: Int32(chat?["type"]?.intValue ?? 0)
            )
        )
        let signature = Hex.decode(posted["signature"]?.stringValue ?? "") ?? []
        return TransactionBytes.id(
            unsigned: bytes.unsigned,
            signatures: signature,
            cryptography: SystemCryptography()
        ).description
    }
}
