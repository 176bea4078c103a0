import JSONValue

extension Step {
    /// What the step does, as a sentence.
    public var sentence: String {
        if let note { return note }
        return switch kind {
        case .act(let action): action.sentence
        case .expect(let expectation): expectation.sentence
        case .set(let values):
            values.members.map { "\($0.key) is \($0.value.plainText)" }.joined(separator: ", ")
        }
    }
}

extension JSONValue {
    /// The text of a string, or the JSON of anything else.
    var plainText: String { stringValue ?? text }
}

extension Action {
    /// The action as a sentence.
    public var sentence: String {
        let text = plainSentence
        guard isExternal else { return text }
        return "somebody has to do it, since this party is external: \(text)"
    }

    private var plainSentence: String {
        switch verb.name {
        case "message", "transfer", "signal": sending
        case "device":
            "\(subject) (\(told("behaviour") ?? "as-deployed")) is switched on"
                + (told("owner").map { ", \($0) signs in" } ?? "")
        case "sign-in", "block", "unblock": "\(subject): \(verb.name) of \(told("account") ?? "")"
        case "quiet": "\(subject): quiet from \(told("from") ?? "") to \(told("to") ?? "")"
        case "test-push": "a test push is sent to \(subject)"
        case "token": "APNs holds the token of \(subject) for \(told("state") ?? "")"
        case "fault": "fault: \(subject) is set"
        case "preset": "the faults of the preset \(subject) are set"
        case "clear": subject == "faults" ? "all faults are taken away" : "fault: \(subject) is taken away"
        case "account": "the account \(subject) is made"
        case "fund": "\(subject) is given \(Self.adm(members["amount"])) ADM"
        case "release": "\(subject == "all" ? "what is held back" : subject) is let go"
        case "push": push
        case "call": "\(principal["method"]?.stringValue ?? "POST") \(principal["path"]?.stringValue ?? "")"
        case "ans": service
        case "apns": "APNs is changed: \(Self.list(principal))"
        case "forge", "reorg", "snapshot", "revert", "forging", "advance", "clock", "node": chain
        default: "\(subject): \(verb.name)"
        }
    }

    private func told(_ member: String) -> String? { members[member]?.plainText }

    private var sending: String {
        let from = told("from") ?? ""
        let to = told("to") ?? "ans"
        let text =
            switch verb.name {
            case "message": "a message “\(subject)”"
            case "transfer": "a transfer of \(Self.adm(principal)) ADM"
            default:
                members["device"] == nil
                    ? "a signal “\(subject)”" : "a signal to \(subject) \(told("device") ?? "")"
            }
        return "\(from) sends \(to) \(text)"
    }

    private var push: String {
        let text = told("title") ?? told("body") ?? "a payload"
        return "\(told("from") ?? "") pushes “\(text)” to \(subject)"
    }

    private var service: String {
        let pace = members["every"]?.intValue.map { ", each \(Quantity.duration(Int($0)))" } ?? ""
        return switch subject {
        case "start": "the ANS is started"
        case "stop": "the ANS is stopped"
        case "poll": "the ANS polls"
        default: "the ANS behaves \(subject)\(pace)"
        }
    }

    private var chain: String {
        let pace = members["every"]?.intValue.map { ", each \(Quantity.duration(Int($0)))" } ?? ""
        let number = principal.intValue ?? 0
        return switch verb.name {
        case "forge": "\(subject) block\(number == 1 ? " is" : "s are") made"
        case "reorg": "a fork replaces the newest \(number == 1 ? "block" : "\(subject) blocks")"
        case "snapshot": "the snapshot \(subject) is taken"
        case "revert": "the chain goes back to the snapshot \(subject)"
        case "forging": "blocks are made by the mode \(subject)\(pace)"
        case "advance": "the clock goes on by \(Quantity.duration(Int(number)))"
        case "clock":
            ["frozen", "running"].contains(subject)
                ? "the clock is \(subject)" : "the clock is set to \(subject)"
        default: "\(subject) is changed: \(Self.list(.object(members)))"
        }
    }

    private static func adm(_ units: JSONValue?) -> String {
        let text = units?.plainText ?? ""
        return UInt64(text).map(Quantity.adm) ?? text
    }

    private static func list(_ object: JSONValue) -> String {
        (object.objectValue?.members ?? []).map { "\($0.key) \($0.value.plainText)" }.joined(separator: ", ")
    }
}
