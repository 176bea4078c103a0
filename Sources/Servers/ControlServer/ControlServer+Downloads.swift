import HTTPDaemon
import Threads

extension ControlServer {
    /// Bytes that may wait for a client before no more are made.
    private static let waitingBytes = 1 << 20
    /// How soon it is looked again whether a client has taken them.
    private static let lookMilliseconds: Int64 = 2

    /// Sends a file as it is made, no faster than the client takes it; a client that goes ends it.
    static func send(_ stream: HTTPStream, _ write: @escaping @Sendable (([UInt8]) -> Bool) -> Void) {
        do throws(ThreadError) {
            _ = try WorkerThread(name: "download") {
                let pause = Condition(())
                write { piece in
                    while stream.unsentBytes > waitingBytes, !stream.isClosed {
                        let next = MachineClock.monotonicMilliseconds() + lookMilliseconds
                        pause.wait(until: next) { _ -> Void? in nil }
                    }
                    return stream.send(piece)
                }
                stream.finish()
            }
        } catch {
            // Without its end the file is refused by whoever reads it.
            stream.finish()
        }
    }
}
