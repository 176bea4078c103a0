/// Why a command ends without success, in one line, and with which exit status.
struct CommandFailure: Error, Equatable {
    let message: String
    let exitCode: Int32
    /// The member of a call that the control API refused, with which the message begins.
    var field: String?

    /// The failure in the words of the command that made the call.
    func told(by command: Command) -> CommandFailure {
        guard let field, message.hasPrefix(field), let name = command.name(ofMember: field) else {
            return self
        }
        return CommandFailure(message: name + message.dropFirst(field.count), exitCode: exitCode)
    }

    /// Wrong usage or configuration: exit status 64.
    static func usage(_ message: String) -> CommandFailure {
        CommandFailure(message: message, exitCode: ExitCode.usage)
    }
}

/// The exit statuses of all commands.
enum ExitCode {
    static let success: Int32 = 0
    /// A check or an expectation failed.
    static let failed: Int32 = 1
    /// The world could not start or go on.
    static let world: Int32 = 2
    /// Wrong usage or configuration.
    static let usage: Int32 = 64
}
