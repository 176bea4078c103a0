import JSONValue

extension ScenarioReport {
    /// The report as JUnit XML, as Jenkins and others read it: a suite for each file, a case for each seed.
    public var junit: String {
        var files: [String] = []
        for result in results where !files.contains(Self.file(result)) { files.append(Self.file(result)) }
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
        text += "<testsuites name=\"mocknet\" \(Self.counts(results))>\n"
        for file in files {
            let own = results.filter { Self.file($0) == file }
            text += "  <testsuite name=\"\(Self.escaped(file))\" \(Self.counts(own))>\n"
            for result in own { text += Self.testcase(result) }
            text += "  </testsuite>\n"
        }
        return text + "</testsuites>\n"
    }

    private static func file(_ result: JSONValue) -> String { result["file"]?.stringValue ?? "scenario" }

    private static func milliseconds(_ result: JSONValue) -> Int64 {
        max(0, result["measured"]?["milliseconds"]?.intValue ?? 0)
    }

    private static func counts(_ results: [JSONValue]) -> String {
        let failures = results.count { outcome(of: $0) == .failed }
        let errors = results.count { outcome(of: $0) == .error }
        let time = results.reduce(Int64(0)) { $0.addingReportingOverflow(milliseconds($1)).partialValue }
        return
            "tests=\"\(results.count)\" failures=\"\(failures)\" errors=\"\(errors)\" time=\"\(seconds(time))\""
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000)." + String(repeating: "0", count: max(0, 3 - fraction.count))
            + fraction
    }

    private static func testcase(_ result: JSONValue) -> String {
        let name = "\(result["name"]?.stringValue ?? "") (seed \(result["seed"]?.text ?? "-"))"
        let head =
            "    <testcase name=\"\(escaped(name))\" classname=\"\(escaped(file(result)))\""
            + " time=\"\(seconds(milliseconds(result)))\""
        guard let outcome = outcome(of: result), outcome != .passed else { return head + "/>\n" }
        let failure = result["failure"] ?? .null
        let element = outcome == .failed ? "failure" : "error"
        let place = failure["place"]?.stringValue ?? file(result)
        let step = failure["step"]?.stringValue.map { $0 + ": " } ?? ""
        let message = step + (failure["reason"]?.stringValue ?? "")
        let nearest = lines(result["measured"]?["nearest"])
        let again = result["repeat"]?.stringValue.map { ["repeat with: " + $0] } ?? []
        let body = (["\(place): \(message)"] + nearest + again).joined(separator: "\n")
        var text = head + ">\n"
        text +=
            "      <\(element) message=\"\(escaped(message))\" type=\"\(outcome.rawValue)\">\(escaped(body))</\(element)>\n"
        let timeline = lines(result["measured"]?["timeline"])
        if !timeline.isEmpty {
            text += "      <system-out>\(escaped(timeline.joined(separator: "\n")))</system-out>\n"
        }
        return text + "    </testcase>\n"
    }

    private static func lines(_ value: JSONValue?) -> [String] {
        value?.arrayValue?.compactMap(\.stringValue) ?? []
    }

    /// A text as it stands in XML; what XML 1.0 cannot hold becomes the replacement character.
    private static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\n": output += "&#10;"
            case "\t": output += "&#9;"
            case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
                output += "\u{FFFD}"
            default: output.unicodeScalars.append(scalar)
            }
        }
        return output
    }
}
