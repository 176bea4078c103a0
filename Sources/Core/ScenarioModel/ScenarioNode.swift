/// A place in a scenario file, counted from 1.
public struct ScenarioPlace: Hashable, Sendable, CustomStringConvertible {
    /// The file as it was named.
    public let file: String
    /// The line.
    public let line: Int
    /// The column, in characters.
    public let column: Int

    /// A place.
    public init(file: String, line: Int, column: Int) {
        self.file = file
        self.line = line
        self.column = column
    }

    /// The place as compilers print it.
    public var description: String { "\(file):\(line):\(column)" }
}

/// A mistake in a scenario: where, what was found, and what was expected.
public struct ScenarioError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    public let place: ScenarioPlace
    /// What is wrong, for people.
    public let message: String

    /// A mistake at a place.
    public init(_ place: ScenarioPlace, _ message: String) {
        self.place = place
        self.message = message
    }

    /// The place with what is wrong there.
    public var description: String { "\(place): \(message)" }
}

/// A node of a scenario's text with its place; what reads YAML or JSON hands it over.
public struct ScenarioNode: Sendable, Equatable {
    /// One entry of a mapping.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public let key: String
        /// Where the key stands.
        public let place: ScenarioPlace
        /// What it stands for.
        public let value: ScenarioNode

        /// An entry.
        public init(key: String, place: ScenarioPlace, value: ScenarioNode) {
            self.key = key
            self.place = place
            self.value = value
        }
    }

    /// What a node is.
    public enum Content: Sendable, Equatable {
        /// Nothing.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// An integer with its text as written.
        case integer(Int64, text: String)
        /// Any other number with its text as written.
        case float(Double, text: String)
        /// A text.
        case string(String)
        /// A sequence.
        case sequence([ScenarioNode])
        /// A mapping with its entries in order; a key occurs once.
        case mapping([Entry])
    }

    /// What it is.
    public let content: Content
    /// Where it begins.
    public let place: ScenarioPlace

    /// A node at a place.
    public init(_ content: Content, at place: ScenarioPlace) {
        self.content = content
        self.place = place
    }

    /// The text of a scalar as written; nil for null, sequences and mappings.
    var scalarText: String? {
        switch content {
        case .bool(let value): value ? "true" : "false"
        case .integer(_, let text), .float(_, let text), .string(let text): text
        case .null, .sequence, .mapping: nil
        }
    }

    /// The entries of a mapping; nil for anything else.
    var entries: [Entry]? {
        if case .mapping(let entries) = content { entries } else { nil }
    }

    /// What stands here, for an error.
    var found: String {
        switch content {
        case .null: "nothing"
        case .bool, .integer, .float: "'\(scalarText ?? "")'"
        case .string(let text): text.isEmpty ? "an empty text" : "'\(text)'"
        case .sequence: "a sequence"
        case .mapping: "a mapping"
        }
    }

    /// Longest text that the values of loops can make.
    static let maximumTextBytes = 65_536

    /// The node with every `${name}` of one name replaced by a value, as far as there is room.
    func replacing(_ name: String, by value: ScenarioNode, in room: inout LoopRoom) throws(ScenarioError)
        -> ScenarioNode
    {
        if case .string("${\(name)}") = content {
            try room.take(value, at: place)
            return ScenarioNode(value.content, at: place)
        }
        try room.takeHead(of: self, at: place)
        switch content {
        case .null, .bool, .integer, .float: return self
        case .string(let text):
            guard let part = value.scalarText else { return self }
            let pieces = text.split(separator: "${\(name)}", omittingEmptySubsequences: false)
            guard pieces.count > 1 else { return self }
            let (added, overflow) = part.utf8.count.multipliedReportingOverflow(by: pieces.count - 1)
            guard !overflow, added <= Self.maximumTextBytes, text.utf8.count <= Self.maximumTextBytes else {
                throw ScenarioError(place, "with the values of its loops this is too long a text")
            }
            let joined = ScenarioNode(.string(pieces.joined(separator: part)), at: place)
            try room.takeHead(of: joined, at: place)
            return joined
        case .sequence(let elements):
            var replaced: [ScenarioNode] = []
            for element in elements { replaced.append(try element.replacing(name, by: value, in: &room)) }
            return ScenarioNode(.sequence(replaced), at: place)
        case .mapping(let entries):
            var replaced: [Entry] = []
            for entry in entries {
                let value = try entry.value.replacing(name, by: value, in: &room)
                replaced.append(Entry(key: entry.key, place: entry.place, value: value))
            }
            return ScenarioNode(.mapping(replaced), at: place)
        }
    }
}
