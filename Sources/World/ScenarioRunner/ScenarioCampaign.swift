public import JSONValue
public import ScenarioModel
import Threads

/// Stories that are played, several at once.
public struct ScenarioCampaign: Sendable {
    /// One of them: what is played, and where.
    public struct Entry: Sendable {
        /// The story with its seed.
        public let run: ScenarioRun
        /// Where it is played.
        public let place: ScenarioRun.Place

        /// A story and its place.
        public init(_ run: ScenarioRun, in place: ScenarioRun.Place) {
            self.run = run
            self.place = place
        }
    }

    /// Who wants to know how it goes; called on any thread.
    public protocol Observer: Sendable {
        /// A story begins.
        func began(_ entry: Entry, number: Int)
        /// A line of its timeline, as it happens.
        func told(_ line: String, number: Int)
        /// A story has ended; the world is still there.
        func ended(_ entry: Entry, number: Int, result: JSONValue, base: String, token: String?)
    }

    private let entries: [Entry]

    /// A campaign of stories in order.
    public init(_ entries: [Entry]) {
        self.entries = entries
    }

    /// The part of a list that one of several machines plays, by its number from 1 on: each so many-th entry.
    public static func shard<Element>(_ list: [Element], number: Int, of count: Int) -> [Element] {
        list.indices.filter { $0 % max(1, count) == number - 1 }.map { list[$0] }
    }

    /// Plays all, so many at once, and tells the results in the order of the stories.
    public func play(jobs: Int, observer: any Observer) -> ScenarioReport {
        let state = Condition((next: 0, results: [JSONValue?](repeating: nil, count: entries.count)))
        let entries = entries
        let work: @Sendable () -> Void = {
            while true {
                let number = state.withLock { state in
                    defer { state.next += 1 }
                    return state.next
                }
                guard entries.indices.contains(number) else { return }
                let entry = entries[number]
                observer.began(entry, number: number)
                let result = entry.run.play(
                    in: entry.place,
                    output: { observer.told($0, number: number) },
                    afterwards: { result, base, token in
                        observer.ended(entry, number: number, result: result, base: base, token: token)
                    }
                )
                state.withLock { $0.results[number] = result }
            }
        }
        // Where the system gives no thread, those that there are do the work.
        let helpers = (1..<max(1, min(jobs, entries.count))).compactMap { number in
            try? WorkerThread(name: "scenario \(number)", work)
        }
        work()
        for helper in helpers { helper.join() }
        return ScenarioReport(state.withLock { $0.results }.compactMap { $0 })
    }
}
