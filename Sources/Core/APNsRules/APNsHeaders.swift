/// A request's header list as sent, pseudo-headers included, in one flat array.
public struct APNsHeaders: Sendable, Equatable {
    /// A header that the rules look at.
    enum Known: Int, CaseIterable {
        case method, path, authorization, id, topic, pushType, expiration, priority, collapseId
    }

    /// Names and values one after another, then for each field where its name and where its value ends, as two
    /// bytes each with the lower one first.
    let bytes: [UInt8]
    /// The number of fields.
    let count: Int
    /// Whether `authorization` or a header whose name begins with `apns-` occurs twice.
    let hasDuplicates: Bool
    /// Where the value of the first field of each known name lies.
    private let places: Places

    /// Places of the known headers, inline.
    private struct Places: Sendable, Equatable {
        /// A range in the bytes; the end is below the start when the header is absent.
        struct Place: Sendable, Equatable {
            var start: UInt16 = 1
            var end: UInt16 = 0
            var isAbsent: Bool { start > end }
        }

        var method = Place(), path = Place(), authorization = Place(), id = Place(), topic = Place()
        var pushType = Place(), expiration = Place(), priority = Place(), collapseId = Place()

        subscript(known: Known) -> Place {
            get {
                switch known {
                case .method: method
                case .path: path
                case .authorization: authorization
                case .id: id
                case .topic: topic
                case .pushType: pushType
                case .expiration: expiration
                case .priority: priority
                case .collapseId: collapseId
                }
            }
            set {
                switch known {
                case .method: method = newValue
                case .path: path = newValue
                case .authorization: authorization = newValue
                case .id: id = newValue
                case .topic: topic = newValue
                case .pushType: pushType = newValue
                case .expiration: expiration = newValue
                case .priority: priority = newValue
                case .collapseId: collapseId = newValue
                }
            }
        }
    }

    /// Takes a flat list of `count` fields in the form of ``bytes``; one that is not in this form counts as empty.
    public init(bytes: [UInt8], count: Int) {
        var places = Places()
        var duplicates = Duplicates()
        var start = 0
        var isSound = count >= 0 && count <= bytes.count / 4
        let limit = isSound ? bytes.count - 4 * count : 0
        for index in 0..<(isSound ? count : 0) {
            let end = Self.bound(bytes, limit, 2 * index)
            let next = Self.bound(bytes, limit, 2 * index + 1)
            guard start <= end, end <= next, next <= limit else {
                isSound = false
                break
            }
            if let known = Self.known(bytes, start, end) {
                let place = Places.Place(
                    start: UInt16(truncatingIfNeeded: end),
                    end: UInt16(truncatingIfNeeded: next)
                )
                if places[known].isAbsent {
                    places[known] = place
                } else if known != .method && known != .path {
                    duplicates.found = true
                }
            } else {
                duplicates.note(bytes, start..<end)
            }
            start = next
        }
        isSound = isSound && start == limit
        self.bytes = isSound ? bytes : []
        self.count = isSound ? count : 0
        self.places = isSound ? places : Places()
        hasDuplicates = isSound && duplicates.found
    }

    /// Takes fields in order, as far as they fit in 64 KiB; names are in lower case.
    public init(_ fields: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        var bounds: [UInt8] = []
        for field in fields {
            guard bytes.count + field.name.utf8.count + field.value.utf8.count < Int(UInt16.max) else {
                break
            }
            for text in [field.name, field.value] {
                bytes.append(contentsOf: text.utf8)
                bounds.append(UInt8(truncatingIfNeeded: bytes.count))
                bounds.append(UInt8(truncatingIfNeeded: bytes.count >> 8))
            }
        }
        self.init(bytes: bytes + bounds, count: bounds.count / 4)
    }

    /// The fields in order; bytes that are not UTF-8 become U+FFFD.
    public var fields: [(name: String, value: String)] {
        let limit = bytes.count - 4 * count
        return (0..<count).map { index in
            let start = index == 0 ? 0 : Self.bound(bytes, limit, 2 * index - 1)
            let middle = Self.bound(bytes, limit, 2 * index)
            let end = Self.bound(bytes, limit, 2 * index + 1)
            return (
                String(decoding: bytes[start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<end], as: UTF8.self)
            )
        }
    }

    /// The names for which ``hasDuplicates`` holds, each once.
    var repeated: [String] {
        guard hasDuplicates else { return [] }
        var counts: [String: Int] = [:]
        return fields.map(\.name).filter { name in
            counts[name, default: 0] += 1
            return counts[name] == 2 && (name == "authorization" || name.hasPrefix("apns-"))
        }
    }

    /// Where the value of a known header lies in `bytes`; nil when the header is absent.
    func range(_ known: Known) -> Range<Int>? {
        let place = places[known]
        guard !place.isAbsent else { return nil }
        return Int(place.start)..<Int(place.end)
    }

    /// The value of a known header.
    func value(_ known: Known) -> ArraySlice<UInt8>? { range(known).map { bytes[$0] } }

    /// The value of a known header as text.
    func text(_ known: Known) -> String? { value(known).map { String(decoding: $0, as: UTF8.self) } }

    /// The bound of a number in the list of bounds that begins at `limit`.
    private static func bound(_ bytes: [UInt8], _ limit: Int, _ index: Int) -> Int {
        let span = bytes.span
        let place = limit &+ 2 &* index
        return Int(span[place]) | Int(span[place &+ 1]) << 8
    }

    /// Watches for headers of Apple's, beside the known ones, that occur twice.
    private struct Duplicates {
        var found = false
        private var names: [Range<Int>] = []

        mutating func note(_ bytes: [UInt8], _ name: Range<Int>) {
            guard
                APNsHeaders.matches(
                    bytes,
                    name.lowerBound,
                    min(name.upperBound, name.lowerBound + 5),
                    APNsHeaders.prefix
                )
            else { return }
            if names.contains(where: { bytes[$0] == bytes[name] }) { found = true }
            names.append(name)
        }
    }

    private static let prefix = Array("apns-".utf8)
    private static let method = Array(":method".utf8)
    private static let path = Array(":path".utf8)
    private static let authorization = Array("authorization".utf8)
    private static let id = Array("apns-id".utf8)
    private static let topic = Array("apns-topic".utf8)
    private static let pushType = Array("apns-push-type".utf8)
    private static let expiration = Array("apns-expiration".utf8)
    private static let priority = Array("apns-priority".utf8)
    private static let collapseId = Array("apns-collapse-id".utf8)

    private static func known(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Known? {
        switch end - start {
        case 5: matches(bytes, start, end, path) ? .path : nil
        case 7: matches(bytes, start, end, method) ? .method : matches(bytes, start, end, id) ? .id : nil
        case 10: matches(bytes, start, end, topic) ? .topic : nil
        case 13:
            matches(bytes, start, end, authorization)
                ? .authorization : matches(bytes, start, end, priority) ? .priority : nil
        case 14: matches(bytes, start, end, pushType) ? .pushType : nil
        case 15: matches(bytes, start, end, expiration) ? .expiration : nil
        case 16: matches(bytes, start, end, collapseId) ? .collapseId : nil
        default: nil
        }
    }

    /// Whether the bytes between two places are a name.
    static func matches(_ bytes: [UInt8], _ start: Int, _ end: Int, _ name: [UInt8]) -> Bool {
        guard end - start == name.count else { return false }
        let (span, wanted) = (bytes.span, name.span)
        for offset in 0..<wanted.count where span[start &+ offset] != wanted[offset] { return false }
        return true
    }
}
