import AdamantModel
import APNsRules
import Determinism
import JSONValue

/// A message to a device's owner on its way to the device's screen.
struct TestPush: Sendable {
    /// Where it comes by, in order.
    enum Station: String, CaseIterable {
        case posted, accepted, forged, polled, pushed, delivered, fetched, shown

        /// The name of the cause where nobody knows a better one.
        var causeCode: String { "not-" + rawValue }
    }

    /// Why it goes no further.
    struct Cause: Sendable {
        let code: String
        let text: String
        /// Whether it cannot go further any more.
        let isFinal: Bool
    }

    let device: String
    let token: String?
    let transaction: Identifier
    /// The number of the newest event that was looked at.
    var lastEvent: Int
    private(set) var stops: [(station: Station, at: Timestamp, facts: JSONObject)] = []
    private(set) var cause: Cause?
    private(set) var banner: JSONValue?
    private var pushId: String?
    private var otherTokens = 0

    /// A message of which no event has told yet.
    init(device: String, token: String?, transaction: Identifier, lastEvent: Int) {
        self.device = device
        self.token = token
        self.transaction = transaction
        self.lastEvent = lastEvent
    }

    /// Whether nothing more is to be expected.
    var isOver: Bool { banner != nil || cause?.isFinal == true }

    /// Whether it has come by a station.
    func hasPassed(_ station: Station) -> Bool { stops.contains { $0.station == station } }

    /// When it came by a station.
    func time(of station: Station) -> Timestamp? { stops.first { $0.station == station }?.at }

    /// Notes that it came by a station; the first time counts.
    mutating func pass(_ station: Station, at: Timestamp, _ facts: [(String, JSONValue)] = []) {
        guard !hasPassed(station) else { return }
        // What kept it so far has been overcome.
        if cause?.isFinal == false { cause = nil }
        stops.append((station, at, JSONObject(facts)))
    }

    /// Notes why it goes no further.
    mutating func stop(_ code: String, _ text: String, isFinal: Bool) {
        cause = Cause(code: code, text: text, isFinal: isFinal)
    }

    /// Takes note of an event; `push` is the record of one that tells of a push.
    mutating func follow(_ event: JournalEvent, push: PushRecord?) {
        lastEvent = event.seq
        guard event.transaction == transaction else { return }
        switch event.kind.rawValue {
        case "transaction.accepted": pass(.accepted, at: event.at, [("node", .optional(event.node))])
        case "transaction.forged": pass(.forged, at: event.at, [("height", event.data?["height"] ?? .null)])
        case "transaction.dropped": stop("dropped", reason(event), isFinal: true)
        case "push.received": followPush(push, at: event.at)
        case "push.delivered" where event.data?["device"]?.stringValue == device:
            pass(.delivered, at: event.at)
        case "push.discarded", "push.expired", "push.replaced":
            guard event.data?["device"]?.stringValue == device else { return }
            stop(
                String(event.kind.rawValue.dropFirst(5)),
                event.data?["why"]?.stringValue ?? "",
                isFinal: true
            )
        case let kind where kind.hasPrefix("device.") && event.data?["device"]?.stringValue == device:
            followDevice(kind, event)
        default: break
        }
    }

    private func reason(_ event: JournalEvent) -> String { event.data?["reason"]?.stringValue ?? "" }

    private mutating func followPush(_ push: PushRecord?, at: Timestamp) {
        guard let push else { return }
        guard push.token == token else {
            otherTokens += 1
            guard !hasPassed(.pushed) else { return }
            let number = otherTokens == 1 ? "one other token" : "\(otherTokens) other tokens"
            return stop("other-token", "it was pushed to \(number), and not to the device's", isFinal: false)
        }
        pass(.pushed, at: at, [("pushId", .string(push.id.lowercased))])
        pushId = push.id.lowercased
        guard let delivery = push.delivery else { return }
        switch delivery.state {
        case .delivered, .collapsed: pass(.delivered, at: delivery.at)
        case .stored, .throttled:
            stop(delivery.state.rawValue, delivery.why ?? "", isFinal: false)
        case .discarded, .expired, .replaced:
            stop(delivery.state.rawValue, delivery.why ?? "", isFinal: true)
        case .notDelivered:
            let answer = push.status.map { "\($0) \(push.reason ?? "")" } ?? "no answer was sent"
            // A service tries again what failed for no fault of its own.
            let isRefusal = push.status.map { (400..<429).contains($0) } ?? false
            stop("refused", "APNs: \(answer)", isFinal: isRefusal)
        }
    }

    private mutating func followDevice(_ kind: String, _ event: JournalEvent) {
        switch kind {
        case "device.push-received": pass(.delivered, at: event.at)
        case "device.transaction-fetched": pass(.fetched, at: event.at, [("node", .optional(event.node))])
        case "device.push-discarded": stop("not-shown", reason(event), isFinal: true)
        case "device.banner-shown", "device.banner-listed":
            pass(.shown, at: event.at)
            banner = event.data
        default: break
        }
    }

    /// What is answered once it is over, or the time is.
    func json(afterMilliseconds: Int64) -> JSONValue {
        let isShown = banner != nil
        let stops = stops.sorted { $0.station.order < $1.station.order }
        let next = stops.last.map { $0.station.order + 1 } ?? 0
        let missing = isShown || next >= Station.allCases.count ? nil : Station.allCases[next]
        return [
            "outcome": isShown ? "shown" : "lost", "device": .string(device),
            "transactionId": .string(transaction.description),
            "afterMilliseconds": isShown ? .int(afterMilliseconds) : .null,
            "lostAt": .optional(missing?.rawValue),
            "causeCode": isShown ? .null : .optional(cause?.code ?? missing?.causeCode),
            "cause": isShown ? .null : .optional(cause?.text), "pushId": .optional(pushId),
            "banner": banner ?? .null,
            "stations": .array(
                stops.map { stop in
                    var members = JSONObject([
                        ("station", .string(stop.station.rawValue)), ("at", .string(stop.at.rfc3339)),
                    ])
                    for fact in stop.facts.members { members.append(fact.key, fact.value) }
                    return .object(members)
                }
            ),
        ]
    }
}

extension TestPush.Station {
    fileprivate var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}
