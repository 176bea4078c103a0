import JSONValue

extension Expectation {
    /// The expectation as a sentence.
    public var sentence: String {
        let texts = claims.map { $0.sentence(isSo: amount != .exactly(0)) }
        let text = isOrdered ? "in this order: " + texts.joined(separator: "; ") : texts.joined()
        switch mode {
        case .never(let milliseconds): return "never for \(milliseconds) ms: \(text)"
        case .becomes: return text + times
        }
    }

    private var times: String {
        switch amount {
        case .atLeast(1), .exactly(0): ""
        case .exactly(1): ", once and not again"
        case .exactly(let number): ", \(number.plainText) times and not again"
        case .atLeast(let number): ", \(number.plainText) times or more"
        }
    }
}

extension Claim {
    /// What the claim's principal is called.
    private var who: String { Self.text(principal) }

    /// The claim, or its opposite, as a sentence.
    func sentence(isSo: Bool) -> String {
        let negative = isSo ? "" : "no sign that "
        switch subject.source {
        case .registry:
            let device = principal.isNull ? "a device" : who
            return
                (isSo ? "the chain has \(device) registered" : "the chain does not have \(device) registered")
                + (told("account").map { " for \($0)" } ?? "") + rest(["account"])
        case .ansRows:
            return (isSo ? "the ANS has a row for " : "the ANS has no row for ")
                + (principal.isNull ? "any device" : who) + (told("account").map { " of \($0)" } ?? "")
                + rest(["account"])
        case .device: return negative + device
        case .pushes: return negative + push
        case .banners: return negative + "\(who) shows \(banner)" + rest(["text", "title", "body"])
        default: return negative + other
        }
    }

    private var banner: String {
        let texts = ["title", "body", "text"].compactMap { told($0) }
        return texts.isEmpty ? "a banner" : "“" + texts.joined(separator: ": ") + "”"
    }

    private var push: String {
        let device = principal.isNull ? "any device" : who
        guard let status = told("status") else { return "APNs gets a push to \(device)" + rest([]) }
        let reason = told("reason").map { " " + $0 } ?? ""
        return "APNs answers a push to \(device) with \(status)\(reason)" + rest(["status", "reason"])
    }

    private var device: String {
        let texts = conditions.map { condition -> String in
            switch (condition.member.name, condition.pattern) {
            case ("believesRegistered", .bool(let yes)):
                return yes ? "believes it is registered" : "knows it is not registered"
            case ("queuedRemovals", .number):
                let count = condition.pattern.intValue ?? 0
                let number = count == 1 ? "one removal" : "\(count == 0 ? "no" : String(count)) removals"
                return "keeps \(number) for another try"
            default: return "has \(condition.member.name) \(Self.text(condition.pattern))"
            }
        }
        return texts.isEmpty ? "\(who) is there" : "\(who) " + texts.joined(separator: " and ")
    }

    private var other: String {
        switch subject.source {
        case .transactions:
            let name = principal.isNull ? "a transaction" : who
            return told("state").map { "\(name) is \($0)" + rest(["state"]) } ?? "\(name) is on its way"
                + rest([])
        case .held: return (principal.isNull ? "a transaction" : who) + " is held back" + rest([])
        case .unshown: return "\(who) gets a push of which its user sees nothing" + rest([])
        case .events: return "the journal tells of \(who)" + rest([])
        case .findings: return "the audit finds \(principal.isNull ? "anything" : who)" + rest([])
        case .requests: return (principal.isNull ? "a node" : who) + " gets a call" + rest([])
        case .height: return "the chain is at height \(who)"
        case .ans: return "the ANS has \(who)"
        case .answer: return "the answer has \(who)"
        case .trace: return "the trace of \(who) has" + rest([], first: " ")
        default: return "\(who) has" + rest([], first: " ")
        }
    }

    private func told(_ member: String) -> String? {
        conditions.first { $0.member.name == member }.map { Self.text($0.pattern) }
    }

    /// All that is said beside some members.
    private func rest(_ known: [String], first: String = ", ") -> String {
        let texts = conditions.filter { !known.contains($0.member.name) }
            .map { "\($0.member.name) \(Self.text($0.pattern))" }
        return texts.isEmpty ? "" : first + texts.joined(separator: ", ")
    }

    /// A value or pattern in words.
    private static func text(_ pattern: JSONValue) -> String {
        guard let object = pattern.objectValue else {
            return pattern.isNull ? "nothing" : pattern.plainText
        }
        return object.members.map { "\($0.key) \(text($0.value))" }.joined(separator: " and ")
    }
}
