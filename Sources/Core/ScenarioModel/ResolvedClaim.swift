public import JSONValue

/// A claim whose names have become addresses, tokens and ids, to be held against what a world shows.
public struct ResolvedClaim: Sendable {
    private struct Condition: Sendable {
        let label: String
        let paths: [[String]]
        let isPart: Bool
        let pattern: JSONValue
    }

    private var conditions: [Condition] = []

    /// Replaces the names of a claim.
    ///
    /// `resolve` gives what stands for a name of a kind; it is given other values as well, for their variables.
    public init<Failure: Error>(
        _ claim: Claim,
        resolve: (ValueKind, JSONValue) throws(Failure) -> JSONValue
    ) throws(Failure) {
        if !claim.principal.isNull, !claim.subject.isChosen {
            let member = claim.subject.principal
            let pattern = try Self.resolved(claim.principal, member.kind, resolve)
            // What an answer or the ANS is like is said of the whole.
            let paths = member.kind == .object || member.kind == .json ? [[]] : member.paths
            conditions.append(
                Condition(label: member.name, paths: paths, isPart: false, pattern: pattern)
            )
        }
        for condition in claim.conditions {
            let member = condition.member
            conditions.append(
                Condition(
                    label: member.name,
                    paths: member.paths,
                    isPart: member.isPart,
                    pattern: try Self.resolved(condition.pattern, member.kind, resolve)
                )
            )
        }
    }

    private static func resolved<Failure: Error>(
        _ pattern: JSONValue,
        _ kind: ValueKind,
        _ resolve: (ValueKind, JSONValue) throws(Failure) -> JSONValue
    ) throws(Failure) -> JSONValue {
        guard let object = operators(of: pattern) else {
            return pattern.isNull ? pattern : try resolve(kind, pattern)
        }
        var result = JSONObject()
        for member in object.members {
            switch member.key {
            case "not": result.append(member.key, try resolved(member.value, kind, resolve))
            case "any of":
                var choices: [JSONValue] = []
                for choice in member.value.arrayValue ?? [] { choices.append(try resolve(kind, choice)) }
                result.append(member.key, .array(choices))
            default: result.append(member.key, try resolve(.text, member.value))
            }
        }
        return .object(result)
    }

    /// What of a thing, as the control API shows it, is not as claimed, in words; empty when all is.
    ///
    /// `show` tells what a value is called.
    public func differences(of element: JSONValue, show: (JSONValue) -> String) -> [String] {
        conditions.compactMap { condition in
            let values = condition.paths.map { Self.value(of: element, at: $0[...]) }
            let isSo = values.contains { value in
                Self.matches(value, condition.pattern, isPart: condition.isPart)
            }
            guard !isSo else { return nil }
            let actual = values.map { show($0) }.joined(separator: " / ")
            return "\(condition.label) is \(actual), not \(Self.text(condition.pattern, show: show))"
        }
    }

    /// Whether a thing is as claimed.
    public func matches(_ element: JSONValue) -> Bool {
        conditions.allSatisfy { condition in
            condition.paths.contains { path in
                let value = Self.value(of: element, at: path[...])
                return Self.matches(value, condition.pattern, isPart: condition.isPart)
            }
        }
    }

    private static func value(of element: JSONValue, at path: ArraySlice<String>) -> JSONValue {
        guard let key = path.first else { return element }
        guard let member = element[key] else { return .null }
        return value(of: member, at: path.dropFirst())
    }

    /// The operators of a pattern; nil for a value.
    fileprivate static func operators(of pattern: JSONValue) -> JSONObject? {
        guard let object = pattern.objectValue, !object.members.isEmpty,
            object.keys.allSatisfy(ScenarioReader.operators.contains)
        else { return nil }
        return object
    }

    private static func matches(_ value: JSONValue, _ pattern: JSONValue, isPart: Bool) -> Bool {
        if let object = operators(of: pattern) {
            return object.members.allSatisfy { member in
                fits(value, member.key, member.value, isPart: isPart)
            }
        }
        switch pattern {
        case .null, .bool: return value == pattern
        case .number:
            if let wanted = pattern.intValue, let number = value.intValue { return wanted == number }
            return pattern.doubleValue != nil && pattern.doubleValue == value.doubleValue
        case .string(let wanted):
            guard let text = value.stringValue else { return false }
            return isPart ? text.contains(wanted) : text == wanted
        case .array(let wanted):
            guard let elements = value.arrayValue, elements.count == wanted.count else { return false }
            return zip(elements, wanted).allSatisfy { matches($0, $1, isPart: isPart) }
        case .object(let wanted):
            guard value.objectValue != nil else { return false }
            return wanted.members.allSatisfy { matches(value[$0.key] ?? .null, $0.value, isPart: isPart) }
        }
    }

    private static func fits(_ value: JSONValue, _ name: String, _ wanted: JSONValue, isPart: Bool) -> Bool {
        switch name {
        case "not": return !matches(value, wanted, isPart: isPart)
        case "any of": return (wanted.arrayValue ?? []).contains { matches(value, $0, isPart: isPart) }
        case "contains": return value.stringValue?.contains(wanted.stringValue ?? "") ?? false
        default:
            let number = value.doubleValue ?? value.stringValue.flatMap { Double($0) }
            guard let number, let bound = wanted.doubleValue else { return false }
            return name == "at least" ? number >= bound : number <= bound
        }
    }

    private static func text(_ pattern: JSONValue, show: (JSONValue) -> String) -> String {
        guard let object = operators(of: pattern) else { return show(pattern) }
        return object.members.map { member in
            if member.key == "any of" {
                return "one of " + (member.value.arrayValue ?? []).map(show).joined(separator: ", ")
            }
            return "\(member.key) \(show(member.value))"
        }
        .joined(separator: " and ")
    }
}

extension Claim {
    /// What is said of the things, the principal first.
    public var patterns: [JSONValue] { [principal] + conditions.map(\.pattern) }

    /// What is wrong with the patterns that variables gave, of which nothing could ever be so; nil for nothing.
    public func problem(of patterns: [JSONValue]) -> String? {
        let members = [subject.principal] + conditions.map(\.member)
        return zip(members, patterns).lazy.compactMap { member, pattern in
            Self.problem(of: pattern, member.kind, label: member.name)
        }
        .first
    }

    private static func problem(of pattern: JSONValue, _ kind: ValueKind, label: String) -> String? {
        guard let object = ResolvedClaim.operators(of: pattern) else {
            return pattern.isNull ? nil : kind.problem(of: pattern, label: label)
        }
        for member in object.members {
            let label = "\(label): \(member.key)"
            let problem: String? =
                switch member.key {
                case "not": Self.problem(of: member.value, kind, label: label)
                case "any of":
                    (member.value.arrayValue ?? []).lazy.compactMap { choice in
                        choice.isNull ? nil : kind.problem(of: choice, label: label)
                    }
                    .first
                case "contains": nil
                default:
                    member.value.doubleValue == nil
                        ? "\(label): a number is expected, not \(member.value.found)" : nil
                }
            if let problem { return problem }
        }
        return nil
    }
}
