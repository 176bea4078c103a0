/// Why a call of the control API, or the start of a world, did not succeed.
public enum MocknetError: Error, Sendable, Equatable {
    /// The world refused the call.
    ///
    /// `status` is the HTTP status, `code` the kind of error, `field` the member at fault where one is.
    case refused(status: Int, code: String, message: String, field: String?)
    /// What was waited for did not come in time; the text says what did come.
    case timedOut(String)
    /// The answer is none of the control API.
    case unreadable(String)
    /// No world could be started or found.
    case notStarted(String)
}

extension MocknetError: CustomStringConvertible {
    /// The error in a line.
    public var description: String {
        switch self {
        case .refused(let status, let code, let message, let field):
            "mocknet answered \(status) \(code): \(message)" + (field.map { " (\($0))" } ?? "")
        case .timedOut(let text), .unreadable(let text), .notStarted(let text): text
        }
    }
}
