import Determinism
public import JSONValue

/// What a value of the format has to be.
public indirect enum ValueKind: Sendable, Equatable {
    /// A text; a number or truth value counts as it is written.
    case text
    /// One of some words.
    case word([String])
    /// A whole number within bounds.
    case count(ClosedRange<Int64>)
    /// A time such as `250ms`, `5s`, `2m`, `1h` or `30d`; milliseconds.
    case duration
    /// An amount in ADM with up to eight decimals; units of 1e-8 as text.
    case amount
    /// `true` or `false`.
    case flag
    /// A moment, RFC 3339.
    case moment
    /// Anything.
    case json
    /// A mapping of anything.
    case object
    /// A device of the story.
    case device
    /// An account: of the story, of every world, or an address.
    case account
    /// A node.
    case node
    /// A service of the story.
    case service
    /// A transaction that a step has named.
    case transaction
    /// A snapshot that a step has taken.
    case snapshot
    /// A fault rule that a step has set.
    case fault
    /// A sequence; a single value is one of one.
    case list(ValueKind)
    /// The word given, or another kind.
    case either(String, ValueKind)

    /// What is expected, for people.
    var expected: String {
        switch self {
        case .text: "a text"
        case .word(let words): words.count == 1 ? words[0] : "one of " + words.joined(separator: ", ")
        case .count(let range):
            range.upperBound == Int64.max
                ? "a whole number from \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        case .duration: "a time such as 250ms, 5s, 2m, 1h or 30d"
        case .amount: "an amount in ADM with up to 8 decimals"
        case .flag: "true or false"
        case .moment: "a moment such as 2026-01-01T00:00:00Z"
        case .json: "a value"
        case .object: "a mapping"
        case .device: "the name of a device"
        case .account: "the name of an account, or an address"
        case .node: "the name of a node"
        case .service: "the name of a service"
        case .transaction: "the name of a transaction (as: NAME)"
        case .snapshot: "the name of a snapshot"
        case .fault: "the name of a fault"
        case .list(let kind): "a sequence, each " + kind.expected
        case .either(let word, let kind): "\(word), or \(kind.expected)"
        }
    }
}

extension ValueKind {
    /// What is wrong with a value that variables gave, which the reader of the file did not see; nil for nothing.
    ///
    /// Names are looked up by those who know them, and the world reads the rest.
    public func problem(of value: JSONValue, label: String) -> String? {
        accepts(value) ? nil : "\(label): \(expected) is expected, not \(value.found)"
    }

    private func accepts(_ value: JSONValue) -> Bool {
        switch self {
        case .word(let words): value.stringValue.map(words.contains) ?? false
        case .count(let range): value.intValue.map(range.contains) ?? false
        case .flag: value.boolValue != nil
        case .moment: value.stringValue.flatMap { Timestamp(rfc3339: $0) } != nil
        case .either(let word, let other): value.stringValue == word || other.accepts(value)
        case .text, .duration, .amount, .json, .object, .device, .account, .node, .service, .transaction,
            .snapshot, .fault, .list:
            true
        }
    }
}

extension Action {
    /// What is wrong with the values that variables gave an action; nil when a file could say the same.
    public func problem(_ principal: JSONValue, _ members: JSONObject) -> String? {
        if let problem = verb.principal.problem(of: principal, label: verb.name) { return problem }
        for member in verb.members {
            guard let value = members[member.name] else { continue }
            if let problem = member.kind.problem(of: value, label: member.name) { return problem }
        }
        return nil
    }
}

extension JSONValue {
    private static let shownLetters = 80

    /// What it is, for an error.
    var found: String {
        switch self {
        case .null: "nothing"
        case .bool, .number: "'\(text)'"
        case .string(let text): "the text '\(text.prefix(Self.shownLetters))'"
        case .array: "a sequence"
        case .object: "a mapping"
        }
    }
}

/// A member that a verb or a subject takes beside its principal value.
public struct Member: Sendable, Equatable {
    /// Its name in the format.
    public let name: String
    /// What its value has to be.
    public let kind: ValueKind
    /// Whether it has to be there.
    let isRequired: Bool
    /// Where a subject's things have it; several are alternatives.
    public let paths: [[String]]
    /// Whether a text need only be part of what is there.
    public let isPart: Bool

    init(
        _ name: String,
        _ kind: ValueKind,
        required: Bool = false,
        at paths: [String]...,
        isPart: Bool = false
    ) {
        self.name = name
        self.kind = kind
        isRequired = required
        self.paths = paths.isEmpty ? [[name]] : paths
        self.isPart = isPart
    }
}
