import JSONValue

/// Reads the members of one object of a rule and names the one at fault.
struct MemberReader {
    private let object: JSONObject
    private let place: String?

    /// Reads an object that stands at a place of the rule; nil is the rule itself.
    init(_ value: JSONValue, at place: String?) throws(FaultRuleError) {
        guard case .object(let object) = value else {
            throw FaultRuleError(field: place, message: "must be an object")
        }
        self.object = object
        self.place = place
    }

    /// The full name of a member.
    func field(_ key: String) -> String { place.map { "\($0).\(key)" } ?? key }

    /// The error for a member.
    func error(_ key: String, _ message: String) -> FaultRuleError {
        FaultRuleError(field: field(key), message: message)
    }

    /// The members in the order of their names, the same however they were posted.
    var canonicalText: String {
        JSONValue.object(JSONObject(merging: object.members.sorted { $0.key < $1.key })).text
    }

    /// A member; nil when absent or null.
    func value(_ key: String) -> JSONValue? {
        guard let value = object[key], !value.isNull else { return nil }
        return value
    }

    /// Whether a member is there and not null.
    func has(_ key: String) -> Bool { value(key) != nil }

    /// Refuses the first member that is not one of these.
    func refuseOthers(than known: [String]) throws(FaultRuleError) {
        for key in object.keys where !known.contains(key) {
            throw error(key, "is unknown here; known are \(known.joined(separator: ", "))")
        }
    }

    /// A text of 1 to `limit` bytes.
    func text(_ key: String, limit: Int = 256) throws(FaultRuleError) -> String? {
        guard let value = value(key) else { return nil }
        guard let text = value.stringValue, (1...limit).contains(text.utf8.count) else {
            throw error(key, "must be a text of 1 to \(limit) bytes")
        }
        return text
    }

    /// An integer within bounds.
    func integer(_ key: String, in range: ClosedRange<Int64>) throws(FaultRuleError) -> Int64? {
        guard let value = value(key) else { return nil }
        guard let number = value.intValue, range.contains(number) else {
            throw error(key, "must be an integer from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A number within bounds.
    func number(_ key: String, in range: ClosedRange<Double>) throws(FaultRuleError) -> Double? {
        guard let value = value(key) else { return nil }
        guard let number = value.doubleValue, range.contains(number) else {
            throw error(key, "must be a number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// One of some words.
    func word(_ key: String, of words: [String]) throws(FaultRuleError) -> String? {
        guard let value = value(key) else { return nil }
        guard let word = value.stringValue, words.contains(word) else {
            throw error(key, "must be one of \(words.joined(separator: ", "))")
        }
        return word
    }

    /// True or false.
    func flag(_ key: String) throws(FaultRuleError) -> Bool? {
        guard let value = value(key) else { return nil }
        guard let flag = value.boolValue else { throw error(key, "must be true or false") }
        return flag
    }

    /// A text, or JSON that is taken as it stands; it may be empty.
    func content(_ key: String, limit: Int) throws(FaultRuleError) -> String? {
        guard let value = value(key) else { return nil }
        let text = value.stringValue ?? value.text
        guard text.utf8.count <= limit else { throw error(key, "must have at most \(limit) bytes") }
        return text
    }

    /// What must be there.
    func required<Value>(_ key: String, _ value: Value?) throws(FaultRuleError) -> Value {
        guard let value else { throw error(key, "is missing") }
        return value
    }

    /// `before` or `after`.
    func moment(_ key: String) throws(FaultRuleError) -> FaultMoment? {
        try word(key, of: FaultMoment.allCases.map(\.rawValue)).flatMap(FaultMoment.init(rawValue:))
    }
}
