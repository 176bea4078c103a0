import Synchronization

/// How often something has happened.
final class Counter: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .relaxed) }

    func raise() { count.add(1, ordering: .relaxed) }
}
