/// A node of a YAML document, resolved by the core schema, with its place.
public struct YAMLNode: Sendable, Equatable {
    /// One entry of a mapping.
    public struct Entry: Sendable, Equatable {
        /// The key.
        public let key: String
        /// Where the key stands.
        public let position: YAMLPosition
        /// What it stands for.
        public let value: YAMLNode
    }

    /// What a node is.
    public enum Content: Sendable, Equatable {
        /// `null`, `~` or nothing.
        case null
        /// `true` or `false`.
        case bool(Bool)
        /// An integer that fits, with its text as written.
        case integer(Int64, text: String)
        /// Any other number, with its text as written.
        case float(Double, text: String)
        /// A text.
        case string(String)
        /// A sequence.
        case sequence([YAMLNode])
        /// A mapping with its entries in order; a key occurs once.
        case mapping([Entry])
    }

    /// What it is.
    public let content: Content
    /// Where it begins.
    public let position: YAMLPosition

    /// A node at a place.
    public init(content: Content, position: YAMLPosition) {
        self.content = content
        self.position = position
    }

    /// The node of a mapping's key; nil when absent, or when this is no mapping.
    public subscript(_ key: String) -> YAMLNode? {
        guard case .mapping(let entries) = content else { return nil }
        return entries.first { $0.key == key }?.value
    }

    /// The text of a scalar as written; nil for null, sequences and mappings.
    ///
    /// `0.10` is a number to YAML, and its text is what a version means.
    public var scalarText: String? {
        switch content {
        case .bool(let value): value ? "true" : "false"
        case .integer(_, let text), .float(_, let text), .string(let text): text
        case .null, .sequence, .mapping: nil
        }
    }
}
