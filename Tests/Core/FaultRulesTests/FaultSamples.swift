import FaultRules
import JSONValue
import Testing

/// A rule written as JSON.
func rule(_ text: String) throws -> JSONValue { try JSONValue(parsing: text) }

/// A book with rules, in the order given.
func book(seed: UInt64 = 7, _ rules: String...) throws -> FaultBook {
    var book = FaultBook(seed: seed, nodeNames: ["alpha", "beta"])
    for text in rules { _ = try book.add(rule(text), canReadSignals: true) }
    return book
}

/// A call to a node.
func nodeCall(_ method: String = "GET", _ path: String = "/api/node/status", node: String = "alpha")
    -> FaultRequest
{
    var request = FaultRequest(target: .node)
    request.node = node
    request.method = method
    request.path = path
    return request
}

/// A posted signal.
func signal(_ action: String = "add", token: String = "ab01") -> FaultRequest {
    var request = nodeCall("POST", "/api/chats/process")
    request.transactionType = 8
    request.chatType = 3
    request.sender = "U12345"
    request.recipient = "U67890"
    request.transactionId = "777"
    request.signalAction = action
    request.token = token
    return request
}

/// A push.
func push(token: String = "AB01") -> FaultRequest {
    var request = FaultRequest(target: .apns)
    request.method = "POST"
    request.path = "/3/device/\(token)"
    request.token = token
    request.topic = "im.adamant.adamant-messenger"
    request.pushType = "alert"
    request.priority = 10
    request.environment = "production"
    request.recipient = "U67890"
    request.transactionId = "777"
    return request
}

extension FaultBook {
    /// Whether each of so many equal calls was struck.
    mutating func firings(_ request: FaultRequest, count: Int) -> [Bool] {
        (0..<count).map { _ in decide(request) != nil }
    }
}
