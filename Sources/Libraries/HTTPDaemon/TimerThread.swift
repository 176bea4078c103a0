internal import Glibc
internal import Synchronization

/// One thread that runs closures when their time has come.
final class TimerThread: Sendable {
    private struct Entry {
        let deadline: Int64
        let number: UInt64
        let action: @Sendable () -> Void
    }

    private struct State {
        var heap: [Entry] = []
        var nextNumber: UInt64 = 0
        var isStopping = false
    }

    private let state = Mutex(State())
    private let wake: WakeSignal
    private let thread = Mutex<SystemThread?>(nil)

    init() throws(HTTPDaemonError) {
        wake = try WakeSignal()
        let started = try SystemThread { [weak self] in self?.run() }
        thread.withLock { $0 = started }
    }

    /// Runs a closure on the timer's thread, not before so many milliseconds have passed.
    func after(milliseconds: Int, _ action: @escaping @Sendable () -> Void) {
        let deadline = Self.now().addingReportingOverflow(Int64(max(0, milliseconds)))
        let isFirst = state.withLock { state in
            guard !state.isStopping else { return false }
            let entry = Entry(
                deadline: deadline.overflow ? .max : deadline.partialValue,
                number: state.nextNumber,
                action: action
            )
            state.nextNumber += 1
            Self.push(entry, on: &state.heap)
            return state.heap.first?.number == entry.number
        }
        if isFirst { wake.signal() }
    }

    /// Ends the thread; what has not run will not.
    func stop() {
        state.withLock {
            $0.isStopping = true
            $0.heap = []
        }
        wake.signal()
        let started = thread.withLock { thread in
            defer { thread = nil }
            return thread
        }
        started?.join()
    }

    deinit { wake.destroy() }

    /// Milliseconds of the machine's steady clock.
    static func now() -> Int64 {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1000 &+ Int64(time.tv_nsec) / 1_000_000
    }

    private func run() {
        while true {
            let now = Self.now()
            let (due, waiting, isStopping) = state.withLock { state -> (Entry?, Int64, Bool) in
                guard let first = state.heap.first, !state.isStopping else {
                    return (nil, -1, state.isStopping)
                }
                guard first.deadline <= now else { return (nil, first.deadline - now, false) }
                return (Self.pop(from: &state.heap), 0, false)
            }
            if isStopping { return }
            if let due {
                due.action()
                continue
            }
            var descriptor = pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)
            _ = unsafe poll(&descriptor, 1, Int32(clamping: waiting))
            wake.clear()
        }
    }

    private static func isEarlier(_ left: Entry, _ right: Entry) -> Bool {
        (left.deadline, left.number) < (right.deadline, right.number)
    }

    private static func push(_ entry: Entry, on heap: inout [Entry]) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard isEarlier(heap[child], heap[parent]) else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    private static func pop(from heap: inout [Entry]) -> Entry {
        heap.swapAt(0, heap.count - 1)
        let first = heap.removeLast()
        var parent = 0
        while true {
            let left = parent * 2 + 1
            guard left < heap.count else { return first }
            let right = left + 1
            let child = right < heap.count && isEarlier(heap[right], heap[left]) ? right : left
            guard isEarlier(heap[child], heap[parent]) else { return first }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
