public import JSONValue

/// One call of the control API, routed and with its body parsed.
public struct ControlRequest: Sendable {
    /// Values of the `{name}` segments of the route.
    public let parameters: [String: String]
    /// The query.
    public let query: ControlQuery
    /// The body as a JSON object; empty when none was sent.
    public let body: ControlBody
    /// The bytes of the body of a route that takes text; empty for all others.
    public let text: [UInt8]
    /// Value of a `Last-Event-ID` header.
    public let lastEventID: String?
    /// Value of an `If-None-Match` header.
    public let ifNoneMatch: String?

    /// The value of a segment that the route is known to have.
    public func parameter(_ name: String) -> String {
        parameters[name] ?? ""
    }
}

/// The query of a control call; each name at most once.
public struct ControlQuery: Sendable {
    private let values: [String: String]

    init(_ values: [String: String]) {
        self.values = values
    }

    /// The text of a parameter; nil when absent.
    public subscript(_ name: String) -> String? { values[name] }

    /// A whole number within bounds; the default when absent.
    public func integer(_ name: String, in range: ClosedRange<Int>, default value: Int) throws(ControlError)
        -> Int
    {
        guard let text = values[name] else { return value }
        guard let number = Int(text), range.contains(number) else {
            throw .badRequest(
                "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text)'",
                field: name
            )
        }
        return number
    }

    /// Refuses parameters other than these.
    public func allow(only names: [String]) throws(ControlError) {
        for name in values.keys.sorted() where !names.contains(name) {
            throw .badRequest("unknown parameter '\(name)'; \(ControlError.known(names))", field: name)
        }
    }
}

/// The members of a control call's body, each read once by its type.
public struct ControlBody: Sendable {
    /// The members as sent.
    public let object: JSONObject

    /// A body of members.
    public init(_ object: JSONObject) {
        self.object = object
    }

    /// Refuses members other than these.
    public func allow(only names: [String]) throws(ControlError) {
        for key in object.keys where !names.contains(key) {
            throw .invalid(key, "unknown member '\(key)'; \(ControlError.known(names))")
        }
    }

    /// A string; nil when absent or null.
    public func string(_ name: String) throws(ControlError) -> String? {
        try value(name, "a string", \.stringValue)
    }

    /// A string that must be there.
    public func requiredString(_ name: String) throws(ControlError) -> String {
        guard let text = try string(name) else { throw .invalid(name, "\(name) is required: a string") }
        return text
    }

    /// A truth value; nil when absent or null.
    public func bool(_ name: String) throws(ControlError) -> Bool? {
        try value(name, "true or false", \.boolValue)
    }

    /// A number; nil when absent or null.
    public func double(_ name: String, in range: ClosedRange<Double>) throws(ControlError) -> Double? {
        guard let number = try value(name, "a number", \.doubleValue) else { return nil }
        guard range.contains(number) else {
            throw .invalid(name, "\(name) must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// A whole number; nil when absent or null.
    public func integer(_ name: String, in range: ClosedRange<Int64>) throws(ControlError) -> Int64? {
        guard let number = try value(name, "a whole number", \.intValue) else { return nil }
        guard range.contains(number) else {
            throw .invalid(name, "\(name) must be from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// An amount in units of 1e-8 ADM as a decimal string; nil when absent or null.
    public func amount(_ name: String) throws(ControlError) -> Int64? {
        guard let text = try string(name) else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (48...57).contains($0) }), let amount = Int64(text) else {
            throw .invalid(name, "\(name) must be a decimal string in units of 1e-8 ADM, not '\(text)'")
        }
        return amount
    }

    /// A list of strings; nil when absent or null.
    public func strings(_ name: String) throws(ControlError) -> [String]? {
        guard let elements = try value(name, "a list of strings", \.arrayValue) else { return nil }
        var result: [String] = []
        for element in elements {
            guard let text = element.stringValue else {
                throw .invalid(name, "\(name) must be a list of strings")
            }
            result.append(text)
        }
        return result
    }

    /// One of some words; nil when absent or null.
    public func word<Word: RawRepresentable & CaseIterable>(
        _ name: String,
        as type: Word.Type
    ) throws(ControlError) -> Word? where Word.RawValue == String {
        guard let text = try string(name) else { return nil }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map(\.rawValue).joined(separator: ", ")
            throw .invalid(name, "\(name) must be one of \(known), not '\(text)'")
        }
        return word
    }

    private func value<Value>(
        _ name: String,
        _ expected: String,
        _ read: (JSONValue) -> Value?
    ) throws(ControlError) -> Value? {
        guard let member = object[name], !member.isNull else { return nil }
        guard let value = read(member) else { throw .invalid(name, "\(name) must be \(expected)") }
        return value
    }
}
