public import Files
import JSONValue

/// What is kept of a world in which something failed: its journal, its description and its timeline.
public struct WorldRecord: Sendable {
    private let control: ControlClient

    /// A world by its control API.
    public init(base: String, token: String?) {
        control = ControlClient(base: base, token: token)
    }

    /// Writes `journal.jsonl`, `world.json` and `timeline.txt` into a folder, which is made.
    public func write(to folder: String) throws(FileError) {
        try Files.makeFolder(folder)
        let world = (try? control.get("/v1/world")) ?? .null
        let devices = (try? control.list("/v1/devices", "devices")) ?? []
        let events = (try? control.all("/v1/events", "events", after: 0)) ?? []
        var timeline = Timeline(world: world, devices: devices)
        try Files.write(Array((world.prettyText + "\n").utf8), to: folder + "/world.json")
        try Files.write(
            events.flatMap { Array($0.text.utf8) + [UInt8(ascii: "\n")] },
            to: folder + "/journal.jsonl"
        )
        let lines = timeline.lines(events).map { $0 + "\n" }.joined()
        try Files.write(Array(lines.utf8), to: folder + "/timeline.txt")
    }
}
