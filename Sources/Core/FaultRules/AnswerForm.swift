/// How an answer of APNs is sent.
public struct AnswerForm: Sendable, Equatable {
    /// What becomes of the `apns-id` of an answer.
    public enum ID: String, Sendable, CaseIterable {
        /// The request's, byte for byte.
        case same
        /// None.
        case omit
        /// Another one.
        case change
        /// The same in the other case.
        case swapCase = "swap-case"
    }

    /// Where the end of a stream is told.
    public enum Ending: String, Sendable, CaseIterable {
        /// On the last DATA frame, or on HEADERS where there is no body.
        case data
        /// On an empty DATA frame behind the body.
        case emptyData = "empty-data"
        /// On HEADERS; the body is not sent.
        case headers
        /// Nowhere.
        case never
    }

    /// What becomes of `apns-id`.
    public var id = ID.same
    /// The body in place of the right one; it may be empty.
    public var body: String?
    /// The content type in place of the right one; empty for none.
    public var contentType: String?
    /// Over how many DATA frames the body is spread.
    public var dataFrames = 1
    /// Where the end of the stream is told.
    public var ending = Ending.data
    /// With an end nowhere: after how long the stream is reset.
    public var resetMilliseconds: Int?
    /// The status of an informational answer that is sent first.
    public var informational: Int?
    /// Whether trailers follow the body.
    public var hasTrailers = false

    /// The form of Apple's answers.
    public init() {}
}
