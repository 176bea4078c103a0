import JSONValue
import ScenarioRunner
import Testing
import TestSupport
import WorldRuntime

@Suite("Demo")
struct DemoTests {
    @Test("each of the seven scenes ends as stated")
    func demo() throws {
        let folder = try TemporaryFolder()
        var configuration = Demo.configuration
        configuration.stateDirectory = folder.path
        configuration.blockIntervalMilliseconds = 50
        configuration.ansPollMilliseconds = 20
        let world = try World(configuration)
        try world.start()
        defer { world.stop() }
        var lines: [String] = []
        let base = try #require(world.description["control"]?.stringValue)
        #expect(Demo.play(base: base) { lines.append($0) }, "\(lines.joined(separator: "\n"))")
        #expect(lines.last == "All 7 scenes ended as stated.")
    }

    @Test("a world that cannot be reached is told in one line")
    func unreachable() {
        var lines: [String] = []
        #expect(!Demo.play(base: "http://127.0.0.1:9") { lines.append($0) })
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("demo: "))
    }
}
