import APNsRules

/// What has happened since the process began, in numbers that only grow; part of the journal, which outlives a reset.
struct EventTallies: Sendable {
    /// How a push was answered.
    struct Answer: Hashable, Sendable {
        /// Nil where a fault kept the answer from being sent.
        let status: Int?
        let reason: String?
    }

    private(set) var events: [JournalEvent.Kind: Int] = [:]
    private(set) var answers: [Answer: Int] = [:]
    /// How often a push came into a state when it was answered; what it became later are events.
    private(set) var deliveries: [PushDelivery.State: Int] = [:]
    /// From a node's acceptance of a message to the banner on a device, by the world's clock.
    var bannerTimes = Histogram()

    /// Counts an event.
    mutating func note(_ kind: JournalEvent.Kind) { events[kind, default: 0] += 1 }

    /// Counts a push.
    mutating func note(_ push: PushRecord.Snapshot) {
        let record = push.record
        answers[Answer(status: record.status, reason: record.reason), default: 0] += 1
        if let state = push.deliveryState { deliveries[state, default: 0] += 1 }
    }

    /// How often a push came into a state.
    func count(_ state: PushDelivery.State) -> Int {
        deliveries[state, default: 0] + events[.push(state), default: 0]
    }
}
