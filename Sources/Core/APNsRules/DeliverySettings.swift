public import JSONValue

/// What can be set of what happens after a push was accepted, and of how long ended tokens go on.
public struct DeliverySettings: Sendable, Equatable {
    /// Which push stays where one waits already.
    public enum StoredChoice: String, Sendable, CaseIterable {
        /// The later one.
        case latest
        /// The one that the lot falls on.
        case random
    }

    /// How long a token that its device gave up is answered 200, in seconds.
    public var oldTokenSeconds: Int64 = 0
    /// Most seconds that a lot adds to ``oldTokenSeconds``.
    public var oldTokenJitterSeconds: Int64 = 0
    /// Pushes a second that one token takes for long; 0 for any number.
    public var tokenRequestsPerSecond = 0.0
    /// Pushes that one token takes at once.
    public var tokenRequestsBurst: Int64 = 50
    /// Background pushes that a device lets through in an hour; 0 for any number.
    public var backgroundPerHour: Int64 = 3
    /// How long a device that saves power lets a push of low priority wait, in seconds; 0 until it saves no more.
    public var powerSavingSeconds: Int64 = 0
    /// Which push stays where one waits already.
    public var storedChoice = StoredChoice.latest

    /// Most seconds of any time.
    public static let maximumSeconds: Int64 = 366 * 86_400
    /// Most pushes of any rate.
    public static let maximumRate: Int64 = 1_000_000

    /// The settings of a fresh world.
    ///
    /// - Source: Apple, Pushing background updates to your app (two or three an hour); the others are off
    public init() {}

    /// The settings as members in the control API.
    public var members: [(String, JSONValue)] {
        [
            ("oldTokenSeconds", .int(oldTokenSeconds)),
            ("oldTokenJitterSeconds", .int(oldTokenJitterSeconds)),
            ("tokenRequestsPerSecond", JSONNumber(tokenRequestsPerSecond).map(JSONValue.number) ?? .int(0)),
            ("tokenRequestsBurst", .int(tokenRequestsBurst)),
            ("backgroundPerHour", .int(backgroundPerHour)),
            ("powerSavingSeconds", .int(powerSavingSeconds)),
            ("storedChoice", .string(storedChoice.rawValue)),
        ]
    }

    /// The settings of members as ``members`` makes them; what is missing is as in a fresh world.
    public init(json: JSONValue) {
        func seconds(_ name: String) -> Int64 {
            min(max(0, json[name]?.intValue ?? 0), Self.maximumSeconds)
        }
        oldTokenSeconds = seconds("oldTokenSeconds")
        oldTokenJitterSeconds = seconds("oldTokenJitterSeconds")
        powerSavingSeconds = seconds("powerSavingSeconds")
        let rates = 0...Self.maximumRate
        if let rate = json["tokenRequestsPerSecond"]?.doubleValue,
            (0...Double(Self.maximumRate)).contains(rate)
        {
            tokenRequestsPerSecond = rate
        }
        if let burst = json["tokenRequestsBurst"]?.intValue, rates.contains(burst) {
            tokenRequestsBurst = burst
        }
        if let number = json["backgroundPerHour"]?.intValue, rates.contains(number) {
            backgroundPerHour = number
        }
        if let choice = json["storedChoice"]?.stringValue.flatMap(StoredChoice.init(rawValue:)) {
            storedChoice = choice
        }
    }
}
