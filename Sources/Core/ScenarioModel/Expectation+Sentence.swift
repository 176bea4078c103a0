import JSONValue

extension Expectation {
    /// The expectation as a sentence.
    public var sentence: String {
        switch self {
        case .registered(let device, let account, let yes):
            yes
                ? "the chain has \(device) registered for \(account)"
                : "the chain does not have \(device) registered for \(account)"
        case .ansKnows(let device, let yes):
            yes ? "the ANS has a row for \(device)" : "the ANS has no row for \(device)"
        case .believesRegistered(let device, let yes):
            yes ? "\(device) believes it is registered" : "\(device) knows it is not registered"
        case .queuedRemovals(let device, let count):
            count == 1
                ? "\(device) keeps one removal for another try"
                : "\(device) keeps \(count == 0 ? "no" : String(count)) removals for another try"
        case .banner(let device, let text): "\(device) shows “\(text)”"
        case .push(let device, let status, let reason):
            "APNs answers a push to \(device) with \(status)" + (reason.map { " \($0)" } ?? "")
        case .refused(let account, let text): "a node refuses \(account): “\(text)”"
        }
    }
}

extension Action {
    /// The action as a sentence.
    public var sentence: String {
        switch self {
        case .makeDevice(let name, let behaviour, let owner):
            "\(name) (\(behaviour)) is switched on" + (owner.map { ", \($0) signs in" } ?? "")
        case .device(let name, let action, let members):
            "\(name): \(action)" + (members["account"]?.stringValue.map { " of \($0)" } ?? "")
        case .send(let kind, let from, let to, let message, let amount):
            "\(from) sends \(to) a \(kind)" + (message.map { " “\($0)”" } ?? "")
                + (amount.map { " of \($0) units" } ?? "")
        case .addFault(let rule): "fault: \(rule["name"]?.stringValue ?? "a rule") is set"
        case .clearFaults: "all faults are taken away"
        case .setToken(let device, let state): "APNs holds the token of \(device) for \(state)"
        case .ans(let members):
            "the ANS is changed: "
                + members.members.map { "\($0.key) \($0.value.text)" }.joined(separator: ", ")
        case .pollANS: "the ANS polls"
        case .forge(let blocks): "\(blocks) block\(blocks == 1 ? " is" : "s are") made"
        }
    }
}
