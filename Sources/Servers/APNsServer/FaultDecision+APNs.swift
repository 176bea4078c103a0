public import APNsRules
public import FaultRules

extension APNsFault {
    /// What a decision means for judging the push on a stream; nil when its effect is none of pushes.
    public init?(_ decision: FaultDecision, stream: Int32) {
        let effect: Effect
        switch decision.effect {
        case .reset(let moment), .timeout(let moment, _): effect = .unanswered(isProcessed: moment == .after)
        case .delay: effect = .answered
        case .push(.reject(let rejection)):
            effect = .reject(
                status: rejection.status,
                reason: rejection.reason,
                timestamp: APNsFaultTimestamp(rejection)
            )
        case .push(.drop): effect = .drop
        case .push(let other):
            effect =
                other.isAnswered(on: stream) ? .answered : .unanswered(isProcessed: other.isProcessed)
        case .status, .error, .hold, .slow, .truncate, .corrupt, .stale, .connection, .socketRefuse,
            .socketDrop, .socketMalformed,
            .socketRepeat, .socketWithhold, .serviceUnavailable:
            return nil
        }
        self.init(ruleId: decision.ruleId, effect: effect)
    }
}

extension APNsFaultTimestamp {
    fileprivate init?(_ rejection: PushRejection) {
        guard let since = rejection.since else { return nil }
        let moment: Moment
        switch since {
        case .unixMilliseconds(let milliseconds): moment = .unixMilliseconds(milliseconds)
        case .secondsAgo(let seconds): moment = .secondsAgo(seconds)
        }
        self.init(
            moment,
            isInSeconds: rejection.timestampForm == .seconds,
            isText: rejection.timestampForm == .text
        )
    }
}

extension FaultRequest {
    /// What a fault rule can look at in a push.
    ///
    /// - Parameters:
    ///   - request: the push.
    ///   - number: which request of its connection it is, from 1.
    ///   - idleMilliseconds: how long the connection had been without one.
    public init(_ request: APNsRequest, number: Int, idleMilliseconds: Int) {
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
        connection = request.transport.connection
        hasClientCertificate = request.transport.clientCertificate != nil
        requestNumber = number
        self.idleMilliseconds = idleMilliseconds
    }

    /// What a fault rule can look at in a connection whose handshake has ended.
    init(_ transport: APNsTransport, environment: APNsEnvironment) {
        self.init(target: .apns)
        occasion = .connection
        connection = transport.connection
        hasClientCertificate = transport.clientCertificate != nil
        self.environment = environment.rawValue
    }

    /// What a fault rule can look at in a connection before its handshake.
    init(acceptedFor environment: APNsEnvironment) {
        self.init(target: .apns)
        occasion = .accept
        self.environment = environment.rawValue
    }
}
