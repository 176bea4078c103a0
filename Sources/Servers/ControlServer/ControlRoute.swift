public import JSONValue

/// What a control call is answered with.
public enum ControlReply: Sendable {
    /// A JSON document.
    case json(JSONValue, status: Int = 200)
    /// Nothing, with 204.
    case empty
    /// Text of another type, with further headers.
    case text(String, contentType: String)
    /// Bytes of another type.
    case bytes([UInt8], contentType: String)
    /// Asked again at each change until it answers, or until the time is over.
    case waiting(seconds: Int, ask: @Sendable (_ timeIsOver: Bool) -> JSONValue?)
    /// Work that takes its time, done on a thread of its own.
    case background(@Sendable () throws(ControlError) -> ControlReply)
    /// Server-sent events: asked again at each change for what came after an event number.
    case events(after: Int, ask: @Sendable (_ after: Int) -> [ControlStreamEvent])
}

/// One server-sent event.
public struct ControlStreamEvent: Sendable {
    /// Its number: the `id` by which a client resumes.
    public let id: Int
    /// Its document.
    public let data: JSONValue

    /// An event of a number and a document.
    public init(id: Int, data: JSONValue) {
        self.id = id
        self.data = data
    }
}

/// One row of the control API's table.
public struct ControlRoute: Sendable {
    /// What answers a call.
    public typealias Handler = @Sendable (ControlRequest) throws(ControlError) -> ControlReply

    /// `GET`, `POST`, …
    public let method: String
    /// Path with `{name}` segments, for example `/v1/accounts/{address}/fund`.
    public let pattern: String
    /// Members that the body may have; nil when the body goes to the handler whole.
    public let members: [String]?
    /// Parameters that the query may have.
    public let parameters: [String]
    /// Whether it answers without the control token.
    public let isOpen: Bool
    /// What answers.
    public let handler: Handler

    let segments: [Substring]

    /// A row; other members than `members` and parameters than `parameters` are refused.
    public init(
        _ method: String,
        _ pattern: String,
        members: [String]? = [],
        parameters: [String] = [],
        isOpen: Bool = false,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.members = members
        self.parameters = parameters
        self.isOpen = isOpen
        self.handler = handler
        segments = pattern.split(separator: "/", omittingEmptySubsequences: false)
    }

    /// The values of the `{name}` segments when a path fits; nil when it does not.
    func match(_ path: [Substring]) -> [String: String]? {
        guard path.count == segments.count else { return nil }
        var values: [String: String] = [:]
        for (segment, part) in zip(segments, path) {
            if segment.hasPrefix("{") {
                guard !part.isEmpty else { return nil }
                values[String(segment.dropFirst().dropLast())] = String(part)
            } else if segment != part {
                return nil
            }
        }
        return values
    }
}
