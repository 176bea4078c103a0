/// The checks of single headers.
///
/// - Source: Apple, Sending notification requests to APNs (header fields)
enum HeaderRules {
    /// Most bytes of `apns-collapse-id`.
    private static let collapseIdBytes = 64
    /// Most bytes of a topic.
    private static let topicBytes = 255

    static func check(_ headers: APNsHeaders, fired: inout APNsRuleSet) {
        if !isPost(headers.bytes, headers.range(.method)) { fired.insert(.method) }
        if headers.hasDuplicates { fired.insert(.duplicateHeaders) }
        if let id = headers.range(.id), !APNsUUID.isCanonical(headers.bytes, in: id) { fired.insert(.id) }
        if let range = headers.range(.expiration), !isInteger(headers.bytes, range) {
            fired.insert(.expiration)
        }
        if let range = headers.range(.priority), !isPriority(headers.bytes, range) { fired.insert(.priority) }
        if let range = headers.range(.collapseId), range.count > collapseIdBytes { fired.insert(.collapseId) }
        if let type = headers.value(.pushType), !PushType.isKnown(type) { fired.insert(.pushType) }
        if let topic = headers.range(.topic), !topic.isEmpty {
            if !isTopic(headers.bytes, topic) { fired.insert(.topicInvalid) }
        } else {
            fired.insert(.topicMissing)
        }
    }

    private static func isPost(_ bytes: [UInt8], _ range: Range<Int>?) -> Bool {
        guard let range, range.count == 4 else { return false }
        return bytes[range.lowerBound] == UInt8(ascii: "P")
            && bytes[range.lowerBound + 1] == UInt8(ascii: "O")
            && bytes[range.lowerBound + 2] == UInt8(ascii: "S")
            && bytes[range.lowerBound + 3] == UInt8(ascii: "T")
    }

    private static func isPriority(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        switch range.count {
        case 1: bytes[range.lowerBound] == UInt8(ascii: "5") || bytes[range.lowerBound] == UInt8(ascii: "1")
        case 2:
            bytes[range.lowerBound] == UInt8(ascii: "1") && bytes[range.lowerBound + 1] == UInt8(ascii: "0")
        default: false
        }
    }

    /// Whether the value is an integer of 64 bits.
    private static func isInteger(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        if range.count == 1, bytes[range.lowerBound] == UInt8(ascii: "0") { return true }
        guard bytes[range].first != UInt8(ascii: "+") else { return false }
        return Int64(String(decoding: bytes[range], as: UTF8.self)) != nil
    }

    /// Whether the value has the form of a bundle id: letters, digits, `-`, `.` and `_`.
    private static func isTopic(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
        guard range.count <= topicBytes else { return false }
        let span = bytes.span
        for index in range {
            let byte = span[index]
            guard
                (byte | 32) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10
                    || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            else { return false }
        }
        return true
    }
}
