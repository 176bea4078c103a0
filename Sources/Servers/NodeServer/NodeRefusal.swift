/// A call that a handler refuses.
struct NodeRefusal: Error, Hashable {
    /// The `error` text of the answer.
    let message: String
    /// Whether the node throws: status 500 and `API error: ` before the message.
    var isException = false

    init(_ message: String) {
        self.message = message
    }

    static func exception(_ message: String) -> NodeRefusal {
        var refusal = NodeRefusal(message)
        refusal.isException = true
        return refusal
    }

    /// A refusal in the words of a list call.
    static func list(_ message: String) -> NodeRefusal {
        NodeRefusal("Failed to get transactions: " + message)
    }
}
