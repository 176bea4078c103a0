import JSONValue

/// What the gateway answers, or does instead.
public struct APNsReply: Sendable, Equatable {
    /// What happens on the wire.
    public enum Action: Sendable, Equatable {
        /// The answer is sent.
        case answer
        /// The connection is reset.
        case reset
        /// Nothing is sent; the connection ends after so many seconds.
        case timeout(seconds: Int)
        /// GOAWAY is sent, the open streams are answered, then the connection ends.
        case answerAndGoAway(APNsGoAway)
        /// GOAWAY is sent, then the connection ends; open streams are left.
        case goAway(APNsGoAway)
    }

    /// The HTTP status.
    public let status: Int
    /// The body: empty for 200, else an object with `reason`.
    public let body: [UInt8]
    /// The value of `apns-id`.
    public let apnsId: ArraySlice<UInt8>
    /// The value of `apns-unique-id`; sandbox only.
    public let uniqueId: [UInt8]?
    /// What happens on the wire.
    public let action: Action
    /// How long it waits.
    public let delayMilliseconds: Int

    /// A reply.
    public init(
        status: Int,
        body: [UInt8],
        apnsId: ArraySlice<UInt8>,
        uniqueId: [UInt8]?,
        action: Action,
        delayMilliseconds: Int
    ) {
        self.status = status
        self.body = body
        self.apnsId = apnsId
        self.uniqueId = uniqueId
        self.action = action
        self.delayMilliseconds = delayMilliseconds
    }

    /// The JSON object that names a reason.
    public static func body(reason: String, timestamp: Int64?) -> [UInt8] {
        var output = Array("{\"reason\":".utf8)
        JSONValue.writeString(reason, to: &output)
        if let timestamp {
            output.append(contentsOf: ",\"timestamp\":".utf8)
            output.append(contentsOf: String(timestamp).utf8)
        }
        output.append(UInt8(ascii: "}"))
        return output
    }
}
