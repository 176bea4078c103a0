import POSIX

/// The command line of `mocknet`.
public enum Program {
    /// Runs what the process was asked for and ends it with the exit status of the command.
    public static func main() -> Never {
        Signal.pipe.ignore()
        let code = run(
            Array(CommandLine.arguments.dropFirst()),
            environment: { ProcessEnvironment.value($0) },
            output: { StandardStream.output.write($0) },
            error: { StandardStream.error.write($0) }
        )
        CurrentProcess.exit(code)
    }

    /// Runs one command line and tells its exit status.
    static func run(
        _ words: [String],
        environment: @escaping @Sendable (String) -> String?,
        output: @escaping @Sendable (String) -> Void,
        error tell: @escaping @Sendable (String) -> Void
    ) -> Int32 {
        do throws(CommandFailure) {
            switch try CommandTable.find(words) {
            case .text(let text):
                output(text)
                return ExitCode.success
            case .command(let command, let rest):
                let arguments = try ParsedArguments(rest, for: command)
                guard !arguments.wantsHelp else {
                    output(HelpText.command(command))
                    return ExitCode.success
                }
                let context = CommandContext(
                    arguments: arguments,
                    environment: environment,
                    output: output,
                    error: tell
                )
                do throws(CommandFailure) {
                    return try command.run(context)
                } catch {
                    throw error.told(by: command)
                }
            }
        } catch {
            tell("mocknet: \(error.message)\n")
            return error.exitCode
        }
    }
}
