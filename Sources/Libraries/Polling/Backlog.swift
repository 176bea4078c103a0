/// Bytes that the other side of a socket has not taken yet, the oldest first.
public struct Backlog: Sendable {
    /// What was taken is kept up to so many bytes, lest all that follows is moved each time.
    static let maximumTaken = 1 << 20

    /// With those in front that were taken.
    private(set) var bytes: [UInt8]
    private var taken = 0

    /// Bytes to begin with.
    public init(_ bytes: some Collection<UInt8> = []) { self.bytes = Array(bytes) }

    /// How many bytes wait.
    public var count: Int { bytes.count - taken }

    /// Whether all was taken.
    public var isEmpty: Bool { taken == bytes.count }

    /// Puts bytes behind those that wait.
    public mutating func append(_ more: [UInt8]) { bytes += more }

    /// Lets a closure append to the bytes that wait; it must not change them.
    public mutating func append<Result>(by append: (inout [UInt8]) -> Result) -> Result { append(&bytes) }

    /// Shows a closure the bytes that wait.
    public func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        unsafe bytes.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[taken...])) }
    }

    /// Forgets the first bytes, which the other side has taken.
    public mutating func drop(_ count: Int) {
        taken += count
        if isEmpty {
            self = Backlog()
        } else if taken > Self.maximumTaken {
            bytes.removeFirst(taken)
            taken = 0
        }
    }
}
