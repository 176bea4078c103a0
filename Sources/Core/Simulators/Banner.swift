public import Determinism
public import JSONValue
import APNsRules

/// What a user saw, or finds in the list of notifications.
public struct Banner: Hashable, Sendable {
    /// When, by the world's clock.
    public var at: Timestamp
    /// The payload's `txn-id`.
    public var transactionId: String?
    /// The first line.
    public var title: String?
    /// The text.
    public var body: String?
    /// Whether it is the push's own text, since the extension had none.
    public var fallback: Bool
    /// Whether it made no sound.
    public var silent: Bool
    /// Whether it was put into the list without being shown.
    public var listed = false
    /// Why it was only listed, or has the push's own text.
    public var why: String?
    /// The push.
    public var push: PushName?
    /// What it is grouped by.
    public var threadId: String?
    /// What a later push names to take its place.
    public var collapseId: String?
    /// When a later push took its place.
    public var replacedAt: Timestamp?

    /// What a locked phone shows of it: a line of the title, a line of the text.
    public var lines: [String] { [LockScreen.line(title), LockScreen.line(body)] }

    /// The banner in the control API's shape.
    public var json: JSONValue {
        [
            "at": .string(at.rfc3339), "transactionId": .optional(transactionId), "title": .optional(title),
            "body": .optional(body), "fallback": .bool(fallback), "silent": .bool(silent),
            "listed": .bool(listed), "why": .optional(why), "lines": .array(lines.map(JSONValue.string)),
            "threadId": .optional(threadId), "collapseId": .optional(collapseId),
            "replacedAt": .optional(replacedAt?.rfc3339), "pushId": .optional(push?.id),
            "pushSeq": push.map { .int($0.number) } ?? .null,
        ]
    }
}

extension Banner {
    /// A banner of its JSON; nil unless it is what ``json`` makes.
    init?(json: JSONValue) {
        guard let at = json["at"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }) else { return nil }
        self.init(
            at: at,
            transactionId: json["transactionId"]?.stringValue,
            title: json["title"]?.stringValue,
            body: json["body"]?.stringValue,
            fallback: json["fallback"]?.boolValue ?? false,
            silent: json["silent"]?.boolValue ?? false,
            listed: json["listed"]?.boolValue ?? false,
            why: json["why"]?.stringValue,
            push: PushName(json: json),
            threadId: json["threadId"]?.stringValue,
            collapseId: json["collapseId"]?.stringValue,
            replacedAt: json["replacedAt"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        )
    }
}

extension PushName {
    /// The push of a document that names it.
    init?(json: JSONValue) {
        guard let id = json["pushId"]?.stringValue,
            let number = json["pushSeq"]?.intValue.flatMap({ Int(exactly: $0) })
        else { return nil }
        self.init(id: id, number: number)
    }
}

/// A push of which a user saw nothing.
public struct UnshownPush: Hashable, Sendable {
    /// When that was known, by the world's clock.
    public var at: Timestamp
    /// The push.
    public var push: PushName?
    /// The payload's `txn-id`.
    public var transactionId: String?
    /// Why.
    public var why: String

    /// The push in the control API's shape.
    public var json: JSONValue {
        [
            "at": .string(at.rfc3339), "transactionId": .optional(transactionId), "why": .string(why),
            "pushId": .optional(push?.id), "pushSeq": push.map { .int($0.number) } ?? .null,
        ]
    }

    /// A push with the reason.
    public init(at: Timestamp, push: PushName?, transactionId: String?, why: String) {
        self.at = at
        self.push = push
        self.transactionId = transactionId
        self.why = why
    }

    init?(json: JSONValue) {
        guard let at = json["at"]?.stringValue.flatMap({ Timestamp(rfc3339: $0) }),
            let why = json["why"]?.stringValue
        else { return nil }
        self.init(
            at: at,
            push: PushName(json: json),
            transactionId: json["transactionId"]?.stringValue,
            why: why
        )
    }
}

/// What a phone's list of notifications shows as one.
struct NotificationGroup {
    /// Nil for all that name none.
    let threadId: String?
    private(set) var count: Int
    private(set) var newest: Banner

    /// The groups of banners whose place no later one took, that with the newest first.
    static func groups(of banners: [Banner]) -> [NotificationGroup] {
        var groups: [NotificationGroup] = []
        var places: [String?: Int] = [:]
        for banner in banners.reversed() where banner.replacedAt == nil {
            if let place = places[banner.threadId] {
                groups[place].count += 1
            } else {
                places[banner.threadId] = groups.count
                groups.append(NotificationGroup(threadId: banner.threadId, count: 1, newest: banner))
            }
        }
        return groups
    }

    var json: JSONValue {
        [
            "threadId": .optional(threadId), "count": .int(count), "at": .string(newest.at.rfc3339),
            "lines": .array(newest.lines.map(JSONValue.string)),
        ]
    }
}
