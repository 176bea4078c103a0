import AdamantModel
import TraceRules

/// Up to which heights services had been served, and when, by the numbers of events.
struct PollMarks: Sendable {
    /// A poll for messages or transfers.
    private struct Poll {
        let event: Int
        let first: Int
        let last: Int
    }

    /// Most polls remembered of each kind.
    private static let capacity = 2000

    /// A poll for signals, with the highest block that was served by then.
    private struct SignalPoll {
        let event: Int
        let height: Int
        var highest: Int
    }

    private var signals: [SignalPoll] = []
    private var messages: [Poll] = []

    /// Notes an answer to a service.
    mutating func note(_ call: ListCall, service: Address) {
        guard let view = call.height, call.isServicePoll(service: service), let range = call.heights else {
            return
        }
        if call.isSignalPoll(service: service) {
            let height = min(view, range.upperBound)
            let highest = max(signals.last?.highest ?? 0, height)
            signals.append(SignalPoll(event: call.event, height: height, highest: highest))
            if signals.count > Self.capacity { signals.removeFirst(Self.capacity / 2) }
        }
        if call.isMessagePoll {
            messages.append(
                Poll(event: call.event, first: range.lowerBound, last: min(view, range.upperBound))
            )
            if messages.count > Self.capacity { messages.removeFirst(Self.capacity / 2) }
        }
    }

    /// The newest block whose signals a service had been served before an event; nil when it had asked for none.
    func signalHeight(before event: Int) -> Int? {
        signals.last { $0.event < event }?.highest
    }

    /// Forgets the polls before an event, after which the chain is another one.
    mutating func forget(before event: Int) {
        messages.removeAll { $0.event < event }
        signals.removeAll { $0.event < event }
        var highest = 0
        for place in signals.indices {
            highest = max(highest, signals[place].height)
            signals[place].highest = highest
        }
    }

    /// The event at which a service was first served the messages of a height; nil when it never was.
    func firstServed(height: Int) -> Int? {
        messages.first { $0.first <= height && height <= $0.last }?.event
    }
}
