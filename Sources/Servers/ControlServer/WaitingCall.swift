import HTTPDaemon
import JSONValue
import Synchronization

/// A call that waits for its answer; once it has one it holds on to nothing any more.
final class WaitingCall: Sendable {
    private struct Open: Sendable {
        let replier: HTTPReplier
        let afterDurable: @Sendable (@escaping @Sendable () -> Void) -> Void
        let ask: @Sendable (Bool) -> JSONValue?
    }

    private let open: Mutex<Open?>

    init(
        replier: HTTPReplier,
        afterDurable: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void,
        ask: @escaping @Sendable (Bool) -> JSONValue?
    ) {
        open = Mutex(Open(replier: replier, afterDurable: afterDurable, ask: ask))
    }

    /// Answers if there is an answer by now, and ends without one if nobody waits; whether the call has ended.
    func look(timeIsOver: Bool) -> Bool {
        guard let waiting = open.withLock({ $0 }) else { return true }
        guard !waiting.replier.isDecided else {
            // The client has left.
            _ = claim()
            return true
        }
        guard let answer = waiting.ask(timeIsOver) else { return false }
        guard claim() else { return true }
        waiting.afterDurable { waiting.replier.respond(ControlServer.response(json: answer)) }
        return true
    }

    /// Answers something else, unless the call has ended.
    func end(with response: HTTPResponse) {
        guard let waiting = open.withLock({ $0 }), claim() else { return }
        waiting.replier.respond(response)
    }

    /// Ends the call for all; true for the first.
    private func claim() -> Bool {
        // Let go outside the lock: what is held may be the last of a world.
        open.withLock { $0.take() } != nil
    }
}
