import HTTPClient
import JSONValue
import Synchronization
import Testing
import Threads
import WorldRuntime

@Suite("World: changes at the same time")
struct ConcurrentChangeTests {
    @Test("two changes of a node lose nothing of each other")
    func node() throws {
        let running = try RunningWorld()
        let lost = Mutex<[String]>([])
        let changes: [@Sendable (Int) -> (String, JSONValue)] = [
            { ("lagBlocks", .int($0 % 5)) }, { ("syncing", .bool($0 % 2 == 0)) },
        ]
        let threads = try changes.map { change in
            try WorkerThread(name: "changes") {
                for number in 0..<150 {
                    let (name, value) = change(number)
                    let answer = try? running.call("PATCH", "/v1/nodes/alpha", [name: value])
                    guard answer?.json[name] == value else {
                        return lost.withLock { $0.append("\(name): \(answer?.text ?? "no answer")") }
                    }
                }
            }
        }
        for thread in threads { thread.join() }
        #expect(lost.withLock { $0 } == [])
    }
}
