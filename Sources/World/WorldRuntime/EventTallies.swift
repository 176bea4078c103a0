import APNsRules

/// What has happened since the process began, in numbers that only grow; part of the journal, which outlives a reset.
struct EventTallies: Sendable {
    /// How a push was answered.
    struct Answer: Hashable, Sendable {
        /// Nil where a fault kept the answer from being sent.
        let status: Int?
        let reason: String?
    }

    /// Events by kind, but for pushes.
    private var others: [JournalEvent.Kind: Int] = [:]
    /// Answers but for the usual one.
    private var refusals: [Answer: Int] = [:]
    /// Pushes that were answered 200, by far the most and so counted apart.
    private var accepted = 0
    /// How often a push came into a state when it was answered; what it became later are events.
    private var deliveries = [Int](repeating: 0, count: PushDelivery.State.allCases.count)
    /// From a node's acceptance of a message to the banner on a device, by the world's clock.
    var bannerTimes = Histogram(.ways)

    /// Counts an event that is no push.
    mutating func note(_ kind: JournalEvent.Kind) { others[kind, default: 0] += 1 }

    /// Counts a push.
    mutating func note(_ push: PushRecord.Snapshot) {
        let record = push.record
        if record.isAccepted, record.isAnswered {
            accepted += 1
        } else {
            refusals[Answer(status: record.status, reason: record.reason), default: 0] += 1
        }
        guard let state = push.deliveryState,
            let place = PushDelivery.State.allCases.firstIndex(of: state)
        else { return }
        deliveries[place] += 1
    }

    /// How often pushes were answered how.
    var answers: [Answer: Int] {
        accepted > 0
            ? refusals.merging([Answer(status: 200, reason: nil): accepted], uniquingKeysWith: +) : refusals
    }

    /// How many events there were of each kind.
    var events: [JournalEvent.Kind: Int] {
        let pushes = answers.values.reduce(0, +)
        return pushes > 0 ? others.merging([.pushReceived: pushes]) { $1 } : others
    }

    /// How often a push came into a state.
    func count(_ state: PushDelivery.State) -> Int {
        let first = PushDelivery.State.allCases.firstIndex(of: state).map { deliveries[$0] } ?? 0
        return first + others[.push(state), default: 0]
    }
}
