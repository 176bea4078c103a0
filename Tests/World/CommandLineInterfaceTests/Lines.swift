import Synchronization

/// A text that grows, from any thread.
final class Lines: Sendable {
    private let storage = Mutex("")

    var text: String { storage.withLock(\.self) }

    func append(_ more: String) { storage.withLock { $0 += more } }
}
