import Files
import JSONValue
import POSIX
import ScenarioModel
import ScenarioRunner
import Synchronization

/// Tells how stories go: on a terminal in one line that changes, otherwise in a line for each that has ended.
final class RunReporter: ScenarioCampaign.Observer {
    private struct State {
        var playing: [(number: Int, name: String)] = []
        var ended = 0
        var isStatusShown = false
    }

    private let options: RunOptions
    /// What the folder of each story is called in which a failure is kept, by its number.
    private let folders: [String]
    /// Where lines for people go: standard output, unless that is for JSON.
    private let write: @Sendable (String) -> Void
    private let isTerminal: Bool
    private let tellsGitHub: Bool
    private let state = Mutex(State())

    init(_ options: RunOptions, folders: [String], _ context: CommandContext) {
        self.options = options
        self.folders = folders
        let takesError = options.json == "-"
        write = takesError ? context.error : context.output
        isTerminal = (takesError ? StandardStream.error : StandardStream.output).isTerminal
        tellsGitHub = context.environment("GITHUB_ACTIONS") == "true"
    }

    func began(_ entry: ScenarioCampaign.Entry, number: Int) {
        state.withLock { state in
            state.playing.append((number, entry.run.source.scenario.name))
            if options.isVerbose {
                let scenario = entry.run.source.scenario
                write("\(scenario.name) (seed \(entry.run.seed))\n")
                if let story = scenario.story { write(story + "\n") }
            } else {
                showStatus(&state)
            }
        }
    }

    func told(_ line: String, number: Int) {
        guard options.isVerbose else { return }
        // Stories that are played at once would be read as one.
        write((options.jobs > 1 ? "[\(number + 1)] " : "") + line + "\n")
    }

    func ended(
        _ entry: ScenarioCampaign.Entry,
        number: Int,
        result: JSONValue,
        base: String,
        token: String?
    ) {
        let problem = keep(result, number: number, base: base, token: token)
        state.withLock { state in
            state.playing.removeAll { $0.number == number }
            state.ended += 1
            if state.isStatusShown { write("\r\u{1B}[K") }
            state.isStatusShown = false
            for line in ResultText.lines(result) { write(line + "\n") }
            if let problem { write("  " + problem + "\n") }
            if tellsGitHub, let annotation = ResultText.annotation(result) { write(annotation + "\n") }
            if !options.isVerbose { showStatus(&state) }
        }
    }

    /// The last line.
    func finish(_ report: ScenarioReport) {
        state.withLock { state in
            if state.isStatusShown { write("\r\u{1B}[K") }
        }
        let parts = [
            "\(report.count(.passed)) passed", "\(report.count(.failed)) failed",
            "\(report.count(.error)) without a world",
        ]
        write(parts.joined(separator: ", ") + "\n")
    }

    private func showStatus(_ state: inout State) {
        guard isTerminal, let newest = state.playing.last else { return }
        let more = state.playing.count > 1 ? " and \(state.playing.count - 1) more" : ""
        write("\r\u{1B}[K[\(state.ended)/\(folders.count)] \(newest.name)\(more)")
        state.isStatusShown = true
    }

    /// Keeps what tells of a failure, and tells where it is, or why it could not be kept.
    private func keep(_ result: JSONValue, number: Int, base: String, token: String?) -> String? {
        guard let folder = options.artifacts, ScenarioReport.outcome(of: result) != .passed,
            folders.indices.contains(number)
        else { return nil }
        let own = "\(folder)/\(folders[number])"
        do throws(FileError) {
            try Files.makeFolder(own)
            if !base.isEmpty { try WorldRecord(base: base, token: token).write(to: own) }
            try Files.write(Array((result.prettyText + "\n").utf8), to: own + "/result.json")
            return "kept in \(own)"
        } catch {
            return "--artifacts: \(error)"
        }
    }
}
