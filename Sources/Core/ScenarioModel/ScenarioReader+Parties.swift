import JSONValue

extension ScenarioReader {
    private static let serviceMembers = [
        Member("topic", .text), Member("environment", .word(Verb.environments)),
    ]
    /// What tells an external device's token where the chain does not.
    private static let externalMembers = [
        Member("owner", .account), Member("token", .text), Member("topic", .text),
        Member("environment", .word(Verb.environments)),
    ]

    /// Reads the parties of a file.
    mutating func declare(_ node: ScenarioNode) throws(ScenarioError) {
        if case .null = node.content { return }
        guard let entries = node.entries else {
            throw ScenarioError(node.place, "parties: a mapping of names is expected, not \(node.found)")
        }
        for entry in entries { names.add(try party(entry)) }
    }

    private func party(_ entry: ScenarioNode.Entry) throws(ScenarioError) -> Party {
        let kinds = Party.Kind.allCases.map(\.rawValue)
        guard let members = entry.value.entries, let head = members.first else {
            throw ScenarioError(
                entry.value.place,
                "\(entry.key): a mapping such as {device: simulated, owner: alice} is expected, "
                    + "not \(entry.value.found)"
            )
        }
        guard let kind = Party.Kind(rawValue: head.key) else {
            let hint = Suggestion.text(for: head.key, among: kinds)
            throw ScenarioError(
                head.place,
                "\(entry.key): its first key tells what it is, \(kinds.joined(separator: ", ")), "
                    + "not \(head.key)\(hint)"
            )
        }
        let words = ["simulated", "external"]
        let driver = try value(head.value, as: .word(words), of: kind.rawValue)
        let isExternal = driver.stringValue == "external"
        if let problem = problem(ofName: entry.key, kind) { throw ScenarioError(entry.place, problem) }
        var object = JSONObject()
        let known = Self.members(of: kind, isExternal: isExternal)
        for member in members.dropFirst() {
            guard let form = known.first(where: { $0.name == member.key }) else {
                throw unknown(member, "key", among: [kind.rawValue] + known.map(\.name))
            }
            object[member.key] = try value(member.value, as: form.kind, of: member.key)
        }
        return Party(
            name: entry.key,
            kind: kind,
            isExternal: isExternal || external.contains(entry.key),
            members: object,
            place: entry.place
        )
    }

    private func problem(ofName name: String, _ kind: Party.Kind) -> String? {
        if name.isEmpty || name == "any" || name == "all" { return "'\(name)' cannot be the name of a party" }
        if let owner = names.owner(of: name) { return owner }
        guard ScenarioNames.standardAccounts.contains(name) else { return nil }
        // The notification service has an account of its name, and an account of every world can be external.
        return (name == "ans") == (kind == .service) && kind != .device
            ? nil : "\(name) is taken: every world has an account of this name"
    }

    static func members(of kind: Party.Kind, isExternal: Bool) -> [Member] {
        switch (kind, isExternal) {
        case (.device, false): Verb.deviceMembers
        case (.device, true): externalMembers
        case (.account, false): Verb.accountMembers
        case (.account, true): []
        case (.service, _): serviceMembers
        }
    }
}
