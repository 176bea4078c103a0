/// Several packets in one body of the polling transport.
///
/// - Source: engine.io-protocol, engine.io-parser (revision 3: its versions 2)
public enum EnginePayload {
    private static let separator: UInt8 = 0x1E
    private static let colon = UInt8(ascii: ":")
    /// Most digits of a length; more than any body has bytes.
    private static let maximumDigits = 9

    /// Packets as the body of an answer; in revision 3 each with its length in UTF-16 code units.
    public static func encode(_ packets: [EnginePacket], revision: EngineRevision) -> [UInt8] {
        switch revision {
        case .four: return Array(packets.map(\.text).joined(separator: [separator]))
        case .three:
            return packets.flatMap { packet -> [UInt8] in
                let text = packet.text
                let length = String(decoding: text, as: UTF8.self).utf16.count
                return Array("\(length):".utf8) + text
            }
        }
    }

    /// The packets of a posted body in order; the last is nil where something follows that is no packet.
    static func decode(_ body: [UInt8], revision: EngineRevision, isBinary: Bool) -> [EnginePacket?] {
        switch revision {
        case .four: decodeSeparated(body)
        case .three: isBinary ? decodeFramed(body) : decodeCounted(body)
        }
    }

    private static func decodeSeparated(_ body: [UInt8]) -> [EnginePacket?] {
        var packets: [EnginePacket?] = []
        for part in body.split(separator: separator, omittingEmptySubsequences: false) {
            let packet = EnginePacket(text: part)
            packets.append(packet)
            if packet == nil { break }
        }
        return packets
    }

    /// `length:packet…`, in UTF-16 code units.
    private static func decodeCounted(_ body: [UInt8]) -> [EnginePacket?] {
        var packets: [EnginePacket?] = []
        var rest = Array(String(decoding: body, as: UTF8.self).utf16)[...]
        repeat {
            let digits = rest.prefix(maximumDigits).prefix { (48...57).contains($0) }
            let length = digits.reduce(0) { $0 * 10 + Int($1) - 48 }
            rest = rest.dropFirst(digits.count)
            guard !digits.isEmpty, rest.first == UInt16(colon), rest.count > length else {
                return packets + [nil]
            }
            let text = Array(String(decoding: rest.dropFirst().prefix(length), as: UTF16.self).utf8)
            rest = rest.dropFirst(length + 1)
            guard !text.isEmpty else { continue }
            let packet = EnginePacket(text: text[...])
            packets.append(packet)
            if packet == nil { return packets }
        } while !rest.isEmpty
        return packets
    }

    /// A byte 0 for text or 1 for bytes, the length in bytes digit by digit, 255, the packet.
    private static func decodeFramed(_ body: [UInt8]) -> [EnginePacket?] {
        var packets: [EnginePacket?] = []
        var rest = body[...]
        while let kind = rest.popFirst() {
            let digits = rest.prefix(maximumDigits).prefix { $0 <= 9 }
            let length = digits.reduce(0) { $0 * 10 + Int($1) }
            rest = rest.dropFirst(digits.count)
            guard kind <= 1, !digits.isEmpty, rest.first == 255, rest.count > length else {
                return packets + [nil]
            }
            let packet = packet(rest.dropFirst().prefix(length), isText: kind == 0)
            rest = rest.dropFirst(length + 1)
            packets.append(packet)
            if packet == nil { return packets }
        }
        return packets.isEmpty ? [nil] : packets
    }

    /// A packet by itself; in revision 3 a binary one tells its type in its first byte.
    static func packet(_ bytes: ArraySlice<UInt8>, isText: Bool) -> EnginePacket? {
        guard !isText else { return EnginePacket(text: bytes) }
        return bytes.first.map { $0 == 4 } == true ? .binary : nil
    }
}
