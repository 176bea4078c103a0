public import APNsRules
public import FaultRules

extension APNsFault {
    /// The fault of a decision; nil when its effect is none of APNs.
    public init?(_ decision: FaultDecision) {
        let effect: Effect
        switch decision.effect {
        case .reject(let status, let reason, let timestamp):
            effect = .reject(status: status, reason: reason, timestampMilliseconds: timestamp)
        case .reset(let moment): effect = .reset(isProcessed: moment == .after)
        case .timeout(let moment, let seconds):
            effect = .timeout(isProcessed: moment == .after, seconds: seconds)
        case .delay: effect = .delay
        case .goaway(let moment, let reason, let code, let lastStream):
            let frame = APNsGoAway(reason: reason, code: code, lastStream: lastStream)
            effect = .goAway(isProcessed: moment == .after, frame)
        case .status, .error, .hold, .stale, .socketRefuse, .socketDrop, .socketMalformed, .socketRepeat,
            .socketWithhold, .serviceUnavailable:
            return nil
        }
        self.init(ruleId: decision.ruleId, effect: effect, delayMilliseconds: decision.delayMilliseconds)
    }
}

extension FaultRequest {
    /// What a fault rule can look at in a push.
    public init(_ request: APNsRequest) {
        self.init(target: .apns)
        method = request.method
        path = request.pathText
        token = request.token
        topic = request.topic
        pushType = request.pushType
        priority = request.priority
        environment = request.environment.rawValue
        recipient = request.recipient
        transactionId = request.transactionId
    }
}
