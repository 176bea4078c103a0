import AdamantModel

/// What can be called by a name at a point of a story.
struct ScenarioNames {
    /// What a name that stands in front of a point can be asked for.
    private static let attributes: [(kind: String, names: [String])] = [
        ("device", ["id", "token"]), ("account", ["address"]), ("node", ["url"]),
        ("world", ["control", "production", "sandbox", "caFile"]),
    ]
    /// Accounts that every world has.
    static let standardAccounts = TestAccounts.all.map(\.name)

    /// The nodes of the world.
    var nodes: [String]
    private(set) var parties: [Party] = []
    /// Devices and accounts that steps make.
    private var made: [(name: String, kind: Party.Kind)] = []
    /// What steps have named: transactions, snapshots and faults, and variables.
    var transactions: [String] = []
    var snapshots: [String] = []
    var faults: [String] = []
    var variables = ["seed"]

    init(nodes: [String]) {
        self.nodes = nodes
    }

    /// The names of a kind.
    func names(_ kind: Party.Kind) -> [String] {
        parties.filter { $0.kind == kind }.map(\.name) + made.filter { $0.kind == kind }.map(\.name)
            + (kind == .account ? Self.standardAccounts : [])
    }

    /// The party of a name that somebody else drives; nil for all others.
    func external(_ name: String) -> Party? { parties.first { $0.name == name && $0.isExternal } }

    /// What a name stands for already, for an error; nil when it is free.
    func owner(of name: String) -> String? {
        if let party = parties.first(where: { $0.name == name }) {
            return "\(name) is there already, in line \(party.place.line)"
        }
        if made.contains(where: { $0.name == name }) { return "\(name) is there already" }
        if nodes.contains(name) || name == "world" { return "\(name) is taken: every world has one" }
        return nil
    }

    mutating func add(_ party: Party) {
        parties.append(party)
    }

    /// Takes note of what a step makes.
    mutating func add(_ name: String, _ kind: Party.Kind) {
        made.append((name, kind))
    }

    /// What is wrong with the `${…}` of a text; nil when all of them stand for something.
    func problem(inReferencesOf text: String) -> String? {
        var rest = text[...]
        while let start = rest.firstRange(of: "${") {
            rest = rest[start.upperBound...]
            guard let end = rest.firstIndex(of: "}") else { return "'${' is not closed by '}'" }
            if let problem = problem(in: String(rest[..<end])) { return problem }
            rest = rest[rest.index(after: end)...]
        }
        return nil
    }

    private func problem(in reference: String) -> String? {
        let parts = reference.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let known = variables + transactions
        if parts.count == 1, known.contains(name) { return nil }
        guard let kind = kind(of: name) else {
            let all = known + names(.device) + names(.account) + nodes + ["world"]
            return "there is no ${\(reference)}\(Suggestion.text(for: name, among: all))"
        }
        let attributes = Self.attributes.first { $0.kind == kind }?.names ?? []
        guard parts.count == 2, attributes.contains(String(parts[1])) else {
            let choices = attributes.map { "${\(name).\($0)}" }.joined(separator: ", ")
            return "there is no ${\(reference)}; of the \(kind) \(name) there is \(choices)"
        }
        return nil
    }

    private func kind(of name: String) -> String? {
        if names(.device).contains(name) { return "device" }
        if names(.account).contains(name) { return "account" }
        if nodes.contains(name) { return "node" }
        return name == "world" ? "world" : nil
    }
}
