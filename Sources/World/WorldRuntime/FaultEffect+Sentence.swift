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
        case .stale(let blocks): "a read answers as of \(blocks) block\(blocks == 1 ? "" : "s") ago"
        case .reject(let status, let reason, _): "answers \(status) \(reason)"
        case .goaway: "the connection is ended by GOAWAY"
        case .socketRefuse: "the socket's handshake is refused"
        case .socketDrop(let seconds): "the socket breaks after \(seconds) s"
        case .socketMalformed: "sockets get bytes that are no event"
        case .socketRepeat: "sockets get the event twice"
        case .socketWithhold: "no socket gets the event"
        case .serviceUnavailable: "answers 503, nothing is processed"
        }
    }
}
