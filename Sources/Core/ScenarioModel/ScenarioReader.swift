import JSONValue

/// Reads a scenario from the nodes of its text, and finds every mistake that can be seen without a world.
public struct ScenarioReader {
    /// Gives the nodes of an included file, named as in the file that includes it.
    public typealias Loader = (_ name: String, _ place: ScenarioPlace) throws(ScenarioError) -> ScenarioNode

    /// Most steps of a story once its loops are written out.
    static let maximumSteps = 10_000
    /// Deepest inclusion of files in each other.
    static let maximumInclusions = 16
    private static let keys = ["name", "story", "seeds", "world", "parties", "steps", "scenes"]

    let allNodeNames: [String]
    /// Parties that are external whatever the file says.
    let external: [String]
    let load: Loader
    var names: ScenarioNames
    /// The files that are being included, from the outside in.
    var including: [String] = []
    var count = 0
    var room = LoopRoom()

    private init(nodeNames: [String], external: [String], load: @escaping Loader) {
        allNodeNames = nodeNames
        self.external = external
        names = ScenarioNames(nodes: [])
        self.load = load
    }

    /// Reads the root node of a file.
    ///
    /// `nodeNames` are what the nodes of a world are called, in order, `external` the parties that are so whatever the
    /// file says, and `load` gives the nodes of included files.
    public static func read(
        _ root: ScenarioNode,
        nodeNames: [String],
        external: [String] = [],
        load: @escaping Loader
    ) throws(ScenarioError) -> Scenario {
        var reader = ScenarioReader(nodeNames: nodeNames, external: external, load: load)
        reader.including = [root.place.file]
        return try reader.scenario(root)
    }

    private mutating func scenario(_ root: ScenarioNode) throws(ScenarioError) -> Scenario {
        guard let entries = root.entries else {
            throw ScenarioError(root.place, "a scenario is a mapping with name and steps, not \(root.found)")
        }
        var found: [String: ScenarioNode.Entry] = [:]
        for entry in entries {
            guard Self.keys.contains(entry.key) else {
                throw unknown(entry, "key", among: Self.keys)
            }
            found[entry.key] = entry
        }
        guard let name = found["name"] else { throw ScenarioError(root.place, "name is missing") }
        names.nodes = try nodeNames(found["world"]?.value)
        let title = try text(name.value, of: "name")
        let story = try found["story"].map { entry throws(ScenarioError) in
            try text(entry.value, of: "story")
        }
        let seeds =
            try found["seeds"].map { entry throws(ScenarioError) in try self.seeds(entry.value) } ?? []
        if let parties = found["parties"] { try declare(parties.value) }
        let scenes = try scenes(found["scenes"], steps: found["steps"], of: root)
        return Scenario(
            name: title,
            story: story,
            file: root.place.file,
            seeds: seeds,
            parties: names.parties,
            scenes: scenes
        )
    }

    /// The names of as many nodes as the world will have; its other settings are not checked here.
    private func nodeNames(_ world: ScenarioNode?) throws(ScenarioError) -> [String] {
        guard let world else { return Array(allNodeNames.prefix(1)) }
        guard case .mapping(let entries) = world.content else {
            if case .null = world.content { return Array(allNodeNames.prefix(1)) }
            throw ScenarioError(world.place, "world: a mapping of settings is expected, not \(world.found)")
        }
        guard let nodes = entries.first(where: { $0.key == "nodes" })?.value,
            case .integer(let count, _) = nodes.content
        else { return Array(allNodeNames.prefix(1)) }
        return Array(allNodeNames.prefix(max(1, Int(exactly: count) ?? 1)))
    }

    private func seeds(_ node: ScenarioNode) throws(ScenarioError) -> [UInt64] {
        guard case .sequence(let elements) = node.content, !elements.isEmpty else {
            throw ScenarioError(
                node.place,
                "seeds: a sequence of whole numbers is expected, not \(node.found)"
            )
        }
        var seeds: [UInt64] = []
        for element in elements {
            guard let seed = element.scalarText.flatMap({ UInt64($0) }), !seeds.contains(seed) else {
                throw ScenarioError(
                    element.place,
                    "seeds: whole numbers from 0 are expected, each once, not \(element.found)"
                )
            }
            seeds.append(seed)
        }
        return seeds
    }

    private mutating func scenes(
        _ scenes: ScenarioNode.Entry?,
        steps: ScenarioNode.Entry?,
        of root: ScenarioNode
    ) throws(ScenarioError) -> [Scene] {
        switch (scenes, steps) {
        case (nil, nil): throw ScenarioError(root.place, "steps is missing")
        case (let scenes?, .some):
            throw ScenarioError(scenes.place, "scenes: there are steps already; a story has one of both")
        case (nil, let steps?):
            return [Scene(title: nil, moral: nil, steps: try self.steps(steps.value))]
        case (let scenes?, nil):
            guard case .sequence(let elements) = scenes.value.content, !elements.isEmpty else {
                throw ScenarioError(
                    scenes.place,
                    "scenes: a sequence of scenes is expected, not \(scenes.value.found)"
                )
            }
            var result: [Scene] = []
            for element in elements { result.append(try scene(element)) }
            return result
        }
    }

    private mutating func scene(_ node: ScenarioNode) throws(ScenarioError) -> Scene {
        guard let entries = node.entries else {
            throw ScenarioError(node.place, "a scene is a mapping with title and steps, not \(node.found)")
        }
        var title: String?
        var moral: String?
        var steps: [Step]?
        for entry in entries {
            switch entry.key {
            case "title": title = try text(entry.value, of: "title")
            case "moral": moral = try text(entry.value, of: "moral")
            case "steps": steps = try self.steps(entry.value)
            default: throw unknown(entry, "key", among: ["title", "moral", "steps"])
            }
        }
        guard let title else { throw ScenarioError(node.place, "title is missing") }
        guard let steps else { throw ScenarioError(node.place, "steps is missing") }
        return Scene(title: title, moral: moral, steps: steps)
    }

    /// The error of a key that nobody knows.
    func unknown(_ entry: ScenarioNode.Entry, _ what: String, among known: [String]) -> ScenarioError {
        let hint = Suggestion.text(for: entry.key, among: known)
        return ScenarioError(
            entry.place,
            "unknown \(what) \(entry.key)\(hint); known here: \(known.joined(separator: ", "))"
        )
    }

    /// A text that is not empty.
    func text(_ node: ScenarioNode, of label: String) throws(ScenarioError) -> String {
        guard let text = node.scalarText, !text.isEmpty else {
            throw ScenarioError(node.place, "\(label): a text is expected, not \(node.found)")
        }
        var trimmed = text[...]
        while trimmed.last == "\n" { trimmed.removeLast() }
        return String(trimmed)
    }
}
