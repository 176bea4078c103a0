/// The members of a JSON object, in order; a key occurs once.
public struct JSONObject: Hashable, Sendable {
    /// One member.
    public struct Member: Hashable, Sendable {
        /// The name.
        public let key: String
        /// The value.
        public var value: JSONValue

        /// A member.
        public init(key: String, value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// The members in order.
    public private(set) var members: [Member]

    /// An object without members.
    public init() {
        members = []
    }

    /// An object of members in the order given; a repeated key keeps its first place and its last value.
    public init(_ pairs: [(String, JSONValue)]) {
        self.init(merging: pairs.map { Member(key: $0.0, value: $0.1) })
    }

    /// An object of members as parsed; a repeated key keeps its first place and its last value.
    ///
    /// - Source: ECMA-262, `JSON.parse`
    public init(merging parsed: [Member]) {
        if parsed.count > 24 {
            members = Self.mergedLarge(parsed)
        } else {
            members = Self.hasRepetition(parsed) ? Self.mergedSmall(parsed) : parsed
        }
    }

    /// The value of a member; setting nil removes it, setting a new key appends it.
    public subscript(_ key: String) -> JSONValue? {
        get {
            // By place: taking the members themselves would make copies of them.
            for index in members.indices where Self.isSame(members[index].key, key) {
                return members[index].value
            }
            return nil
        }
        set {
            let index = members.firstIndex { Self.isSame($0.key, key) }
            switch (index, newValue) {
            case (let index?, let value?): members[index].value = value
            case (let index?, nil): members.remove(at: index)
            case (nil, let value?): members.append(Member(key: key, value: value))
            case (nil, nil): break
            }
        }
    }

    /// Whether there is a member of a name, which is told without a copy of its value.
    public func holds(_ key: String) -> Bool {
        members.indices.contains { Self.isSame(members[$0].key, key) }
    }

    /// The names in order.
    public var keys: [String] { members.map(\.key) }

    /// Appends a member whose key is known to be new.
    public mutating func append(_ key: String, _ value: JSONValue) {
        members.append(Member(key: key, value: value))
    }

    /// Whether two keys are the same in JavaScript's sense.
    ///
    /// Swift's `==` also holds for canonically equivalent text, such as `K` and the Kelvin sign; it is asked before the
    /// bytes because it is fast, and after the lengths because those are known. What is equivalent to ASCII and not
    /// ASCII itself is longer, and only ASCII has as many UTF-8 as UTF-16 units, which strings know without counting.
    private static func isSame(_ left: String, _ right: String) -> Bool {
        guard left.utf8.count == right.utf8.count, left == right else { return false }
        return right.utf8.count == right.utf16.count || left.utf8.elementsEqual(right.utf8)
    }

    private static func hasRepetition(_ parsed: [Member]) -> Bool {
        for index in parsed.indices {
            for earlier in 0..<index where isSame(parsed[earlier].key, parsed[index].key) { return true }
        }
        return false
    }

    private static func mergedSmall(_ parsed: [Member]) -> [Member] {
        var result: [Member] = []
        result.reserveCapacity(parsed.count)
        for member in parsed {
            if let index = result.firstIndex(where: { isSame($0.key, member.key) }) {
                result[index].value = member.value
            } else {
                result.append(member)
            }
        }
        return result
    }

    private static func mergedLarge(_ parsed: [Member]) -> [Member] {
        var places: [[UInt8]: Int] = [:]
        var result: [Member] = []
        for member in parsed {
            let bytes = Array(member.key.utf8)
            if let index = places[bytes] {
                result[index].value = member.value
            } else {
                places[bytes] = result.count
                result.append(member)
            }
        }
        return result
    }
}
