import Files
public import ScenarioModel
public import YAMLEvents

/// A scenario with what its text says of the world, which another reader checks.
public struct ScenarioSource: Sendable {
    /// The story.
    public let scenario: Scenario
    /// The settings of the world, as in `mocknet.yml`; nil without any.
    public let world: YAMLNode?

    /// Reads a scenario from a file.
    ///
    /// `nodeNames` are what the nodes of a world are called, `external` the parties that are so whatever the file says.
    public init(file path: String, nodeNames: [String], external: [String] = []) throws(ScenarioError) {
        let start = ScenarioPlace(file: path, line: 1, column: 1)
        try self.init(Self.bytes(path, start), name: path, nodeNames: nodeNames, external: external) {
            name,
            place throws(ScenarioError) in
            let folder = place.file.contains("/") ? place.file.prefix(through: place.file.lastSlash) : ""
            let included = name.hasPrefix("/") ? name : folder + name
            return ScenarioNode(try Self.yaml(Self.bytes(included, place), name: included), file: included)
        }
    }

    /// Reads a scenario that has no file, and so includes none: YAML, of which JSON is a part.
    ///
    /// Errors call it `name`.
    public init(text bytes: [UInt8], name: String, nodeNames: [String]) throws(ScenarioError) {
        try self.init(bytes, name: name, nodeNames: nodeNames, external: []) {
            _,
            place throws(ScenarioError) in
            throw ScenarioError(place, "include: there are no files here; the text has to hold everything")
        }
    }

    private init(
        _ bytes: [UInt8],
        name: String,
        nodeNames: [String],
        external: [String],
        load: @escaping ScenarioReader.Loader
    ) throws(ScenarioError) {
        let root = try Self.yaml(bytes, name: name)
        scenario = try ScenarioReader.read(
            ScenarioNode(root, file: name),
            nodeNames: nodeNames,
            external: external,
            load: load
        )
        world = root["world"]
    }

    private static func bytes(_ path: String, _ place: ScenarioPlace) throws(ScenarioError) -> [UInt8] {
        do throws(FileError) {
            return try Files.read(path)
        } catch {
            throw ScenarioError(place, "\(error)")
        }
    }

    private static func yaml(_ bytes: [UInt8], name: String) throws(ScenarioError) -> YAMLNode {
        do throws(YAMLError) {
            return try YAMLNode(parsing: bytes)
        } catch {
            let place = ScenarioPlace(file: name, line: error.position.line, column: error.position.column)
            throw ScenarioError(place, error.message)
        }
    }
}

extension ScenarioNode {
    /// The node of a text in YAML.
    init(_ node: YAMLNode, file: String) {
        let content: Content
        switch node.content {
        case .null: content = .null
        case .bool(let value): content = .bool(value)
        case .integer(let value, let text): content = .integer(value, text: text)
        case .float(let value, let text): content = .float(value, text: text)
        case .string(let text): content = .string(text)
        case .sequence(let elements):
            content = .sequence(elements.map { ScenarioNode($0, file: file) })
        case .mapping(let entries):
            content = .mapping(
                entries.map { entry in
                    Entry(
                        key: entry.key,
                        place: ScenarioPlace(entry.position, file: file),
                        value: ScenarioNode(entry.value, file: file)
                    )
                }
            )
        }
        self.init(content, at: ScenarioPlace(node.position, file: file))
    }
}

extension ScenarioPlace {
    fileprivate init(_ position: YAMLPosition, file: String) {
        self.init(file: file, line: position.line, column: position.column)
    }
}

extension String {
    /// Where the last slash stands, or the beginning.
    fileprivate var lastSlash: Index { lastIndex(of: "/") ?? startIndex }
}
