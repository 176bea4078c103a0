/// What to wait for on a descriptor.
struct PollInterest: OptionSet, Equatable {
    let rawValue: UInt8
    static let read = PollInterest(rawValue: 1)
    static let write = PollInterest(rawValue: 2)
}

/// A descriptor that became ready, named by the key it was added with.
struct PollEvent {
    let key: UInt64
    let isReadable: Bool
    let isWritable: Bool
}
