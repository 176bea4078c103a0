import JSONValue

extension ScenarioReader {
    private static let expecting = ["expect", "expect no", "never"]
    private static let structure = ["set", "repeat", "for", "include"]
    private static let maximumRounds = 1000

    /// Reads a sequence of steps, with loops and included files written out.
    mutating func steps(_ node: ScenarioNode) throws(ScenarioError) -> [Step] {
        guard case .sequence(let elements) = node.content else {
            throw ScenarioError(node.place, "steps: a sequence of steps is expected, not \(node.found)")
        }
        var steps: [Step] = []
        for element in elements { steps += try step(element) }
        return steps
    }

    private mutating func step(_ node: ScenarioNode) throws(ScenarioError) -> [Step] {
        guard let entries = node.entries, let head = entries.first else {
            throw ScenarioError(
                node.place,
                "a step is a mapping whose first key is what is done, such as {message: Hi, from: bob, to: alice}, "
                    + "not \(node.found)"
            )
        }
        count += 1
        guard count <= Self.maximumSteps else {
            throw ScenarioError(node.place, "more than \(Self.maximumSteps) steps")
        }
        let rest = Array(entries.dropFirst())
        switch head.key {
        case "set": return [try set(head, rest)]
        case "repeat": return try rounds(head, rest)
        case "for": return try loop(head, rest)
        case "include": return try include(head, rest)
        case _ where Self.expecting.contains(head.key): return [try expectation(head, rest)]
        default:
            guard let verb = Verb.named(head.key) else {
                let known = Verb.all.map(\.name) + Self.expecting + Self.structure
                let hint = Suggestion.text(for: head.key, among: known)
                throw ScenarioError(
                    head.place,
                    "unknown step \(head.key)\(hint); known are \(known.joined(separator: ", "))"
                )
            }
            return [try action(verb, head, rest)]
        }
    }

    private mutating func set(_ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry]) throws(ScenarioError)
        -> Step
    {
        if let extra = rest.first { throw unknown(extra, "key", among: ["set"]) }
        guard let entries = head.value.entries, !entries.isEmpty else {
            throw ScenarioError(
                head.value.place,
                "set: a mapping of names and values is expected, not \(head.value.found)"
            )
        }
        var values = JSONObject()
        for entry in entries {
            values.append(entry.key, try json(entry.value, of: entry.key))
            try declare(variable: entry.key, at: entry.place)
        }
        return Step(kind: .set(values), place: head.place, note: nil, saves: [])
    }

    private mutating func rounds(_ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        throws(ScenarioError) -> [Step]
    {
        let kind = ValueKind.count(1...Int64(Self.maximumRounds))
        guard let times = try value(head.value, as: kind, of: "repeat").intValue else {
            throw ScenarioError(
                head.value.place,
                "repeat: \(kind.expected) is expected, not \(head.value.found): loops are written out before "
                    + "anything is played, and only those around this one have values then"
            )
        }
        let body = try body(of: head, rest, beside: [])
        let numbers = (1...times).map { number in
            ScenarioNode(.integer(number, text: String(number)), at: head.value.place)
        }
        return try unroll(body, variable: "round", values: numbers)
    }

    private mutating func loop(_ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry]) throws(ScenarioError)
        -> [Step]
    {
        let variable = try text(head.value, of: "for")
        if let owner = problem(ofVariable: variable) { throw ScenarioError(head.value.place, owner) }
        let body = try body(of: head, rest, beside: ["in"])
        guard let values = rest.first(where: { $0.key == "in" }) else {
            throw ScenarioError(head.place, "for: in is missing, the values that \(variable) takes")
        }
        guard case .sequence(let elements) = values.value.content,
            (1...Self.maximumRounds).contains(elements.count)
        else {
            throw ScenarioError(
                values.value.place,
                "in: a sequence of 1 to \(Self.maximumRounds) values is expected, not \(values.value.found)"
            )
        }
        return try unroll(body, variable: variable, values: elements)
    }

    private func body(of head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry], beside others: [String])
        throws(ScenarioError) -> ScenarioNode
    {
        for entry in rest where entry.key != "steps" && !others.contains(entry.key) {
            throw unknown(entry, "key", among: others + ["steps"])
        }
        guard let steps = rest.first(where: { $0.key == "steps" }) else {
            throw ScenarioError(head.place, "\(head.key): steps is missing")
        }
        return steps.value
    }

    private mutating func unroll(_ body: ScenarioNode, variable: String, values: [ScenarioNode])
        throws(ScenarioError) -> [Step]
    {
        var steps: [Step] = []
        for value in values {
            let round = try body.replacing(variable, by: value, in: &room)
            steps += try self.steps(round)
        }
        return steps
    }

    private mutating func include(_ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        throws(ScenarioError) -> [Step]
    {
        if let extra = rest.first { throw unknown(extra, "key", among: ["include"]) }
        let name = try text(head.value, of: "include")
        let root = try load(name, head.value.place)
        guard !including.contains(root.place.file) else {
            let way = (including + [root.place.file]).joined(separator: ", ")
            throw ScenarioError(head.value.place, "include: the files include each other: \(way)")
        }
        guard including.count < Self.maximumInclusions else {
            throw ScenarioError(head.value.place, "include: deeper than \(Self.maximumInclusions) files")
        }
        including.append(root.place.file)
        defer { including.removeLast() }
        guard let entries = root.entries else { return try steps(root) }
        var found: [Step] = []
        for entry in entries {
            switch entry.key {
            case "parties": try declare(entry.value)
            case "steps": found = try steps(entry.value)
            default: throw unknown(entry, "key", among: ["parties", "steps"])
            }
        }
        return found
    }

    private mutating func action(_ verb: Verb, _ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        throws(ScenarioError) -> Step
    {
        var common = CommonKeys(isSending: ["message", "transfer", "signal"].contains(verb.name))
        let principal = try value(head.value, as: verb.principal, of: verb.name)
        var members = JSONObject()
        for entry in rest {
            if common.take(entry) { continue }
            if let form = verb.members.first(where: { $0.name == entry.key }) {
                members.append(entry.key, try value(entry.value, as: form.kind, of: entry.key))
            } else if verb.isOpen {
                members.append(entry.key, try json(entry.value, of: entry.key))
            } else {
                throw unknown(entry, "key", among: verb.members.map(\.name) + common.names)
            }
        }
        if let missing = verb.members.first(where: { $0.isRequired && members[$0.name] == nil }) {
            throw ScenarioError(
                head.place,
                "\(verb.name): \(missing.name) is missing, \(missing.kind.expected)"
            )
        }
        let label = try common.label.map { entry throws(ScenarioError) in try text(entry.value, of: "as") }
        let isExternal = isExternal(verb, principal, members)
        if isExternal, let label = common.label {
            throw ScenarioError(label.place, "as: the transaction of an external party cannot be named")
        }
        let action = Action(
            verb: verb,
            principal: principal,
            members: members,
            label: label,
            refusal: try common.refusal.map { entry throws(ScenarioError) in
                try text(entry.value, of: "refused")
            },
            isExternal: isExternal
        )
        try check(action, head, rest)
        try declareNames(of: action, head)
        if let entry = common.label, let label { try declare(transaction: label, at: entry.value.place) }
        return Step(
            kind: .act(action),
            place: head.place,
            note: try note(common),
            saves: try saves(common.saving)
        )
    }

    /// The words that a story has in place of a sentence made of the step.
    func note(_ common: CommonKeys) throws(ScenarioError) -> String? {
        try common.note.map { entry throws(ScenarioError) in try text(entry.value, of: "note") }
    }

    /// The variables that take parts of an answer.
    mutating func saves(_ entry: ScenarioNode.Entry?) throws(ScenarioError) -> [Step.Saving] {
        guard let entry else { return [] }
        guard let entries = entry.value.entries, !entries.isEmpty else {
            throw ScenarioError(
                entry.value.place,
                "save: a mapping such as {push: id} is expected, not \(entry.value.found)"
            )
        }
        var saves: [Step.Saving] = []
        for entry in entries {
            let path = try text(entry.value, of: entry.key)
            try declare(variable: entry.key, at: entry.place)
            saves.append(
                Step.Saving(
                    variable: entry.key,
                    path: path == "." ? [] : path.split(separator: ".").map(String.init)
                )
            )
        }
        return saves
    }

    private func isExternal(_ verb: Verb, _ principal: JSONValue, _ members: JSONObject) -> Bool {
        let actors: [String?]
        switch verb.name {
        case "message", "transfer", "signal", "push": actors = [members["from"]?.stringValue]
        case "ans": actors = ["ans"]
        case "token": actors = []
        default: actors = verb.principal == .device ? [principal.stringValue] : []
        }
        return actors.contains { $0.flatMap(names.external) != nil }
    }

    private func problem(ofVariable name: String) -> String? {
        let letters = name.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
                true
            default: false
            }
        }
        guard letters, !name.isEmpty else { return "'\(name)': a name is letters, digits, - and _" }
        return name == "seed" ? "seed is the world's" : nil
    }

    /// Takes note of a variable; a second value in its place is no mistake.
    private mutating func declare(variable name: String, at place: ScenarioPlace) throws(ScenarioError) {
        if let problem = problem(ofVariable: name) { throw ScenarioError(place, problem) }
        if !names.variables.contains(name) { names.variables.append(name) }
    }

    private mutating func declare(transaction name: String, at place: ScenarioPlace) throws(ScenarioError) {
        if let problem = problem(ofVariable: name) { throw ScenarioError(place, "as: \(problem)") }
        guard !names.transactions.contains(name) else {
            throw ScenarioError(place, "as: there is a transaction \(name) already")
        }
        names.transactions.append(name)
    }
}

/// The keys that may stand beside those of any verb.
struct CommonKeys {
    let isSending: Bool
    private(set) var label: ScenarioNode.Entry?
    private(set) var refusal: ScenarioNode.Entry?
    private(set) var note: ScenarioNode.Entry?
    private(set) var saving: ScenarioNode.Entry?

    init(isSending: Bool) {
        self.isSending = isSending
    }

    /// Their names.
    var names: [String] { (isSending ? ["as"] : []) + ["refused", "note", "save"] }

    /// Takes an entry that is one of them.
    mutating func take(_ entry: ScenarioNode.Entry) -> Bool {
        switch entry.key {
        case "as" where isSending: label = entry
        case "refused": refusal = entry
        case "note": note = entry
        case "save": saving = entry
        default: return false
        }
        return true
    }
}
