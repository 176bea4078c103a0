import JSONValue

/// What a test push is told as.
enum TestPushReport {
    /// The text of an answer of `POST /v1/devices/{id}/test-push`.
    static func text(of answer: JSONValue) -> String {
        let stations = (answer["stations"]?.arrayValue ?? []).map { station in
            let place = station["node"]?.stringValue.map { " at \($0)" } ?? ""
            return "  \(station["at"]?.stringValue ?? "")  \(station["station"]?.stringValue ?? "")\(place)"
        }
        return (stations + [end(of: answer)]).joined(separator: "\n")
    }

    private static func end(of answer: JSONValue) -> String {
        guard let banner = answer["banner"], !banner.isNull else {
            let cause = answer["cause"]?.stringValue ?? "nobody knows why"
            return "lost: never \(answer["lostAt"]?.stringValue ?? "seen"); \(cause)"
        }
        let lines = (banner["lines"]?.arrayValue ?? []).compactMap(\.stringValue).filter { !$0.isEmpty }
        let how = banner["listed"]?.boolValue == true ? "listed silently" : "shown"
        let why = banner["why"]?.stringValue.map { " (\($0))" } ?? ""
        return
            "\(how) after \(answer["afterMilliseconds"]?.text ?? "?") ms: \(lines.joined(separator: " | "))\(why)"
    }
}
