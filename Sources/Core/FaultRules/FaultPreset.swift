public import JSONValue

/// A bug that was reported of APNs or its clients, with the fault rules that reproduce what the client met.
public struct FaultPreset: Sendable {
    /// What it is called.
    public let name: String
    /// The public reports it reproduces: repositories with their numbers.
    public let reports: [String]
    /// What the reporters saw.
    public let symptom: String
    /// The rules as JSON, without their target.
    let texts: [String]

    init(_ name: String, _ reports: [String], _ symptom: String, _ texts: String...) {
        self.name = name
        self.reports = reports
        self.symptom = symptom
        self.texts = texts
    }

    /// All presets, in the order of what they strike: connections, streams, answers.
    public static let all = connections + silences + streams + tokens + answers

    /// The preset of a name.
    public static func named(_ name: String) -> FaultPreset? {
        all.first { $0.name == name }
    }

    /// The rules, as `POST /v1/faults` takes each.
    public var rules: [JSONValue] {
        texts.compactMap { text in
            guard let rule = (try? JSONValue(parsing: text))?.objectValue else { return nil }
            let head = [("name", JSONValue.string(name)), ("target", "apns")]
            return .object(JSONObject(head + rule.members.map { ($0.key, $0.value) }))
        }
    }

    /// The preset as JSON.
    public var json: JSONValue {
        [
            "name": .string(name), "reports": .array(reports.map(JSONValue.string)),
            "symptom": .string(symptom), "rules": .array(rules),
        ]
    }

    /// The rules that `{"preset": …}` stands for, with the members of `match` in each of them.
    static func expand(_ posted: JSONValue) throws(FaultRuleError) -> [JSONValue] {
        let reader = try MemberReader(posted, at: nil)
        try reader.refuseOthers(than: ["preset", "match"])
        let name = try reader.required("preset", reader.text("preset"))
        guard let preset = named(name) else {
            throw reader.error("preset", "there is no preset \(name); GET /v1/faults/presets lists them")
        }
        guard let match = reader.value("match") else { return preset.rules }
        guard case .object(let extra) = match else { throw reader.error("match", "must be an object") }
        return preset.rules.map { rule in
            guard var object = rule.objectValue else { return rule }
            var matcher = object["match"]?.objectValue ?? JSONObject()
            for member in extra.members { matcher[member.key] = member.value }
            object["match"] = .object(matcher)
            return .object(object)
        }
    }
}
