public import JSONValue

/// Why a control call was refused.
public struct ControlError: Error, Hashable, Sendable {
    /// HTTP status: 400, 401, 403, 404, 405, 409, 422 or 503.
    public let status: Int
    /// One word for programs.
    public let code: String
    /// What was expected and what came, for people.
    public let message: String
    /// The member or parameter at fault.
    public let field: String?

    /// A refusal of all its parts.
    public init(status: Int, code: String, message: String, field: String? = nil) {
        self.status = status
        self.code = code
        self.message = message
        self.field = field
    }

    /// The call itself cannot be read.
    public static func badRequest(_ message: String, field: String? = nil) -> ControlError {
        ControlError(status: 400, code: "badRequest", message: message, field: field)
    }

    /// A member has a value that cannot be used.
    public static func invalid(_ field: String, _ message: String) -> ControlError {
        ControlError(status: 422, code: "invalid", message: message, field: field)
    }

    /// There is no such thing.
    public static func notFound(_ message: String) -> ControlError {
        ControlError(status: 404, code: "notFound", message: message)
    }

    /// The thing is in a state in which this cannot be done.
    public static func conflict(_ message: String) -> ControlError {
        ControlError(status: 409, code: "conflict", message: message)
    }

    /// The names that a refusal of another one tells.
    static func known(_ names: [String]) -> String {
        names.isEmpty ? "none is expected" : "known here: \(names.joined(separator: ", "))"
    }

    /// The body: `{"error": {"code", "message", "field"?}}`.
    public var json: JSONValue {
        var error = JSONObject([("code", .string(code)), ("message", .string(message))])
        if let field { error.append("field", .string(field)) }
        return ["error": .object(error)]
    }
}
