import HTTPDaemon
import JSONValue
import Synchronization

/// How far one event stream has been fed; feeds are not interleaved.
final class StreamCursor: Sendable {
    /// How a feed ended.
    enum Outcome {
        /// The client was given everything there is.
        case hasAll
        /// The client must read first.
        case lags
        /// The client has left.
        case isGone
    }

    /// Bytes a client may be behind before it is given no more for now.
    private static let maximumUnsentBytes = 1 << 20

    private let position: Mutex<Int>

    init(after: Int) {
        position = Mutex(after)
    }

    /// Sends what is new, as far as the client reads it.
    func advance(_ stream: HTTPStream, _ ask: (Int) -> ControlStreamPage) -> Outcome {
        position.withLock { position in
            while !stream.isClosed {
                guard stream.unsentBytes < Self.maximumUnsentBytes else { return .lags }
                let page = ask(position)
                position = page.position
                guard page.events.isEmpty || stream.send(Self.encoded(page.events)) else { return .isGone }
                guard page.hasMore else { return .hasAll }
            }
            return .isGone
        }
    }

    private static func encoded(_ events: [ControlStreamEvent]) -> [UInt8] {
        var output: [UInt8] = []
        for event in events {
            output += "id: \(event.id)\ndata: ".utf8
            event.data.write(to: &output)
            output += "\n\n".utf8
        }
        return output
    }
}
