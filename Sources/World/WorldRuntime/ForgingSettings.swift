import JSONValue

/// When blocks are forged.
struct ForgingSettings: Sendable, Equatable {
    var mode: WorldConfiguration.Forging
    var intervalMilliseconds: Int
}

extension ForgingSettings {
    /// The settings as a kept world's log holds them.
    var encoded: [UInt8] {
        JSONValue.object(
            JSONObject([("mode", .string(mode.rawValue)), ("interval", .int(intervalMilliseconds))])
        ).bytes
    }

    /// The settings of a log row; nil when it is none.
    init?(decoding body: [UInt8]) {
        guard let json = try? JSONValue(parsing: body),
            let mode = json["mode"]?.stringValue.flatMap(WorldConfiguration.Forging.init(rawValue:)),
            let interval = json["interval"]?.intValue, interval > 0
        else { return nil }
        self.init(mode: mode, intervalMilliseconds: Int(clamping: interval))
    }
}
