public import JSONValue

/// Reads what `POST /v1/worlds` says of a world into a configuration.
public struct WorldForm: Sendable {
    /// A member that cannot be used.
    public struct Refusal: Error, Sendable, Equatable {
        /// The member at fault; nil when it is the whole.
        public let field: String?
        /// What was expected, for people.
        public let message: String

        /// A refusal.
        public init(field: String?, message: String) {
            self.field = field
            self.message = message
        }
    }

    /// Reads the members over a configuration that has all that worlds of a process have in common.
    public typealias Reader =
        @Sendable (_ members: JSONObject, _ base: WorldConfiguration) throws(Refusal) -> WorldConfiguration

    /// Reads the members.
    public let read: Reader

    /// A form that is read by a closure.
    public init(read: @escaping Reader) {
        self.read = read
    }

    /// The form of those who let nothing be chosen: every world is as the documentation states.
    public static let standard = WorldForm { members, base throws(Refusal) in
        if let key = members.keys.first {
            throw Refusal(field: key, message: "unknown member '\(key)'; none is expected")
        }
        return base
    }
}
