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
        let isSound = Self.isSound(bytes, count)
        self.bytes = isSound ? bytes : []
        self.count = isSound ? count : 0
        var places = Places()
        var hasDuplicates = false
        var others: [Range<Int>] = []
        var start = 0
        for index in 0..<self.count {
            let end = Self.bound(bytes, count, 2 * index)
            let next = Self.bound(bytes, count, 2 * index + 1)
            if let known = Self.known(bytes, start, end) {
                if places[known].start > places[known].end {
                    places[known] = Places.Place(
                        start: UInt16(truncatingIfNeeded: end),
                        end: UInt16(truncatingIfNeeded: next)
                    )
                } else if known != .method && known != .path {
                    hasDuplicates = true
                }
            } else if Self.matches(bytes, start, min(end, start + 5), Self.prefix) {
                if others.contains(where: { bytes[$0] == bytes[start..<end] }) { hasDuplicates = true }
                others.append(start..<end)
            }
            start = next
        }
        self.places = places
        self.hasDuplicates = hasDuplicates
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
        (0..<count).map { index in
            let start = index == 0 ? 0 : Self.bound(bytes, count, 2 * index - 1)
            let middle = Self.bound(bytes, count, 2 * index)
            let end = Self.bound(bytes, count, 2 * index + 1)
            return (
                String(decoding: bytes[start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<end], as: UTF8.self)
            )
        }
    }

    /// Where the value of a known header lies in `bytes`; nil when the header is absent.
    func range(_ known: Known) -> Range<Int>? {
        let place = places[known]
        guard place.start <= place.end else { return nil }
        return Int(place.start)..<Int(place.end)
    }

    /// The value of a known header.
    func value(_ known: Known) -> ArraySlice<UInt8>? { range(known).map { bytes[$0] } }

    /// The value of a known header as text.
    func text(_ known: Known) -> String? { value(known).map { String(decoding: $0, as: UTF8.self) } }

    private static func bound(_ bytes: [UInt8], _ count: Int, _ index: Int) -> Int {
        let place = bytes.count - 4 * count + 2 * index
        return Int(bytes[place]) | Int(bytes[place + 1]) << 8
    }

    private static func isSound(_ bytes: [UInt8], _ count: Int) -> Bool {
        guard count >= 0, count <= bytes.count / 4 else { return false }
        var last = 0
        for index in 0..<2 * count {
            let bound = bound(bytes, count, index)
            guard bound >= last else { return false }
            last = bound
        }
        return last == bytes.count - 4 * count
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

    private static func matches(_ bytes: [UInt8], _ start: Int, _ end: Int, _ name: [UInt8]) -> Bool {
        guard end - start == name.count else { return false }
        for offset in 0..<name.count where bytes[start + offset] != name[offset] { return false }
        return true
    }
}
