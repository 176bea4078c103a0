internal import CZlib

/// How a body is packed for the wire.
public enum ContentCoding: String, Sendable {
    /// zlib's format with gzip's frame.
    case gzip
    /// zlib's format.
    case deflate

    /// The coding a client accepts, gzip first, by its `Accept-Encoding` field; nil for none.
    ///
    /// - Source: RFC 9110, section 12.5.3 (a quality of 0 refuses, `*` stands for all that are not named)
    public init?(accepted field: String) {
        var refused: Set<Substring> = []
        var accepted: Set<Substring> = []
        for part in field.lowercased().split(separator: ",") {
            let pieces = part.split(separator: ";").map { $0.trimmed }
            guard let name = pieces.first, !name.isEmpty else { continue }
            let quality = pieces.dropFirst().first { $0.hasPrefix("q=") }.map { $0.dropFirst(2) }
            let isRefused = quality.map { $0.allSatisfy { $0 == "0" || $0 == "." } } ?? false
            if isRefused { refused.insert(name) } else { accepted.insert(name) }
        }
        let choices: [ContentCoding] = [.gzip, .deflate]
        let choice = choices.first {
            accepted.contains($0.rawValue[...])
                || (accepted.contains("*") && !refused.contains($0.rawValue[...]))
        }
        guard let choice else { return nil }
        self = choice
    }

    /// The packed bytes at a level of 1 (fast) to 9 (small); nil without memory.
    public func encode(_ bytes: [UInt8], level: Int32 = 9) -> [UInt8]? {
        var stream = unsafe z_stream()
        guard unsafe CZlib_start(&stream, level, self == .gzip ? 31 : 15) == Z_OK,
            let count = UInt32(exactly: bytes.count)
        else { return nil }
        defer { unsafe deflateEnd(&stream) }
        let bound = unsafe Int(deflateBound(&stream, UInt(count)))
        var status = Z_OK
        let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, length in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = count
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = UInt32(clamping: bound)
                unsafe status = CZlib.deflate(&stream, Z_FINISH)
            }
            length = unsafe Int(stream.total_out)
        }
        return status == Z_STREAM_END ? packed : nil
    }

    /// What unpacking came to.
    public enum Unpacked: Hashable, Sendable {
        /// The bytes that were packed.
        case bytes([UInt8])
        /// They would be more than allowed.
        case tooLarge
        /// Not in this coding, or cut short.
        case malformed
    }

    /// The bytes that were packed, if they are not more than allowed.
    public func decode(_ bytes: [UInt8], maximumBytes: Int) -> Unpacked {
        var stream = unsafe z_stream()
        guard unsafe CZlib_startReading(&stream, self == .gzip ? 31 : 15) == Z_OK,
            let count = UInt32(exactly: bytes.count), let room = UInt32(exactly: maximumBytes + 1)
        else { return .malformed }
        defer { unsafe inflateEnd(&stream) }
        var status = Z_OK
        let unpacked = unsafe [UInt8](unsafeUninitializedCapacity: Int(room)) { output, length in
            unsafe bytes.withUnsafeBufferPointer { input in
                unsafe stream.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
                unsafe stream.avail_in = count
                unsafe stream.next_out = output.baseAddress
                unsafe stream.avail_out = room
                unsafe status = inflate(&stream, Z_FINISH)
            }
            length = unsafe Int(stream.total_out)
        }
        if unpacked.count > maximumBytes { return .tooLarge }
        return status == Z_STREAM_END ? .bytes(unpacked) : .malformed
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
