/// How many streams a client may have open at once, and how many it has.
///
/// nghttp2 refuses a stream above a limit, and ends the connection once the client has acknowledged it. So that every
/// stream above the limit is refused alone, nghttp2 is told of no limit, and the SETTINGS on their way out get ours.
struct HTTP2StreamLimit {
    /// What nghttp2 is told: the largest number of streams there can be.
    static let none: UInt32 = 0x7FFF_FFFF
    /// The header of a frame has 9 bytes, an entry of SETTINGS 6.
    private static let headerBytes = 9
    private static let entryBytes = 6
    private static let settingsType: UInt8 = 4
    private static let acknowledgement: UInt8 = 1
    private static let maximumConcurrentStreams: UInt8 = 3

    /// The limit as last announced.
    private(set) var current: UInt32
    /// Whether streams above it are refused.
    var isEnforced = true
    private var openStreams: UInt32 = 0
    /// Announced and not yet written.
    private var unwritten: [UInt32]
    /// How many SETTINGS the client has still to acknowledge.
    private var unacknowledged = 1

    init(_ limit: UInt32) {
        current = limit
        unwritten = [limit]
    }

    /// Whether the client has acknowledged the limit.
    var isAcknowledged: Bool { unacknowledged == 0 }

    mutating func announce(_ limit: UInt32) {
        current = limit
        unwritten.append(limit)
        unacknowledged += 1
    }

    mutating func acknowledged() { unacknowledged = max(0, unacknowledged - 1) }

    /// Counts a new stream; false when it is one too many.
    mutating func open() -> Bool {
        guard openStreams < current || !isEnforced else { return false }
        openStreams += 1
        return true
    }

    mutating func close() { openStreams -= openStreams > 0 ? 1 : 0 }

    /// Whether a frame that begins at a place is SETTINGS, not their acknowledgement.
    static func isSettings(_ bytes: [UInt8], from start: Int) -> Bool {
        bytes.count - start >= headerBytes && bytes[start + 3] == settingsType
            && bytes[start + 4] & acknowledgement == 0
    }

    /// Writes the limit that was announced into the SETTINGS that begin at a place.
    mutating func write(into bytes: inout [UInt8], from start: Int) {
        guard !unwritten.isEmpty else { return }
        let limit = unwritten.removeFirst()
        var entry = start + Self.headerBytes
        while entry + Self.entryBytes <= bytes.count {
            if bytes[entry] == 0, bytes[entry + 1] == Self.maximumConcurrentStreams {
                for place in 0..<4 {
                    bytes[entry + 2 + place] = UInt8(truncatingIfNeeded: limit >> UInt32(24 - 8 * place))
                }
            }
            entry += Self.entryBytes
        }
    }
}
