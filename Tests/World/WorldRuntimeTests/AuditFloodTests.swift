import NodeServer
import Synchronization
import Testing

@testable import AuditRules
@testable import WorldRuntime

@Suite("World: audit under a flood")
struct AuditFloodTests {
    @Test("a service's poll is seen, however many calls of others came after it")
    func poll() throws {
        let world = try TracedWorld()
        try world.poll()
        let audited = world.running.world
        let height = Int(try world.running.height()) + 1
        try audited.requests.withLock { archive in
            let entries = archive.listCalls(after: 0)
            var poll = try #require(entries.map(\.call).last { $0.query.contains("type=3") })
            poll.height = height
            archive.append(poll, machine: entries[0].at, event: entries[0].event)
            for number in 1...World.followedAtOnce * 2 {
                var other = poll
                other.query = "type=0&offset=\(number)"
                archive.append(other, machine: entries[0].at, event: entries[0].event)
            }
        }
        audited.audit(atMost: World.followedAtOnce)
        #expect(audited.auditor.withState { $0.audit.polls.signalHeight(before: .max) } == height)
    }
}
