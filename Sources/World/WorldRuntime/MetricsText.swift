/// Figures in the text format of Prometheus.
///
/// - Source: prometheus/docs:content/docs/instrumenting/exposition_formats.md
struct MetricsText: Sendable {
    /// The format's name and version.
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    /// What was written so far.
    private(set) var text = ""

    /// Figures of one name; the order of its labels is kept.
    mutating func add(
        _ name: String,
        _ type: Kind,
        _ help: String,
        _ samples: [(labels: [(String, String)], value: Double)]
    ) {
        begin(name, type, help)
        for (labels, value) in samples { sample(name, labels, value) }
    }

    /// One figure without labels.
    mutating func add(_ name: String, _ type: Kind, _ help: String, _ value: Int) {
        add(name, type, help, [([], Double(value))])
    }

    /// Lengths of time.
    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        add(name, help, [([], histogram)])
    }

    /// Lengths of time apart by their labels.
    mutating func add(
        _ name: String,
        _ help: String,
        _ histograms: [(labels: [(String, String)], times: Histogram)]
    ) {
        begin(name, .histogram, help)
        for (labels, times) in histograms {
            var sum = 0
            for (bound, count) in zip(times.scale.seconds, times.counts) {
                sum += count
                sample(name + "_bucket", labels + [("le", Self.number(bound))], Double(sum))
            }
            sample(name + "_bucket", labels + [("le", "+Inf")], Double(times.total))
            sample(name + "_sum", labels, times.seconds)
            sample(name + "_count", labels, Double(times.total))
        }
    }

    /// How figures of a name are to be read.
    enum Kind: String {
        case counter, gauge, histogram
    }

    private mutating func begin(_ name: String, _ type: Kind, _ help: String) {
        text += "# HELP \(name) \(help)\n# TYPE \(name) \(type.rawValue)\n"
    }

    private mutating func sample(_ name: String, _ labels: [(String, String)], _ value: Double) {
        let list = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
        text += name + (list.isEmpty ? "" : "{\(list)}") + " \(Self.number(value))\n"
    }

    private static func number(_ value: Double) -> String {
        Int(exactly: value).map { String($0) } ?? String(value)
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n", "\r\n", "\r": escaped += "\\n"
            default: escaped.append(character)
            }
        }
    }
}
