/// A system call that waiting for descriptors needs has failed.
public struct PollingError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The call that failed.
    public let operation: String
    /// The system's error number.
    public let errorNumber: Int32

    /// A failure of its parts.
    public init(operation: String, errorNumber: Int32) {
        self.operation = operation
        self.errorNumber = errorNumber
    }

    /// The call and its error number.
    public var description: String { "\(operation) failed with error \(errorNumber)" }
}
