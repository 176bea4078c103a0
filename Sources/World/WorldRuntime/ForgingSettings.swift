/// When blocks are forged.
struct ForgingSettings: Sendable, Equatable {
    var mode: WorldConfiguration.Forging
    var intervalMilliseconds: Int
}
