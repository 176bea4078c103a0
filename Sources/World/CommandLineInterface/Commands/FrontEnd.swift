import JSONValue

/// What the front ends of the control API share.
enum FrontEnd {
    /// Prints an answer as it came with `--json`, otherwise as text for people.
    static func show(_ answer: JSONValue, _ context: CommandContext, _ text: () -> String)
        throws(CommandFailure) -> Int32
    {
        context.print(context.arguments.has("--json") ? answer.text : text())
        return ExitCode.success
    }

    /// An amount in ADM as the control API takes it.
    static func units(_ text: String, of name: String) throws(CommandFailure) -> String {
        do throws(ValueError) {
            return String(try Value.amountUnits(text))
        } catch {
            throw .usage("\(name): \(error.message)")
        }
    }

    /// A duration in milliseconds.
    static func milliseconds(_ text: String, of name: String) throws(CommandFailure) -> Int {
        do throws(ValueError) {
            return try Value.milliseconds(text, in: 0...86_400_000)
        } catch {
            throw .usage("\(name): \(error.message)")
        }
    }

    /// An integer.
    static func integer(_ text: String, of name: String, in range: ClosedRange<Int64>)
        throws(CommandFailure) -> Int64
    {
        do throws(ValueError) {
            return try Value.integer(text, in: range)
        } catch {
            throw .usage("\(name): \(error.message)")
        }
    }
}
