/// A request's header list as sent, pseudo-headers included, in two flat arrays.
public struct APNsHeaders: Sendable, Equatable {
    /// A header that the rules look at.
    enum Known: Int, CaseIterable {
        case method, path, authorization, id, topic, pushType, expiration, priority, collapseId
    }

    /// Names and values one after another.
    let bytes: [UInt8]
    /// For each field where its name ends and where its value ends.
    let bounds: [UInt16]
    /// Whether `authorization` or a header whose name begins with `apns-` occurs twice.
    let hasDuplicates: Bool
    /// The number of the first field of each known name, or -1.
    private let places: Places

    /// Places of the known headers, inline.
    private struct Places: Sendable, Equatable {
        var method: Int16 = -1, path: Int16 = -1, authorization: Int16 = -1, id: Int16 = -1, topic: Int16 = -1
        var pushType: Int16 = -1, expiration: Int16 = -1, priority: Int16 = -1, collapseId: Int16 = -1

        subscript(known: Known) -> Int16 {
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

    /// Takes a flat list: `bounds` holds for each field where its name and where its value ends in `bytes`.
    ///
    /// A list whose bounds do not fit the bytes counts as empty.
    public init(bytes: [UInt8], bounds: [UInt16]) {
        let isSound = Self.isSound(bounds, byteCount: bytes.count)
        self.bytes = isSound ? bytes : []
        self.bounds = isSound ? bounds : []
        var places = Places()
        var hasDuplicates = false
        var others: [Range<Int>] = []
        var start = 0
        for index in 0..<self.bounds.count / 2 {
            let end = Int(self.bounds[2 * index])
            if let known = Self.known(bytes, start, end) {
                if places[known] < 0 {
                    places[known] = Int16(truncatingIfNeeded: index)
                } else if known != .method && known != .path {
                    hasDuplicates = true
                }
            } else if Self.matches(bytes, start, min(end, start + 5), Self.prefix) {
                if others.contains(where: { bytes[$0] == bytes[start..<end] }) { hasDuplicates = true }
                others.append(start..<end)
            }
            start = Int(self.bounds[2 * index + 1])
        }
        self.places = places
        self.hasDuplicates = hasDuplicates
    }

    /// Takes fields in order; names are in lower case.
    public init(_ fields: [(name: String, value: String)]) {
        var bytes: [UInt8] = []
        var bounds: [UInt16] = []
        for field in fields {
            bytes.append(contentsOf: field.name.utf8)
            bounds.append(UInt16(clamping: bytes.count))
            bytes.append(contentsOf: field.value.utf8)
            bounds.append(UInt16(clamping: bytes.count))
        }
        self.init(bytes: bytes, bounds: bounds)
    }

    /// The fields in order; bytes that are not UTF-8 become U+FFFD.
    public var fields: [(name: String, value: String)] {
        (0..<bounds.count / 2).map { index in
            let start = index == 0 ? 0 : Int(bounds[2 * index - 1])
            let middle = Int(bounds[2 * index])
            return (
                String(decoding: bytes[start..<middle], as: UTF8.self),
                String(decoding: bytes[middle..<Int(bounds[2 * index + 1])], as: UTF8.self)
            )
        }
    }

    /// Where the value of a known header lies in `bytes`; nil when the header is absent.
    func range(_ known: Known) -> Range<Int>? {
        let place = Int(places[known])
        guard place >= 0 else { return nil }
        return Int(bounds[2 * place])..<Int(bounds[2 * place + 1])
    }

    /// The value of a known header.
    func value(_ known: Known) -> ArraySlice<UInt8>? { range(known).map { bytes[$0] } }

    /// The value of a known header as text.
    func text(_ known: Known) -> String? { value(known).map { String(decoding: $0, as: UTF8.self) } }

    private static func isSound(_ bounds: [UInt16], byteCount: Int) -> Bool {
        guard bounds.count % 2 == 0, bounds.count < 2 * Int(Int16.max) else { return false }
        var last: UInt16 = 0
        for bound in bounds {
            guard bound >= last else { return false }
            last = bound
        }
        return Int(last) <= byteCount
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
