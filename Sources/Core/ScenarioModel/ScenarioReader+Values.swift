import Determinism
import JSONValue

extension ScenarioReader {
    /// What a pattern can say beside a value.
    static let operators = ["contains", "not", "at least", "at most", "any of"]

    /// Longest time that a step can tell: a thousand years.
    private static let longest = 365_000 * 86_400_000

    /// A value of a kind, checked, in the form that plans have.
    func value(_ node: ScenarioNode, as kind: ValueKind, of label: String) throws(ScenarioError) -> JSONValue
    {
        let text = node.scalarText
        if let text, text.contains("${") {
            if let problem = names.problem(inReferencesOf: text) {
                throw ScenarioError(node.place, "\(label): \(problem)")
            }
            if kind.takesReferences { return .string(text) }
        }
        switch kind {
        case .text:
            if let text { return .string(text) }
        case .word(let words):
            if let text, words.contains(text) { return .string(text) }
            throw unexpected(node, kind, label, hint: Suggestion.text(for: text ?? "", among: words))
        case .count(let range):
            if case .integer(let number, _) = node.content, range.contains(number) { return .int(number) }
        case .duration:
            if let milliseconds = text.flatMap(Quantity.milliseconds), milliseconds <= Self.longest {
                return .int(milliseconds)
            }
        case .amount:
            if let units = text.flatMap(Quantity.amountUnits), units < UInt64(Int64.max) {
                return .string(String(units))
            }
        case .flag:
            if case .bool(let flag) = node.content { return .bool(flag) }
        case .moment:
            if let text, Timestamp(rfc3339: text) != nil { return .string(text) }
        case .json: return try json(node, of: label)
        case .object:
            if node.entries != nil { return try json(node, of: label) }
        case .list(let element):
            return .array(try list(node, element, of: label))
        case .either(let word, let other):
            return text == word ? .string(word) : try value(node, as: other, of: label, beside: word)
        case .device, .account, .node, .service, .transaction, .snapshot, .fault:
            return .string(try name(node, kind, label))
        }
        throw unexpected(node, kind, label)
    }

    private func value(_ node: ScenarioNode, as kind: ValueKind, of label: String, beside word: String)
        throws(ScenarioError) -> JSONValue
    {
        do throws(ScenarioError) {
            return try value(node, as: kind, of: label)
        } catch {
            let message = error.message.replacing(
                kind.expected + " is expected",
                with: ValueKind.either(word, kind).expected + " is expected"
            )
            throw ScenarioError(error.place, message)
        }
    }

    private func list(_ node: ScenarioNode, _ kind: ValueKind, of label: String) throws(ScenarioError)
        -> [JSONValue]
    {
        guard case .sequence(let elements) = node.content else {
            return [try value(node, as: kind, of: label)]
        }
        var values: [JSONValue] = []
        for element in elements { values.append(try value(element, as: kind, of: label)) }
        return values
    }

    /// A name that stands for something here.
    private func name(_ node: ScenarioNode, _ kind: ValueKind, _ label: String) throws(ScenarioError)
        -> String
    {
        guard let text = node.scalarText, !text.isEmpty else { throw unexpected(node, kind, label) }
        let (what, known): (String, [String])
        switch kind {
        case .device: (what, known) = ("device", names.names(.device))
        case .account:
            if Self.isAddress(text) { return text }
            (what, known) = ("account", names.names(.account))
        case .node: (what, known) = ("node", names.nodes)
        case .service: (what, known) = ("service", names.names(.service))
        case .transaction: (what, known) = ("transaction", names.transactions)
        case .snapshot: (what, known) = ("snapshot", names.snapshots)
        default: (what, known) = ("fault", names.faults)
        }
        guard !known.contains(text) else { return text }
        let hint = Suggestion.text(for: text, among: known)
        let list = known.isEmpty ? "there is none yet" : "there are \(known.joined(separator: ", "))"
        throw ScenarioError(
            node.place,
            "\(label): there is no \(what) \(text)\(hint); \(known.count == 1 ? "there is \(known[0])" : list)"
        )
    }

    private static func isAddress(_ text: String) -> Bool {
        text.hasPrefix("U") && (2...21).contains(text.utf8.count)
            && text.utf8.dropFirst().allSatisfy { (48...57).contains($0) }
    }

    private func unexpected(_ node: ScenarioNode, _ kind: ValueKind, _ label: String, hint: String = "")
        -> ScenarioError
    {
        ScenarioError(node.place, "\(label): \(kind.expected) is expected, not \(node.found)\(hint)")
    }

    /// Any node as JSON; the variables in its texts have to be there.
    func json(_ node: ScenarioNode, of label: String) throws(ScenarioError) -> JSONValue {
        switch node.content {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value, _): return .int(value)
        case .float(let value, _):
            guard let number = JSONNumber(value) else {
                throw ScenarioError(node.place, "\(label): a finite number is expected, not \(node.found)")
            }
            return .number(number)
        case .string(let text):
            if let problem = names.problem(inReferencesOf: text) {
                throw ScenarioError(node.place, "\(label): \(problem)")
            }
            return .string(text)
        case .sequence(let elements):
            var values: [JSONValue] = []
            for element in elements { values.append(try json(element, of: label)) }
            return .array(values)
        case .mapping(let entries):
            var object = JSONObject()
            for entry in entries { object.append(entry.key, try json(entry.value, of: entry.key)) }
            return .object(object)
        }
    }

    /// A value or a pattern: what a member of a thing has to be like.
    func pattern(_ node: ScenarioNode, as kind: ValueKind, of label: String) throws(ScenarioError)
        -> JSONValue
    {
        if case .null = node.content { return .null }
        guard let entries = node.entries, kind != .object, kind != .json else {
            return try value(node, as: kind, of: label)
        }
        guard !entries.isEmpty else { throw unexpected(node, kind, label) }
        var object = JSONObject()
        for entry in entries {
            let place = "\(label): \(entry.key)"
            let value: JSONValue
            switch entry.key {
            case "contains": value = try self.value(entry.value, as: .text, of: place)
            case "not": value = try pattern(entry.value, as: kind, of: place)
            case "at least", "at most":
                value = try self.value(entry.value, as: .count(Int64.min...Int64.max), of: place)
            case "any of": value = .array(try list(entry.value, kind, of: place))
            default: throw unknown(entry, "pattern", among: Self.operators)
            }
            object.append(entry.key, value)
        }
        return .object(object)
    }
}

extension ValueKind {
    /// Whether a text with variables in it can stand for such a value.
    fileprivate var takesReferences: Bool {
        switch self {
        case .duration, .amount, .list, .object: false
        case .text, .word, .count, .flag, .moment, .json, .device, .account, .node, .service, .transaction,
            .snapshot, .fault:
            true
        case .either(_, let kind): kind.takesReferences
        }
    }
}
