#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// The header list that is being read; header blocks never interleave, so that one is enough for a session.
///
/// SAFETY: owned by one session, hence used by one thread; writes stay within the capacities, which are checked.
@safe
struct HTTP2HeaderScratch {
    let stream: UnsafeMutablePointer<HTTP2Stream>?
    private let bytes: UnsafeMutablePointer<UInt8>
    private let bounds: UnsafeMutablePointer<UInt8>
    private let limit: Int
    private var byteCount = 0
    private var boundBytes = 0
    private var listSize = 0

    /// A list of so many bytes, counted as in RFC 9113, section 6.5.2.
    init(limit: Int) {
        self.limit = min(limit, Int(UInt16.max))
        unsafe stream = nil
        unsafe bytes = .allocate(capacity: self.limit)
        unsafe bounds = .allocate(capacity: (self.limit / 32 * 2 + 2) * 2)
    }

    private init(
        _ other: HTTP2HeaderScratch,
        stream: UnsafeMutablePointer<HTTP2Stream>?
    ) {
        limit = other.limit
        unsafe bytes = other.bytes
        unsafe bounds = other.bounds
        unsafe self.stream = stream
    }

    /// The same memory, empty, for a stream's list.
    func begun(for stream: UnsafeMutablePointer<HTTP2Stream>?) -> HTTP2HeaderScratch {
        unsafe HTTP2HeaderScratch(self, stream: stream)
    }

    /// Takes one field; false when the list gets too large.
    mutating func append(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> Bool {
        let size = name.count + value.count + 32
        guard size <= limit - listSize else { return false }
        listSize += size
        unsafe add(name)
        unsafe add(value)
        return true
    }

    /// The list as a block of its own.
    func block(place: Int) -> HTTP2HeaderBlock {
        let all = unsafe [UInt8](unsafeUninitializedCapacity: byteCount + boundBytes) { buffer, count in
            if let start = buffer.baseAddress {
                unsafe start.update(from: bytes, count: byteCount)
                unsafe (start + byteCount).update(from: bounds, count: boundBytes)
            }
            count = byteCount + boundBytes
        }
        return HTTP2HeaderBlock(bytes: all, count: boundBytes / 4, place: place)
    }

    /// Whether a block is this very list.
    func isEqual(to block: HTTP2HeaderBlock) -> Bool {
        guard block.bytes.count == byteCount + boundBytes else { return false }
        return unsafe block.bytes.withUnsafeBufferPointer { known in
            guard let start = known.baseAddress else { return true }
            return unsafe memcmp(start, bytes, byteCount) == 0
                && memcmp(start + byteCount, bounds, boundBytes) == 0
        }
    }

    func free() {
        unsafe bytes.deallocate()
        unsafe bounds.deallocate()
    }

    private mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        if let start = text.baseAddress { unsafe (bytes + byteCount).update(from: start, count: text.count) }
        byteCount += text.count
        unsafe bounds[boundBytes] = UInt8(truncatingIfNeeded: byteCount)
        unsafe bounds[boundBytes + 1] = UInt8(truncatingIfNeeded: byteCount >> 8)
        boundBytes += 2
    }
}
