import FaultRules
public import JSONValue

/// What only some verbs ask for.
extension ScenarioReader {
    /// Names that stand for addresses and tokens in the matchers of a fault.
    static let accountMatchers = ["sender", "recipient"]

    /// Checks what the members of an action mean together.
    func check(_ action: Action, _ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        throws(ScenarioError)
    {
        switch action.verb.name {
        case "fault", "preset": try checkFault(action, head, rest)
        case "call": try checkCall(action, head)
        case "signal": try checkSignal(action, head)
        case "push": try checkPush(action, head)
        case "test-push" where action.isExternal:
            throw ScenarioError(
                head.value.place,
                "test-push: \(action.subject) is external; nobody here sees its screen"
            )
        default: break
        }
    }

    /// Takes note of what an action makes.
    mutating func declareNames(of action: Action, _ head: ScenarioNode.Entry) throws(ScenarioError) {
        let name = action.subject
        switch action.verb.name {
        case "device", "account":
            let kind: Party.Kind = action.verb.name == "device" ? .device : .account
            let isStandard = ScenarioNames.standardAccounts.contains(name)
            if let owner = names.owner(of: name) ?? (isStandard ? "every world has an account \(name)" : nil)
            {
                throw ScenarioError(head.value.place, "\(action.verb.name): \(owner)")
            }
            names.add(name, kind)
        case "snapshot":
            guard !names.snapshots.contains(name) else {
                throw ScenarioError(head.value.place, "snapshot: there is a snapshot \(name) already")
            }
            names.snapshots.append(name)
        case "fault", "preset":
            if !names.faults.contains(name) { names.faults.append(name) }
        default: break
        }
    }

    /// A rule is read as a world reads it, with stand-ins for what has no value yet.
    private func checkFault(_ action: Action, _ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        throws(ScenarioError)
    {
        if action.verb.name == "preset", FaultPreset.named(action.subject) == nil {
            let hint = Suggestion.text(for: action.subject, among: FaultPreset.all.map(\.name))
            throw ScenarioError(
                head.value.place,
                "preset: there is no preset \(action.subject)\(hint); Docs/faults.md lists them"
            )
        }
        let match = rest.first { $0.key == "match" }?.value.entries ?? []
        for entry in match {
            if Self.accountMatchers.contains(entry.key) {
                _ = try value(entry.value, as: .account, of: entry.key)
            } else if entry.key == "transactionId" {
                _ = try value(entry.value, as: .transaction, of: entry.key)
            } else if entry.key == "token", !Self.isToken(entry.value) {
                _ = try value(entry.value, as: .device, of: entry.key)
            }
        }
        let rule = action.posted { member, _ in
            switch member {
            case "token": .string(String(repeating: "0", count: 64))
            case "transactionId": "1"
            default: "U1"
            }
        }
        guard !rule.text.contains("${") else { return }
        var book = FaultBook(seed: 0, nodeNames: names.nodes)
        do throws(FaultRuleError) {
            _ = try book.post(rule, canReadSignals: true)
        } catch {
            throw ScenarioError(place(of: error.field, head, rest), "\(action.verb.name): \(error)")
        }
    }

    /// Where a member of a rule stands: the deepest key of `match.node` that there is.
    private func place(of field: String?, _ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry])
        -> ScenarioPlace
    {
        var place = head.place
        var entries = rest
        for key in (field ?? "").split(separator: ".") {
            guard let entry = entries.first(where: { $0.key == key }) else { break }
            place = entry.place
            entries = entry.value.entries ?? []
        }
        return place
    }

    /// Whether a matcher holds a token itself and not the name of its device.
    private static func isToken(_ node: ScenarioNode) -> Bool {
        node.scalarText.map { $0.utf8.count >= 64 && $0.allSatisfy(\.isHexDigit) } ?? false
    }

    private func checkCall(_ action: Action, _ head: ScenarioNode.Entry) throws(ScenarioError) {
        let entries = head.value.entries ?? []
        for entry in entries where !["method", "path", "body"].contains(entry.key) {
            throw unknown(entry, "key", among: ["method", "path", "body"])
        }
        guard let path = entries.first(where: { $0.key == "path" }) else {
            throw ScenarioError(head.place, "call: path is missing, such as /v1/reset")
        }
        guard path.value.scalarText?.hasPrefix("/") == true else {
            throw ScenarioError(
                path.value.place,
                "path: a path such as /v1/reset is expected, not \(path.value.found)"
            )
        }
        if let method = entries.first(where: { $0.key == "method" }) {
            _ = try value(
                method.value,
                as: .word(["GET", "POST", "PUT", "PATCH", "DELETE"]),
                of: "method"
            )
        }
    }

    private func checkSignal(_ action: Action, _ head: ScenarioNode.Entry) throws(ScenarioError) {
        let isPlain = ["add", "remove"].contains(action.subject)
        guard isPlain == (action.members["device"] != nil) else {
            throw ScenarioError(
                head.place,
                isPlain
                    ? "signal: device is missing, whose token is \(action.subject == "add" ? "added" : "removed")"
                    : "signal: device goes with add and remove; any other text is sent as it stands"
            )
        }
    }

    private func checkPush(_ action: Action, _ head: ScenarioNode.Entry) throws(ScenarioError) {
        let texts = ["title", "body", "level"].filter { action.members[$0] != nil }
        let hasPayload = action.members["payload"] != nil
        guard hasPayload != texts.isEmpty else { return }
        throw ScenarioError(
            head.place,
            hasPayload
                ? "push: payload is there, so \(texts.joined(separator: ", ")) cannot be"
                : "push: body is missing, or payload"
        )
    }
}

extension Action {
    /// A fault rule as the control API takes it, with names in the matchers replaced.
    ///
    /// `resolve` gives the value of a matcher that holds the name of a party or a transaction.
    public func posted(_ resolve: (_ member: String, _ name: JSONValue) -> JSONValue) -> JSONValue {
        var rule = JSONObject([(verb.name == "preset" ? "preset" : "name", principal)])
        for member in members.members {
            guard member.key == "match", let match = member.value.objectValue else {
                rule.append(member.key, member.value)
                continue
            }
            let named = ScenarioReader.accountMatchers + ["token", "transactionId"]
            let resolved = match.members.map { entry in
                (entry.key, named.contains(entry.key) ? resolve(entry.key, entry.value) : entry.value)
            }
            rule.append("match", .object(JSONObject(resolved)))
        }
        return .object(rule)
    }
}
