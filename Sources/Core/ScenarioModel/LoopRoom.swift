/// What the loops of a story may still write out: a few inside each other can make any number of values.
struct LoopRoom {
    /// Most values that all loops of a story write out.
    static let maximumValues = 200_000
    /// Most bytes of the texts in them.
    static let maximumBytes = 16 << 20

    private var values = Self.maximumValues
    private var bytes = Self.maximumBytes

    /// Takes the room of a value with all that it holds, which is written out at a place.
    mutating func take(_ node: ScenarioNode, at place: ScenarioPlace) throws(ScenarioError) {
        try takeHead(of: node, at: place)
        switch node.content {
        case .null, .bool, .integer, .float, .string: break
        case .sequence(let elements):
            for element in elements { try take(element, at: place) }
        case .mapping(let entries):
            for entry in entries { try take(entry.value, at: place) }
        }
    }

    /// Takes the room of a value without those that it holds, but with their keys.
    mutating func takeHead(of node: ScenarioNode, at place: ScenarioPlace) throws(ScenarioError) {
        values -= 1
        bytes -= node.scalarText?.utf8.count ?? 0
        for entry in node.entries ?? [] { bytes -= entry.key.utf8.count }
        guard values >= 0 else {
            throw ScenarioError(place, "the loops of the story make more than \(Self.maximumValues) values")
        }
        guard bytes >= 0 else {
            throw ScenarioError(
                place,
                "the loops of the story make more than \(Self.maximumBytes) bytes of text"
            )
        }
    }
}
