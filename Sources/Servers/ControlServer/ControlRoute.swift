public import JSONValue

/// What a control call is answered with.
public enum ControlReply: Sendable {
    /// A JSON document.
    case json(JSONValue, status: Int = 200)
    /// Nothing, with 204.
    case empty
    /// Text of another type.
    case text(String, contentType: String)
    /// A file that may be kept, and is asked for again by its tag.
    case file([UInt8], contentType: String, tag: String)
    /// 304: who asks has the file already.
    case notModified(tag: String)
    /// Asked again at each change until it answers, or until the time is over.
    case waiting(seconds: Int, ask: @Sendable (_ timeIsOver: Bool) -> JSONValue?)
    /// Work that takes its time, done on a thread of its own.
    case background(@Sendable () throws(ControlError) -> ControlReply)
    /// A file made piece by piece on a thread of its own, until it is whole or `send` answers false.
    case download(fileName: String, write: @Sendable (_ send: ([UInt8]) -> Bool) -> Void)
    /// Server-sent events: asked at once and after each change for what came after a position.
    case events(after: Int, ask: @Sendable (_ after: Int) -> ControlStreamPage)
}

/// What an event stream sends next.
public struct ControlStreamPage: Sendable {
    /// The events in order; there may be none.
    public let events: [ControlStreamEvent]
    /// How far was looked, whether or not something was found.
    public let position: Int
    /// Whether there may be more behind it already.
    public let hasMore: Bool

    /// A page of events.
    public init(events: [ControlStreamEvent], position: Int, hasMore: Bool) {
        self.events = events
        self.position = position
        self.hasMore = hasMore
    }
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
    /// Answers a call.
    public typealias Handler = @Sendable (ControlRequest) throws(ControlError) -> ControlReply

    /// The HTTP method, for example `POST`.
    public let method: String
    /// Path with `{name}` segments, for example `/v1/accounts/{address}/fund`.
    public let pattern: String
    /// Members that the body may have; nil when the body goes to the handler whole.
    public let members: [String]?
    /// Which of the members go with what the path names, by its `{name}` segments; nil for all of them.
    let membersOf: @Sendable (_ parameters: [String: String]) -> [String]?
    /// Parameters that the query may have.
    public let parameters: [String]
    /// Whether it answers without the control token.
    public let isOpen: Bool
    /// Whether its body is a text of another form, which goes to the handler as it is.
    public let takesText: Bool
    /// Answers a call whose members and parameters are known.
    public let handler: Handler

    let segments: [Substring]

    /// A row; other members than `members` and parameters than `parameters` are refused.
    public init(
        _ method: String,
        _ pattern: String,
        members: [String]? = [],
        membersOf: @escaping @Sendable (_ parameters: [String: String]) -> [String]? = { _ in nil },
        parameters: [String] = [],
        isOpen: Bool = false,
        takesText: Bool = false,
        handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.members = members
        self.membersOf = membersOf
        self.parameters = parameters
        self.isOpen = isOpen
        self.takesText = takesText
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
