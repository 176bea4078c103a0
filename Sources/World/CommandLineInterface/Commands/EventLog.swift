import JSONValue
import Threads

/// Prints the world's events as they come, each as a line of JSON with a level.
struct EventLog: Sendable {
    /// What is printed.
    enum Form: String, CaseIterable {
        case none, json

        /// The form that an option names.
        init(_ text: String?) throws(CommandFailure) {
            guard let form = Form(rawValue: text ?? "none") else {
                let known = Form.allCases.map(\.rawValue).joined(separator: " or ")
                throw .usage("--log: must be \(known), not '\(text ?? "")'")
            }
            self = form
        }

        /// The line that tells why the world cannot go on.
        func line(failure: String) -> String {
            switch self {
            case .none: "mocknet: \(failure)"
            case .json:
                JSONValue.object(
                    JSONObject([
                        ("level", "error"), ("kind", "world.failed"), ("message", .string(failure)),
                    ])
                ).text
            }
        }
    }

    /// How long one call waits for events.
    private static let waitSeconds = 60
    /// Most events that one call answers.
    private static let page = 1000
    /// Kinds of events that tell of something going wrong in the world, mostly on purpose.
    private static let warnings = [
        "refused", "dropped", "reverted", "expired", "discarded", "failed", "evicted", "found", "fired",
    ]

    private let api: ControlAPI
    private let output: @Sendable (String) -> Void

    init(_ api: ControlAPI, _ output: @escaping @Sendable (String) -> Void) {
        self.api = api
        self.output = output
    }

    /// Follows the world on a thread of its own, which ends when the world does.
    func begin() throws(CommandFailure) {
        do throws(ThreadError) {
            _ = try WorkerThread(name: "event log") { follow() }
        } catch {
            throw CommandFailure(message: "events cannot be logged: \(error)", exitCode: ExitCode.world)
        }
    }

    private func follow() {
        var after: Int64 = 0
        while true {
            let query = [
                ("after", String(after)), ("limit", String(Self.page)), ("wait", String(Self.waitSeconds)),
            ]
            guard let page = try? api.get("/v1/events", query), let next = page["next"]?.intValue else {
                return
            }
            let lines = (page["events"]?.arrayValue ?? []).map { Self.line(of: $0) + "\n" }
            if !lines.isEmpty { output(lines.joined()) }
            after = next
        }
    }

    /// The line of an event.
    static func line(of event: JSONValue) -> String {
        var members = JSONObject([("time", event["at"] ?? .null), ("level", .string(level(of: event)))])
        for member in event.objectValue?.members ?? [] where member.key != "at" {
            members.append(member.key, member.value)
        }
        return JSONValue.object(members).text
    }

    private static func level(of event: JSONValue) -> String {
        let kind = event["kind"]?.stringValue ?? ""
        let isRefusal = kind == "push.received" && event["data"]?["status"] != 200
        return isRefusal || warnings.contains { kind.hasSuffix($0) } ? "warn" : "info"
    }
}
