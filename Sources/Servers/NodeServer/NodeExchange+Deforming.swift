import Determinism
import FaultRules
import HTTPDaemon

extension NodeExchange {
    /// How often a slow answer goes on, in milliseconds.
    private static let portionMilliseconds = 100

    /// Processes the call and spoils the way of its answer.
    func deformed(_ decision: FaultDecision) -> HTTPAction {
        let delay = decision.delayMilliseconds
        guard var response = response(of: outcome(), faultId: decision.ruleId, delay: delay) else {
            return send(.silence, faultId: decision.ruleId)
        }
        guard request.method != "HEAD", !response.body.isEmpty else {
            return whenKept(response, delay: delay)
        }
        let body = response.body
        switch decision.effect {
        case .truncate(let bytes) where bytes < body.count:
            let head = Self.head(of: response)
            return whenDurable(delay: delay) { replier in
                replier.stream(head) { stream in
                    _ = stream.send(Array(body.prefix(bytes)))
                    stream.finish()
                }
            }
        case .slow(let bytesPerSecond):
            let head = Self.head(of: response)
            let pace = Pace(bytesPerSecond: bytesPerSecond)
            return whenDurable(delay: delay) { replier in
                replier.stream(head) { stream in pace.send(body[...], to: stream, timer: replier) }
            }
        case .corrupt(let bytes):
            response.body = Self.corrupted(body, bytes: bytes, draw: decision.draw)
        default: break
        }
        return whenKept(response, delay: delay)
    }

    private static func head(of response: HTTPResponse) -> HTTPStreamHead {
        HTTPStreamHead(
            status: response.status,
            headers: response.headers,
            heartbeat: [],
            length: response.body.count
        )
    }

    /// A body of which bytes at places of the lot are others.
    private static func corrupted(_ body: [UInt8], bytes: Int, draw: UInt64) -> [UInt8] {
        var body = body
        var generator = SeededGenerator(seed: draw)
        for place in Array(body.indices.shuffled(using: &generator).prefix(bytes)) {
            body[place] ^= UInt8.random(in: 1...255, using: &generator)
        }
        return body
    }

    /// How fast a slow answer comes.
    private struct Pace: Sendable {
        /// Bytes that are sent at once.
        let portion: Int
        /// Time between them.
        let milliseconds: Int

        init(bytesPerSecond: Int) {
            let perTurn = bytesPerSecond / (1000 / portionMilliseconds)
            portion = max(1, perTurn)
            milliseconds = perTurn > 0 ? portionMilliseconds : 1000 / max(1, bytesPerSecond)
        }

        /// Sends the first portion now and the others as time goes on.
        func send(_ body: ArraySlice<UInt8>, to stream: HTTPStream, timer: HTTPReplier) {
            guard stream.send(Array(body.prefix(portion))) else { return }
            let rest = body.dropFirst(portion)
            guard !rest.isEmpty else { return stream.finish() }
            timer.after(milliseconds: milliseconds) { send(rest, to: stream, timer: timer) }
        }
    }
}
