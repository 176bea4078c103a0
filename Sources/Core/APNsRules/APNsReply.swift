import JSONValue

/// What the gateway answers.
public struct APNsReply: Sendable, Equatable {
    /// The HTTP status.
    public let status: Int
    /// The body: empty for 200, else an object with `reason`.
    public let body: [UInt8]
    /// The value of `apns-id`.
    public let apnsId: ArraySlice<UInt8>
    /// Whether the id's header is `apns-request-id` instead, as on the broadcast paths.
    public let isBroadcast: Bool
    /// The value of `apns-unique-id`; sandbox only.
    public let uniqueId: [UInt8]?

    /// A reply.
    public init(
        status: Int,
        body: [UInt8],
        apnsId: ArraySlice<UInt8>,
        isBroadcast: Bool = false,
        uniqueId: [UInt8]?
    ) {
        self.status = status
        self.body = body
        self.apnsId = apnsId
        self.isBroadcast = isBroadcast
        self.uniqueId = uniqueId
    }

    /// Whether it refuses the device token as a bad one.
    public var isBadDeviceToken: Bool { status == 400 && body == Self.badDeviceToken }

    private static let badDeviceToken = body(reason: APNsReason.badDeviceToken.rawValue, timestamp: nil)

    /// The JSON object that names a reason.
    public static func body(reason: String, timestamp: Int64? = nil) -> [UInt8] {
        body(reason: reason, timestampText: timestamp.map { String($0) })
    }

    /// The JSON object that names a reason, with a timestamp in JSON.
    static func body(reason: String, timestampText: String?) -> [UInt8] {
        var output = Array("{\"reason\":".utf8)
        JSONValue.writeString(reason, to: &output)
        if let timestampText {
            output.append(contentsOf: ",\"timestamp\":".utf8)
            output.append(contentsOf: timestampText.utf8)
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}
