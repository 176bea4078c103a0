import Determinism
import JSONValue

/// Journal events as lines that a person can follow.
enum EventTimeline {
    /// One line for each event, with seconds since the first.
    static func lines(_ events: [JSONValue]) -> [String] {
        let start = events.first.flatMap(moment)
        return events.map { event in
            let elapsed = start.flatMap { start in
                moment(event).map { $0.milliseconds.subtractingClamped(start.milliseconds) }
            }
            var words = [seconds(elapsed ?? 0), padded(event["kind"]?.stringValue ?? "?", to: 22)]
            for key in ["node", "transactionId", "faultId"] {
                guard let value = event[key], let text = value.stringValue else { continue }
                words.append(key == "faultId" ? "fault \(text)" : text)
            }
            if let text = event["data"]?["text"]?.stringValue {
                words.append(text)
            } else if let data = event["data"]?.objectValue, !data.members.isEmpty {
                words.append(JSONValue.object(data).text)
            }
            return words.joined(separator: "  ")
        }
    }

    /// Milliseconds as seconds, aligned.
    static func seconds(_ milliseconds: Int64) -> String {
        let bounded = min(max(milliseconds, 0), 9_999_999)
        let digits = String(bounded % 1000)
        let text = "\(bounded / 1000).\(String(repeating: "0", count: 3 - digits.count))\(digits) s"
        return String(repeating: " ", count: max(0, 10 - text.count)) + text
    }

    private static func moment(_ event: JSONValue) -> Timestamp? {
        event["at"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
    }
}
