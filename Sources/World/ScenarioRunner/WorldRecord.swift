public import Files
import JSONValue

/// What is kept of a world in which something failed: its journal, its description and its timeline.
public struct WorldRecord: Sendable {
    private let control: ControlClient

    private static let page = 10_000

    /// A world by its control API.
    public init(base: String, token: String?) {
        control = ControlClient(base: base, token: token)
    }

    /// Writes `journal.jsonl`, `world.json` and `timeline.txt` into a folder, which is made.
    public func write(to folder: String) throws(FileError) {
        try Files.makeFolder(folder)
        let world = (try? control.get("/v1/world")) ?? .null
        let devices = (try? control.list("/v1/devices", "devices")) ?? []
        let events = events()
        var timeline = Timeline(world: world, devices: devices)
        try Files.write(Array((world.prettyText + "\n").utf8), to: folder + "/world.json")
        try Files.write(
            events.flatMap { Array($0.text.utf8) + [UInt8(ascii: "\n")] },
            to: folder + "/journal.jsonl"
        )
        let lines = timeline.lines(events).map { $0 + "\n" }.joined()
        try Files.write(Array(lines.utf8), to: folder + "/timeline.txt")
    }

    /// All events that the world still has.
    private func events() -> [JSONValue] {
        var events: [JSONValue] = []
        var after = 0
        while let page = try? control.get("/v1/events?limit=\(Self.page)&after=\(after)"),
            let more = page["events"]?.arrayValue, !more.isEmpty, let next = page["next"]?.intValue
        {
            events += more
            after = Int(next)
        }
        return events
    }
}
