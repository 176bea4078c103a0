/// A place in a file, counted from 1.
public struct YAMLPosition: Hashable, Sendable, CustomStringConvertible {
    /// The line.
    public let line: Int
    /// The column, in characters.
    public let column: Int

    /// A place.
    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    /// The place as compilers print it.
    public var description: String { "\(line):\(column)" }
}

/// A text that is not YAML, or uses what is not accepted here.
public struct YAMLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where.
    public let position: YAMLPosition
    /// What is wrong, for people.
    public let message: String

    /// An error at a place.
    public init(position: YAMLPosition, message: String) {
        self.position = position
        self.message = message
    }

    /// The place with what is wrong there.
    public var description: String { "\(position): \(message)" }
}

/// One event of a YAML stream.
public struct YAMLEvent: Sendable, Equatable {
    /// What happened.
    public enum Kind: Sendable, Equatable {
        /// A document begins.
        case documentStart
        /// A document ends.
        case documentEnd
        /// A scalar; one that is not plain is quoted or a block.
        case scalar(String, isPlain: Bool)
        /// A sequence begins.
        case sequenceStart
        /// A sequence ends.
        case sequenceEnd
        /// A mapping begins; keys and values follow in turn.
        case mappingStart
        /// A mapping ends.
        case mappingEnd
        /// The node of an anchor again.
        case alias(String)
        /// The stream ends.
        case streamEnd
    }

    /// What happened.
    public let kind: Kind
    /// Where it begins.
    public let position: YAMLPosition
    /// The node's tag as resolved by the document's prefixes; nil without one.
    public let tag: String?
    /// The node's anchor; nil without one.
    public let anchor: String?
}
