import JSONValue
import ScenarioModel

/// A result of a story for people, and for GitHub.
enum ResultText {
    /// One line for a story that passed; the reason, what came near and what happened for another.
    static func lines(_ result: JSONValue) -> [String] {
        let name = "\(result["name"]?.stringValue ?? "") (seed \(result["seed"]?.text ?? "-"))"
        let milliseconds = result["measured"]?["milliseconds"]?.intValue ?? 0
        let time = "\(milliseconds / 1000).\(milliseconds % 1000 / 100) s"
        guard ScenarioReport.outcome(of: result) != .passed else { return ["passed  \(name)  \(time)"] }
        let failure = result["failure"]
        var lines = ["FAILED  \(name)  \(time)"]
        lines.append("  \(failure?["place"]?.stringValue ?? ""): \(message(of: failure))")
        lines += texts(result["measured"]?["nearest"]).map { "    " + $0 }
        let timeline = texts(result["measured"]?["timeline"])
        if !timeline.isEmpty { lines.append("  what happened until then:") }
        lines += timeline.map { "    " + $0 }
        if let command = result["repeat"]?.stringValue { lines.append("  again: \(command)") }
        return lines
    }

    /// The annotation of a file that GitHub shows; nil for a story that passed.
    ///
    /// - Source: GitHub, "Workflow commands for GitHub Actions"
    static func annotation(_ result: JSONValue) -> String? {
        guard ScenarioReport.outcome(of: result) != .passed else { return nil }
        let failure = result["failure"]
        let parts = (failure?["place"]?.stringValue ?? "").split(separator: ":")
        let file = parts.dropLast(2).joined(separator: ":")
        let numbers = parts.suffix(2).map(String.init)
        let places = [("file", file), ("line", numbers.first ?? "1"), ("col", numbers.last ?? "1")]
        let title = ("title", "\(result["name"]?.stringValue ?? "") (seed \(result["seed"]?.text ?? "-"))")
        let properties = (places + [title]).map { "\($0)=\(escaped($1, property: true))" }
        return
            "::error \(properties.joined(separator: ","))::\(escaped(message(of: failure), property: false))"
    }

    private static func message(of failure: JSONValue?) -> String {
        let step = failure?["step"]?.stringValue.map { $0 + ": " } ?? ""
        return step + (failure?["reason"]?.stringValue ?? "")
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    private static func escaped(_ text: String, property: Bool) -> String {
        var output = ""
        for character in text {
            switch character {
            case "%": output += "%25"
            case "\r": output += "%0D"
            case "\n": output += "%0A"
            case ":" where property: output += "%3A"
            case "," where property: output += "%2C"
            default: output.append(character)
            }
        }
        return output
    }
}
