import APNsRules
import ControlServer
import JSONValue

extension DeliverySettings {
    /// The names of its members.
    static let names = DeliverySettings().members.map(\.0)
}

/// What a call changes of what happens after a push was accepted.
struct DeliveryChange {
    private let oldTokenSeconds, oldTokenJitterSeconds, powerSavingSeconds: Int64?
    private let requestsPerSecond: Double?
    private let requestsBurst, backgroundPerHour: Int64?
    private let storedChoice: DeliverySettings.StoredChoice?

    init(_ body: ControlBody) throws(ControlError) {
        let seconds = 0...DeliverySettings.maximumSeconds
        let rate = DeliverySettings.maximumRate
        oldTokenSeconds = try body.integer("oldTokenSeconds", in: seconds)
        oldTokenJitterSeconds = try body.integer("oldTokenJitterSeconds", in: seconds)
        powerSavingSeconds = try body.integer("powerSavingSeconds", in: seconds)
        requestsPerSecond = try body.double("tokenRequestsPerSecond", in: 0...Double(rate))
        requestsBurst = try body.integer("tokenRequestsBurst", in: 1...rate)
        backgroundPerHour = try body.integer("backgroundPerHour", in: 0...rate)
        storedChoice = try body.word("storedChoice", as: DeliverySettings.StoredChoice.self)
    }

    func apply(to settings: inout DeliverySettings) {
        settings.oldTokenSeconds = oldTokenSeconds ?? settings.oldTokenSeconds
        settings.oldTokenJitterSeconds = oldTokenJitterSeconds ?? settings.oldTokenJitterSeconds
        settings.powerSavingSeconds = powerSavingSeconds ?? settings.powerSavingSeconds
        settings.tokenRequestsPerSecond = requestsPerSecond ?? settings.tokenRequestsPerSecond
        settings.tokenRequestsBurst = requestsBurst ?? settings.tokenRequestsBurst
        settings.backgroundPerHour = backgroundPerHour ?? settings.backgroundPerHour
        settings.storedChoice = storedChoice ?? settings.storedChoice
    }
}
