import JSONValue

extension ScenarioReader {
    private static let limit = 5000
    private static let quiet = 1000
    /// How long an exact number has to stay what it is.
    private static let settled = 300
    private static let longest = 600_000

    /// Reads a step that expects something.
    mutating func expectation(_ head: ScenarioNode.Entry, _ rest: [ScenarioNode.Entry]) throws(ScenarioError)
        -> Step
    {
        let isNever = head.key == "never"
        let known =
            switch head.key {
            case "never": ["for", "note"]
            case "expect no": ["within", "for", "note"]
            default: ["within", "for", "exactly", "at least", "note", "save"]
            }
        var common = CommonKeys(isSending: false)
        var times: [String: Int] = [:]
        var amount = head.key == "expect no" ? Expectation.Amount.exactly(0) : .atLeast(1)
        for entry in rest {
            guard known.contains(entry.key) else { throw unknown(entry, "key", among: known) }
            switch entry.key {
            case "within", "for": times[entry.key] = try time(entry)
            case "exactly": amount = .exactly(try number(entry))
            case "at least": amount = .atLeast(try number(entry))
            default: _ = common.take(entry)
            }
        }
        let (claims, isOrdered) = try claims(head)
        if let extra = rest.first(where: { ["exactly", "at least"].contains($0.key) }),
            isOrdered || claims.contains(where: { $0.subject.isSingle })
        {
            throw ScenarioError(
                extra.place,
                "\(extra.key): it is one thing that is so or not; it cannot be counted"
            )
        }
        let stays = times["for"] ?? (amount == .atLeast(1) || head.key == "expect no" ? 0 : Self.settled)
        let expectation = Expectation(
            claims: claims,
            amount: amount,
            mode: isNever
                ? .never(forMilliseconds: times["for"] ?? Self.quiet)
                : .becomes(withinMilliseconds: times["within"] ?? Self.limit, staysMilliseconds: stays),
            isOrdered: isOrdered
        )
        return Step(
            kind: .expect(expectation),
            place: head.place,
            note: try note(common),
            saves: try saves(common.saving)
        )
    }

    private func time(_ entry: ScenarioNode.Entry) throws(ScenarioError) -> Int {
        let milliseconds = Int(try value(entry.value, as: .duration, of: entry.key).intValue ?? 0)
        guard milliseconds <= Self.longest else {
            throw ScenarioError(
                entry.value.place,
                "\(entry.key): a time up to \(Quantity.duration(Self.longest)) is expected, not \(entry.value.found)"
            )
        }
        return milliseconds
    }

    private func number(_ entry: ScenarioNode.Entry) throws(ScenarioError) -> JSONValue {
        try value(entry.value, as: Expectation.number, of: entry.key)
    }

    private func claims(_ head: ScenarioNode.Entry) throws(ScenarioError) -> ([Claim], isOrdered: Bool) {
        guard let entries = head.value.entries, let first = entries.first else {
            throw ScenarioError(
                head.value.place,
                "\(head.key): a mapping such as {push: phone, status: 200} is expected, not \(head.value.found)"
            )
        }
        guard first.key == "in order" else { return ([try claim(entries, in: head.value)], false) }
        guard head.key == "expect" else {
            throw ScenarioError(first.place, "in order: it goes with expect alone")
        }
        if let extra = entries.dropFirst().first { throw unknown(extra, "key", among: ["in order"]) }
        guard case .sequence(let elements) = first.value.content, elements.count > 1 else {
            throw ScenarioError(
                first.value.place,
                "in order: a sequence of two or more is expected, not \(first.value.found)"
            )
        }
        var claims: [Claim] = []
        for element in elements {
            let claim = try claim(element.entries ?? [], in: element)
            guard claim.subject.hasOrder else {
                let names = Subject.all.filter(\.hasOrder).map(\.name).joined(separator: ", ")
                throw ScenarioError(
                    element.place,
                    "in order: only \(names) have an order, not \(claim.subject.name)"
                )
            }
            claims.append(claim)
        }
        return (claims, true)
    }

    private func claim(_ entries: [ScenarioNode.Entry], in node: ScenarioNode) throws(ScenarioError) -> Claim
    {
        guard let head = entries.first else {
            throw ScenarioError(
                node.place,
                "a mapping such as {push: phone, status: 200} is expected, not \(node.found)"
            )
        }
        guard let subject = Subject.named(head.key) else {
            let known = Subject.all.map(\.name)
            let hint = Suggestion.text(for: head.key, among: known + ["in order"])
            throw ScenarioError(
                head.place,
                "nothing is known of \(head.key)\(hint); what can be expected is "
                    + known.joined(separator: ", ")
            )
        }
        let kind = subject.principal.kind
        let principal =
            subject.isChosen
            ? try value(head.value, as: kind, of: subject.name)
            : try pattern(head.value, as: kind, of: subject.name)
        try checkSight(of: principal, subject, head)
        var conditions: [Claim.Condition] = []
        for entry in entries.dropFirst() {
            let member: Member
            if let form = subject.members.first(where: { $0.name == entry.key }) {
                member = form
            } else if subject.isOpen {
                member = Member(entry.key, .json)
            } else {
                throw unknown(entry, "key", among: subject.members.map(\.name))
            }
            let pattern = try pattern(entry.value, as: member.kind, of: entry.key)
            conditions.append(Claim.Condition(member: member, pattern: pattern))
        }
        return Claim(
            subject: subject,
            principal: principal == "any" ? .null : principal,
            conditions: conditions
        )
    }

    /// Of an external device only its token is known, and of an external service nothing.
    private func checkSight(of principal: JSONValue, _ subject: Subject, _ head: ScenarioNode.Entry)
        throws(ScenarioError)
    {
        let name = principal.stringValue ?? ""
        switch subject.source {
        case .device, .banners, .unshown:
            guard names.external(name) != nil else { return }
            throw ScenarioError(
                head.value.place,
                "\(subject.name): \(name) is external; nobody here sees its screen or its state"
            )
        case .ansRows, .ans:
            guard names.external("ans") != nil else { return }
            throw ScenarioError(head.place, "\(subject.name): ans is external; its rows are not known here")
        default: return
        }
    }
}
