import AdamantModel
import Determinism
import JSONValue
import TraceRules

/// A message to a device's owner on its way to the device's screen, as whoever waits for it is told.
struct TestPush: Sendable {
    let device: String
    /// The device's token when the message was sent; empty when it has none.
    let token: String
    let transaction: Identifier
    /// Number of the newest event that was looked at.
    private(set) var lastEvent: Int
    /// Why the node did not take it.
    var refusal: String?
    /// What was shown, once it was.
    private(set) var banner: JSONValue?

    /// A message of which no event has told yet.
    init(device: String, token: String?, transaction: Identifier, lastEvent: Int) {
        self.device = device
        self.token = token ?? ""
        self.transaction = transaction
        self.lastEvent = lastEvent
    }

    /// Takes note of what happened; whether any of it concerns the message.
    mutating func follow(_ events: [JournalEvent]) -> Bool {
        var isConcerned = false
        for event in events {
            lastEvent = event.seq
            guard event.transaction == transaction else { continue }
            isConcerned = true
            let isBanner = ["device.banner-shown", "device.banner-listed"].contains(event.kind.rawValue)
            if isBanner, event.data?["device"]?.stringValue == device { banner = event.data }
        }
        return isConcerned
    }

    /// Whether nothing more is to be expected.
    func isOver(_ trace: Trace?) -> Bool {
        guard let way = trace?.way(to: token) else { return refusal != nil }
        return banner != nil || way.outcome == .lost && way.cause?.isFinal == true
    }

    /// What is answered once it is over, or the time is.
    func json(_ trace: Trace?, afterMilliseconds: Int64) -> JSONValue {
        let isShown = banner != nil
        let way = trace?.way(to: token)
        let cause =
            way == nil ? TraceCause(.refused, refusal ?? "the world was reset", isFinal: true) : way?.cause
        let lostAt = way == nil ? Trace.Station.accepted : way?.lostAt
        return [
            "outcome": isShown ? "shown" : "lost", "device": .string(device),
            "transactionId": .string(transaction.description),
            "afterMilliseconds": isShown ? .int(afterMilliseconds) : .null,
            "lostAt": .optional(lostAt?.rawValue), "causeCode": .optional(cause?.code.rawValue),
            "cause": .optional(cause?.text), "pushId": .optional(way?.pushId), "banner": banner ?? .null,
            "stations": .array((trace?.stops(to: token, of: device) ?? []).map(\.told)),
        ]
    }
}

extension Trace.Stop {
    /// The stop as the answer to a test push shows it.
    fileprivate var told: JSONValue {
        var members = JSONObject([("station", .string(station.rawValue)), ("at", .string(at.rfc3339))])
        if let node { members.append("node", .string(node)) }
        if station == .forged, let height { members.append("height", .int(height)) }
        if station == .pushed, let pushId { members.append("pushId", .string(pushId)) }
        return .object(members)
    }
}
