/// The checks of the body.
///
/// - Source: Apple, Sending notification requests to APNs (payload sizes); Handling notification responses
public enum PayloadRules {
    /// Most bytes of a payload.
    public static let maximumBytes = 4096
    /// Most bytes of a VoIP push's payload.
    public static let maximumVoIPBytes = 5120

    static func check(_ request: APNsRequest, settings: APNsSettings, fired: inout APNsRuleSet) {
        guard request.bodyCount > 0 else {
            fired.insert(.payloadEmpty)
            return
        }
        if request.bodyCount > maximumBytes, request.bodyCount > limit(request) { fired.insert(.payloadSize) }
        // Of a body that was cut off only the size can be judged.
        if request.bodyCount == request.body.count, !request.payload.isObject,
            settings.malformedPayload == .refuse
        {
            fired.insert(.payloadForm)
        }
    }

    /// The limit: by the push type, or by the topic when there is none.
    private static func limit(_ request: APNsRequest) -> Int {
        let isVoIP = request.pushType.map { $0 == "voip" } ?? (request.topic?.hasSuffix(".voip") ?? false)
        return isVoIP ? maximumVoIPBytes : maximumBytes
    }
}
