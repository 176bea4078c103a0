/// A fault rule, or a failure mix, that is refused.
public struct FaultRuleError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The member at fault, for example `match.node`; nil when it is the whole.
    public let field: String?
    /// What was expected, for people.
    public let message: String

    /// A refusal.
    public init(field: String?, message: String) {
        self.field = field
        self.message = message
    }

    /// The member with what is wrong with it.
    public var description: String { field.map { "\($0): \(message)" } ?? message }
}
