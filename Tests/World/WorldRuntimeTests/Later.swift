import Threads

/// Work on a thread of its own: a call that blocks must not hold one of the few threads that tests run on.
final class Later<Value: Sendable>: Sendable {
    private let condition: Condition<Result<Value, any Error>?>

    init(_ work: @escaping @Sendable () throws -> Value) throws {
        let condition = Condition<Result<Value, any Error>?>(nil)
        self.condition = condition
        _ = try WorkerThread(name: "test") {
            let result = Result { try work() }
            condition.update { $0 = result }
        }
    }

    /// What became of the work; waits until it has ended.
    func value() throws -> Value {
        try condition.wait { state in state.map { .ready($0) } ?? .sleep(until: nil) }.get()
    }
}
