import Determinism
import JSONValue

extension PushRecord {
    /// What is odd about the push without being a reason to refuse it.
    ///
    /// - Source: Apple, Generating a remote notification; Sending notification requests to APNs (push types)
    public var lints: [String] {
        var lints = headerLints
        guard let payload = (try? JSONValue(parsing: request.body))?.objectValue else { return lints }
        if String(validating: request.body, as: UTF8.self) == nil { lints.append("payload is not UTF-8") }
        lints += PayloadLints(payload: payload, pushType: request.pushType, priority: request.priority).all
        return lints
    }

    private var headerLints: [String] {
        var lints: [String] = []
        if let type = PushType.named(request.pushType) {
            if let topic = request.topic, !type.fits(topic: topic) {
                lints.append("push type \(type.name) does not go with the topic")
            }
            if type.name == "background", request.priority != 5 {
                lints.append("push type background needs priority 5")
            }
        } else if request.pushType == nil {
            lints.append("no apns-push-type")
        }
        if apnsId.contains(where: { $0 >= 65 && $0 <= 70 }), request.headers.value(.id) != nil {
            lints.append("apns-id in upper case")
        }
        if let expiration = expirationUnixSeconds, expiration != 0,
            expiration < receivedAt.unixMilliseconds / 1000
        {
            lints.append("apns-expiration is in the past")
        }
        return lints + request.headers.repeated.map { "header \($0) more than once" }
    }
}

/// What is odd about a payload.
struct PayloadLints {
    let payload: JSONObject
    let pushType: String?
    let priority: Int?

    /// Members that Apple's page lists for `aps`.
    private static let known: Set<String> = [
        "alert", "badge", "sound", "thread-id", "category", "content-available", "mutable-content",
        "target-content-id", "interruption-level", "relevance-score", "filter-criteria", "url-args",
        "timestamp",
        "event", "content-state", "stale-date", "dismissal-date", "attributes-type", "attributes",
        "input-push-token", "input-push-channel", "content-changed",
    ]
    private static let levels = Set(InterruptionLevel.allCases.map(\.rawValue))
    /// Members of `alert` that make it visible.
    private static let textKeys = [
        "title", "subtitle", "body", "title-loc-key", "subtitle-loc-key", "loc-key",
    ]

    var all: [String] {
        var lints = headerNames(in: .object(payload)).map { "header \($0) in the payload" }
        guard let member = payload["aps"] else {
            return pushType == "mdm" ? lints : lints + ["no aps"]
        }
        guard let aps = member.objectValue else { return lints + ["aps is not an object"] }
        lints += aps.keys.filter { !Self.known.contains($0) }.map { "unknown member \($0) in aps" }
        lints += visibility(of: aps)
        lints += legibility(of: aps["alert"])
        lints += forms(of: aps)
        if let alert = aps["alert"] { lints += forms(ofAlert: alert) }
        if let sound = aps["sound"] { lints += forms(ofSound: sound) }
        return lints
    }

    /// Names of members at any depth that are headers' names.
    private func headerNames(in value: JSONValue) -> [String] {
        switch value {
        case .object(let members):
            members.members.flatMap { member in
                (member.key.hasPrefix("apns-") ? [member.key] : []) + headerNames(in: member.value)
            }
        case .array(let elements): elements.flatMap { headerNames(in: $0) }
        default: []
        }
    }

    private func visibility(of aps: JSONObject) -> [String] {
        var lints: [String] = []
        let isVisible = aps["alert"] != nil || aps["badge"] != nil || aps["sound"] != nil
        let isSilent = aps["content-available"]?.intValue == 1 && !isVisible
        if isSilent, priority ?? 10 == 10 { lints.append("content-available alone with priority 10") }
        if pushType == "background", isVisible { lints.append("push type background with something visible") }
        if pushType == "alert", !isVisible { lints.append("push type alert with nothing visible") }
        if aps["mutable-content"]?.intValue == 1, !hasText(aps["alert"]) {
            lints.append("mutable-content without alert text")
        }
        return lints
    }

    /// What of an alert a locked phone does not tell.
    private func legibility(of alert: JSONValue?) -> [String] {
        guard let alert, !alert.isNull else { return [] }
        var lints: [String] = []
        let title = alert["title"]?.stringValue
        if title ?? alert["title-loc-key"]?.stringValue ?? "" == "" { lints.append("alert without a title") }
        for (name, text) in [("title", title), ("body", alert.stringValue ?? alert["body"]?.stringValue)] {
            guard let text, !LockScreen.fits(text) else { continue }
            lints.append(
                "\(name) is longer than a line of a lock screen: \(text.count) characters, "
                    + "\(LockScreen.lineCharacters) fit"
            )
        }
        return lints
    }

    private func hasText(_ alert: JSONValue?) -> Bool {
        switch alert {
        case .string(let text): !text.isEmpty
        case .object(let members): Self.textKeys.contains { members[$0] != nil }
        default: false
        }
    }

    private func forms(of aps: JSONObject) -> [String] {
        var lints: [String] = []
        if let level = aps["interruption-level"], !Self.levels.contains(level.stringValue ?? "") {
            lints.append("unknown interruption-level")
        }
        if let badge = aps["badge"], badge.intValue == nil { lints.append("badge is not an integer") }
        if let relevance = aps["relevance-score"], relevance.doubleValue == nil {
            lints.append("relevance-score is not a number")
        }
        for name in ["content-available", "mutable-content"] {
            if let value = aps[name], value.intValue != 1 { lints.append("\(name) is not the number 1") }
        }
        return lints
            + ["thread-id", "category", "target-content-id"].filter { !isText(aps[$0]) }
            .map { "\($0) is not a string" }
    }

    private func forms(ofAlert alert: JSONValue) -> [String] {
        switch alert {
        case .string: []
        case .object(let members):
            (Self.textKeys + ["launch-image"]).filter { !isText(members[$0]) }
                .map { "alert \($0) is not a string" }
                + ["title-loc-args", "subtitle-loc-args", "loc-args"].filter { !isListOfTexts(members[$0]) }
                .map { "alert \($0) is not an array of strings" }
        default: ["alert is neither a string nor an object"]
        }
    }

    private func forms(ofSound sound: JSONValue) -> [String] {
        switch sound {
        case .string: return []
        case .object(let members):
            var lints = isText(members["name"]) ? [] : ["sound name is not a string"]
            if let critical = members["critical"], critical.intValue != 0, critical.intValue != 1 {
                lints.append("sound critical is neither 0 nor 1")
            }
            if let volume = members["volume"], !(volume.doubleValue.map { (0...1).contains($0) } ?? false) {
                lints.append("sound volume not between 0 and 1")
            }
            return lints
        default: return ["sound is neither a string nor an object"]
        }
    }

    private func isText(_ value: JSONValue?) -> Bool { value.map { $0.stringValue != nil } ?? true }

    private func isListOfTexts(_ value: JSONValue?) -> Bool {
        guard let value else { return true }
        guard case .array(let elements) = value else { return false }
        return elements.allSatisfy { $0.stringValue != nil }
    }
}
