/// A value of `apns-push-type` and what goes with it.
public struct PushType: Sendable, Equatable {
    /// The header's value.
    public let name: String
    /// What the topic has behind the bundle id; nil when the topic is no bundle id.
    public let topicSuffix: String?

    /// The types that Apple's page lists.
    ///
    /// - Source: Apple, Sending notification requests to APNs
    public static let all: [PushType] = [
        PushType(name: "alert", topicSuffix: ""),
        PushType(name: "background", topicSuffix: ""),
        PushType(name: "voip", topicSuffix: ".voip"),
        PushType(name: "complication", topicSuffix: ".complication"),
        PushType(name: "fileprovider", topicSuffix: ".pushkit.fileprovider"),
        PushType(name: "mdm", topicSuffix: nil),
        PushType(name: "location", topicSuffix: ".location-query"),
        PushType(name: "liveactivity", topicSuffix: ".push-type.liveactivity"),
        PushType(name: "pushtotalk", topicSuffix: ".voip-ptt"),
        PushType(name: "widgets", topicSuffix: ".push-type.widgets"),
        PushType(name: "controls", topicSuffix: ".push-type.controls"),
    ]

    private static let suffixes: [String] = all.compactMap(\.topicSuffix).filter { !$0.isEmpty }

    /// The bundle id of a topic: what is left without a push type's suffix.
    public static func bundleId(ofTopic topic: String) -> String {
        guard let suffix = suffixes.first(where: { topic.hasSuffix($0) }) else { return topic }
        return String(topic.dropLast(suffix.count))
    }

    /// Whether a topic ends as the type wants it.
    func fits(topic: String) -> Bool {
        guard let topicSuffix else { return true }
        return topic == PushType.bundleId(ofTopic: topic) + topicSuffix
    }

    /// Whether a header value names a type.
    static func isKnown(_ value: ArraySlice<UInt8>) -> Bool {
        names.contains { $0.count == value.count && $0[...] == value }
    }

    private static let names = all.map { Array($0.name.utf8) }

    static func named(_ name: String?) -> PushType? { all.first { $0.name == name } }
}
