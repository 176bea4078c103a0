import AdamantLedger
import Determinism
import JSONValue
import Simulators

/// Why a transaction was pushed to one token once more.
public struct TraceRepeat: Hashable, Sendable {
    /// The kinds of reasons; raw values are the `repeatCode`s of the control API.
    public enum Code: String, Sendable, CaseIterable {
        case triedAgain = "tried-again"
        case fork
        case readFromStart = "read-from-start"
        case readAgain = "read-again"
        case pageShifted = "page-shifted"
        case registeredTwice = "registered-twice"
        case otherService = "other-service"
        case unknown
    }

    /// The kind.
    public let code: Code
    /// The reason in words.
    public let text: String
}

// Why one transaction made more than one push to a token.

extension Trace {
    /// Why a push repeats one before it to the same token; nil for the first.
    ///
    /// `served` are the answers to services that held the transaction.
    func reasonOfRepeat(_ push: TracedPush, _ served: [ListCall]) -> TraceRepeat? {
        let earlier = facts.pushes.filter { $0.seq < push.seq && $0.token == push.token }
        guard let before = earlier.last(where: \.isAccepted) ?? earlier.last else { return nil }
        guard before.isAccepted else {
            return TraceRepeat(code: .triedAgain, text: "APNs had answered \(before.answer) before")
        }
        let served = served.filter { $0.event < push.seq }
        let read = served.last { $0.event < before.seq }?.event ?? before.seq
        let forks = facts.events("transaction.reverted")
        if let fork = forks.last(where: { $0.seq > read && $0.seq < push.seq }) {
            let height = fork.data["height"]?.integer.map { " of height \($0)" } ?? ""
            let text = "a fork had rolled its block\(height) back, and the service read it again in another"
            return TraceRepeat(code: .fork, text: text)
        }
        return pagesReason(served)
            ?? readingAgain(served, before: before)
            ?? registeredTwice(push)
            ?? otherService(served)
            ?? TraceRepeat(code: .unknown, text: "nothing that was seen tells why")
    }

    /// The service was served it once more after the push before.
    private func readingAgain(_ served: [ListCall], before: TracedPush) -> TraceRepeat? {
        let known = served.filter { $0.event < before.seq }
        guard let call = served.first(where: { $0.event >= before.seq }) else { return nil }
        let probe = facts.lists.last {
            $0.isHeightProbe && $0.isOfSameCaller(as: call) && $0.number < call.number
        }
        guard let bound = call.query?.lowerBound else {
            let failed = probe.flatMap { probe in probe.isAnswered ? nil : probe }
            let why =
                failed.map { probe in
                    let fault = probe.faultId.map { " by fault \($0)" } ?? ""
                    return
                        ", since \(probe.node) had answered its question for the newest height\(fault) without one"
                } ?? ""
            let text =
                "\(call.caller) asked without a height, and so read the whole chain\(why): \(call.target)"
            return TraceRepeat(code: .readFromStart, text: text)
        }
        guard known.isEmpty || known.contains(where: { $0.isOfSameCaller(as: call) }) else { return nil }
        let death = facts.registration.serviceNotes.last {
            $0.kind == "ans.died" && $0.seq >= known.last?.event ?? 0 && $0.seq <= call.event
        }
        let why =
            death.map { ", since it had died before it noted the height: \($0.text)" }
            ?? (probe.map { $0.event >= before.seq } ?? false ? ", as it does when it starts" : "")
        let kind = bound.isExclusive ? "exclusive" : "inclusive"
        let text = "\(call.caller) asked again from height \(bound.stated) \(kind)\(why): \(call.target)"
        return TraceRepeat(code: .readAgain, text: text)
    }

    /// Two pages of one list held it: blocks came in between and shifted what follows.
    private func pagesReason(_ served: [ListCall]) -> TraceRepeat? {
        guard let (first, second) = Self.neighbouringPages(served) else { return nil }
        let offsets = "\(first.query?.offset ?? 0) and \(second.query?.offset ?? 0)"
        let text =
            "it was on two pages of one list, at offsets \(offsets): a block came between the calls and shifted it"
        return TraceRepeat(code: .pageShifted, text: text)
    }

    /// Two calls for different pages of one list.
    private static func neighbouringPages(_ calls: [ListCall]) -> (ListCall, ListCall)? {
        for (first, second) in zip(calls, calls.dropFirst()) where first.isOfSameList(as: second) {
            return (first, second)
        }
        return nil
    }

    /// The service has two rows of the token.
    private func registeredTwice(_ push: TracedPush) -> TraceRepeat? {
        guard let token = push.token else { return nil }
        let signals = facts.registration.signals.filter { push.isFor($0.token ?? "") }
        let lastRemoval = signals.last { $0.action == .remove }?.height ?? 0
        let additions = signals.filter { $0.action == .add && $0.height >= lastRemoval }
        guard let last = additions.last else { return nil }
        if additions.count > 1 {
            let names = additions.map { signal in
                "\(signal.transaction) at \(signal.height) (\(signal.provider ?? "no provider"))"
            }
            let text = "token \(token.shortToken) was registered by \(names.joined(separator: " and by "))"
            return TraceRepeat(code: .registeredTwice, text: text + ", and the service has a row for each")
        }
        let others = facts.registration.otherPages[last.transaction] ?? []
        let polls = facts.lists.filter {
            $0.isSignalPoll(service: facts.service) && $0.holdsSignals(of: last.height)
                && !others.contains($0.number)
        }
        guard Self.neighbouringPages(polls) != nil else { return nil }
        let text =
            "the registration \(last.transaction) was on two pages of one list of signals, and the service has a "
            + "row for each"
        return TraceRepeat(code: .registeredTwice, text: text)
    }

    private func otherService(_ served: [ListCall]) -> TraceRepeat? {
        guard let first = served.first, let other = served.last(where: { !$0.isOfSameCaller(as: first) })
        else { return nil }
        let text = "two services were served it: \(first.caller) and \(other.caller)"
        return TraceRepeat(code: .otherService, text: text)
    }
}

extension ListCall {
    /// Whether both are for pages of one list, one after the other.
    fileprivate func isOfSameList(as other: ListCall) -> Bool {
        guard isOfSameCaller(as: other), var first = query, let second = other.query,
            first.offset != second.offset
        else { return false }
        first.offset = second.offset
        return first == second
    }
}
