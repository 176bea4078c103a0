import JSONValue
import ScenarioModel
@testable import ScenarioRunner
import Testing
import TestSupport
import WorldRuntime

@Suite("Plan player")
struct PlanPlayerTests {
    /// Plays a plan on a world of its own.
    private func play(_ plan: Plan) throws -> (failures: Int, lines: [String]) {
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
        let player = try PlanPlayer(control: ControlClient(base: base)) { lines.append($0) }
        return (player.play(plan), lines)
    }

    @Test("each scene of the demo ends as stated")
    func demo() throws {
        let (failures, lines) = try play(.demo)
        #expect(failures == 0, "\(lines.joined(separator: "\n"))")
        #expect(Plan.demo.scenes.count == 7)
    }

    @Test("a scene that does not end as stated is told with the step and the reason, and the others go on")
    func fails() throws {
        let device = Step.act(.makeDevice(name: "phone", behaviour: "ordered", owner: nil))
        let scenes = [
            Scene(
                "expected in vain",
                steps: [device, .expect(.queuedRemovals(device: "phone", 3), withinMilliseconds: 1)]
            ),
            Scene(
                "came to be",
                steps: [.never(.believesRegistered(device: "phone", false), forMilliseconds: 1000)]
            ),
            Scene("unknown device", steps: [.act(.device(name: "nobody's", action: "launch"))]),
            Scene("refused by the world", steps: [.act(.device(name: "phone", action: "sign-out"))]),
            Scene(
                "refused by a node",
                steps: [.act(.send(kind: "transfer", from: "zero", to: "bob", amount: "1"))]
            ),
            Scene(
                "good",
                moral: "It goes on.",
                steps: [.expect(.believesRegistered(device: "phone", false), withinMilliseconds: 1)]
            ),
        ]
        let (failures, lines) = try play(Plan(name: "failing", scenes: scenes))
        #expect(failures == 5)
        let failed = lines.filter { $0.hasPrefix("   ✗ ") }
        #expect(failed.count == 5)
        #expect(failed[0] == "   ✗ phone keeps 3 removals for another try: not so within 1 ms")
        #expect(failed[1] == "   ✗ never: phone knows it is not registered: it became so")
        #expect(failed[2].hasSuffix("there is no device 'nobody's'"))
        #expect(failed[4].contains("Account does not have enough ADM"))
        #expect(lines.last == "   → It goes on.")
    }

    @Test("a world that cannot be reached is told in one line")
    func unreachable() {
        var lines: [String] = []
        #expect(!Demo.play(base: "http://127.0.0.1:9") { lines.append($0) })
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("demo: "))
    }
}
