extension YAMLNode {
    /// Deepest nesting that is read.
    public static let maximumDepth = 64
    /// Most nodes of a document, those that aliases repeat included.
    public static let maximumNodes = 200_000

    /// Reads a text that holds one document; one without any content is null.
    ///
    /// Keys are scalars and occur once; tags are those of the core schema; aliases are copies.
    public init(parsing bytes: [UInt8]) throws(YAMLError) {
        var composer = YAMLComposer(reader: try YAMLEventReader(bytes))
        self = try composer.document()
    }
}

/// Builds nodes from events.
private struct YAMLComposer {
    let reader: YAMLEventReader
    private var anchors: [String: YAMLNode] = [:]
    private var nodes = 0

    init(reader: YAMLEventReader) {
        self.reader = reader
    }

    mutating func document() throws(YAMLError) -> YAMLNode {
        let start = try reader.next()
        guard start.kind == .documentStart else {
            return YAMLNode(content: .null, position: start.position)
        }
        let root = try node(try reader.next(), depth: 0)
        _ = try reader.next()
        let end = try reader.next()
        guard end.kind == .streamEnd else {
            throw YAMLError(position: end.position, message: "only one document is expected")
        }
        return root
    }

    private mutating func node(_ event: YAMLEvent, depth: Int) throws(YAMLError) -> YAMLNode {
        guard depth <= YAMLNode.maximumDepth else {
            throw YAMLError(
                position: event.position,
                message: "nested deeper than \(YAMLNode.maximumDepth)"
            )
        }
        try count(1, at: event.position)
        if case .alias(let name) = event.kind { return try copy(of: name, at: event.position, depth: depth) }
        let tag = try coreTag(of: event)
        let content: YAMLNode.Content
        switch event.kind {
        case .scalar(let text, let isPlain):
            content = try YAMLCoreSchema.resolve(text, isPlain: isPlain, tag: tag, at: event.position)
        case .sequenceStart:
            try expect(tag, "seq", at: event.position)
            content = .sequence(try elements(depth: depth))
        case .mappingStart:
            try expect(tag, "map", at: event.position)
            content = .mapping(try entries(depth: depth))
        default:
            throw YAMLError(position: event.position, message: "a value is expected")
        }
        let node = YAMLNode(content: content, position: event.position)
        if let anchor = event.anchor { anchors[anchor] = node }
        return node
    }

    private mutating func elements(depth: Int) throws(YAMLError) -> [YAMLNode] {
        var elements: [YAMLNode] = []
        while true {
            let event = try reader.next()
            guard event.kind != .sequenceEnd else { return elements }
            elements.append(try node(event, depth: depth + 1))
        }
    }

    private mutating func entries(depth: Int) throws(YAMLError) -> [YAMLNode.Entry] {
        var entries: [YAMLNode.Entry] = []
        var places: [String: YAMLPosition] = [:]
        while true {
            let event = try reader.next()
            guard event.kind != .mappingEnd else { return entries }
            guard case .scalar(let key, _) = event.kind else {
                throw YAMLError(position: event.position, message: "a key must be a plain word or a text")
            }
            if let first = places[key] {
                throw YAMLError(
                    position: event.position,
                    message: "the key \(key) is there already, in line \(first.line)"
                )
            }
            places[key] = event.position
            let value = try node(try reader.next(), depth: depth + 1)
            entries.append(YAMLNode.Entry(key: key, position: event.position, value: value))
        }
    }

    private mutating func copy(of anchor: String, at position: YAMLPosition, depth: Int)
        throws(YAMLError) -> YAMLNode
    {
        guard let node = anchors[anchor] else {
            throw YAMLError(position: position, message: "there is no anchor \(anchor) before this")
        }
        let size = node.size
        guard depth + size.depth <= YAMLNode.maximumDepth else {
            throw YAMLError(position: position, message: "nested deeper than \(YAMLNode.maximumDepth)")
        }
        try count(size.nodes, at: position)
        return YAMLNode(content: node.content, position: position)
    }

    private mutating func count(_ more: Int, at position: YAMLPosition) throws(YAMLError) {
        nodes += more
        guard nodes <= YAMLNode.maximumNodes else {
            throw YAMLError(position: position, message: "more than \(YAMLNode.maximumNodes) values")
        }
    }

    private func coreTag(of event: YAMLEvent) throws(YAMLError) -> String? {
        guard let tag = event.tag else { return nil }
        let prefix = "tag:yaml.org,2002:"
        if tag == "!" { return event.kind == .sequenceStart || event.kind == .mappingStart ? nil : "str" }
        guard tag.hasPrefix(prefix), YAMLCoreSchema.tags.contains(String(tag.dropFirst(prefix.count))) else {
            throw YAMLError(position: event.position, message: "the tag \(tag) is not known")
        }
        return String(tag.dropFirst(prefix.count))
    }

    private func expect(_ tag: String?, _ own: String, at position: YAMLPosition) throws(YAMLError) {
        guard tag == nil || tag == own else {
            throw YAMLError(position: position, message: "this is no !!\(tag ?? "")")
        }
    }
}

extension YAMLNode {
    /// How many nodes it holds, itself included, and how deep they nest; bounded as it was read.
    fileprivate var size: (nodes: Int, depth: Int) {
        let children: [YAMLNode]
        switch content {
        case .sequence(let elements): children = elements
        case .mapping(let entries): children = entries.map(\.value)
        case .null, .bool, .integer, .float, .string: return (1, 0)
        }
        return children.reduce((1, 0)) { total, child in
            let size = child.size
            return (total.0 + size.nodes, max(total.1, size.depth + 1))
        }
    }
}
