/// What to wait for on a descriptor.
public struct PollInterest: OptionSet, Equatable, Sendable {
    /// One bit for each direction.
    public let rawValue: UInt8

    /// An interest of its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// There is something to read, or the peer has closed its side.
    public static let read = PollInterest(rawValue: 1)
    /// There is room to write.
    public static let write = PollInterest(rawValue: 2)
}

/// A descriptor that became ready, named by the key it was added with.
public struct PollEvent: Sendable {
    /// The key it was added with.
    public let key: UInt64
    /// Whether reading will not block; also after a hang-up.
    public let isReadable: Bool
    /// Whether writing will not block; also after a hang-up.
    public let isWritable: Bool
}
