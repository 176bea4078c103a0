/// Why a world could not start or go on; exit status 2.
public struct WorldError: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do, in one line.
    public let message: String
    /// The exit status of the command: 2, or 64 for a configuration that cannot be used.
    public let exitCode: Int32

    /// An error of one line.
    public init(_ message: String, exitCode: Int32 = 2) {
        self.message = message
        self.exitCode = exitCode
    }

    /// The message.
    public var description: String { message }
}
