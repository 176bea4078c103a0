import FaultRules

extension FaultEffect {
    /// What the effect does, as the journal tells it.
    var sentence: String {
        switch self {
        case .status(let code, _): "answers HTTP \(code), nothing is processed"
        case .error(let message): "answers success:false, “\(message)”"
        case .reset(.before): "the connection is reset, nothing happened"
        case .reset(.after): "it is applied and the answer is lost with the connection"
        case .timeout(.before, _): "no answer, nothing happened"
        case .timeout(.after, _): "it is applied and the answer never comes"
        case .delay: "the answer is delayed"
        case .hold: "the transaction is held back"
        case .slow(let pace): "the answer comes at \(pace) bytes a second"
        case .truncate(let bytes): "the answer ends after \(bytes) byte\(bytes == 1 ? "" : "s")"
        case .corrupt(let bytes): "\(bytes) byte\(bytes == 1 ? "" : "s") of the answer are others"
        case .stale(let blocks): "a read answers as of \(blocks) block\(blocks == 1 ? "" : "s") ago"
        case .push(let effect): effect.sentence
        case .connection(let effect): effect.sentence
        case .socketRefuse: "the socket's handshake is refused"
        case .socketDrop(let seconds): "the socket breaks after \(seconds) s"
        case .socketMalformed: "sockets get bytes that are no event"
        case .socketRepeat: "sockets get the event twice"
        case .socketWithhold: "no socket gets the event"
        case .serviceUnavailable: "answers 503, nothing is processed"
        }
    }
}

extension PushEffect {
    /// What the effect does, as the journal tells it.
    fileprivate var sentence: String {
        switch self {
        case .reject(let rejection):
            "answers \(rejection.status)\(rejection.reason.map { " \($0)" } ?? "")"
        case .answer: "the answer takes another form"
        case .drop: "answers 200 and delivers nothing"
        case .resetStream(let moment, let code):
            "the stream is reset with code \(code), \(moment == .before ? "nothing happened" : "it was processed")"
        case .settings(let limit): "SETTINGS allow \(limit.streams) stream\(limit.streams == 1 ? "" : "s")"
        case .goAway: "the connection is ended by GOAWAY"
        case .close: "the connection is closed without GOAWAY"
        case .blackHole: "the connection falls silent"
        }
    }
}

extension ConnectionEffect {
    /// What the effect does, as the journal tells it.
    fileprivate var sentence: String {
        switch self {
        case .stalledHandshake: "the handshake never ends"
        case .end(let isReset, let afterSettings):
            "the connection is \(isReset ? "reset" : "closed") after \(afterSettings ? "SETTINGS" : "the handshake")"
        case .goAway: "the new connection is ended by GOAWAY"
        case .settings(let limit?):
            "SETTINGS of the new connection allow \(limit.streams) stream\(limit.streams == 1 ? "" : "s")"
        case .settings(nil): "SETTINGS of the new connection name no limit of streams"
        case .noSettings: "no SETTINGS are sent on the new connection"
        case .silentPing: "no PING is answered on the new connection"
        case .blackHole(let idle, _):
            "the new connection falls silent\(idle == 0 ? "" : " after \(idle) ms without a push")"
        case .windows: "the new connection has small windows"
        }
    }
}
