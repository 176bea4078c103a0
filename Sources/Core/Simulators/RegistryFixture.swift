public import AdamantModel
import Determinism

/// Who registers which tokens, and which of these are dead: as large as a real service's registry, from a seed.
public struct RegistryFixture: Sendable {
    /// How large it is.
    public struct Size: Sendable, Equatable {
        /// Registrations.
        public var rows = 2600
        /// Addresses that have some.
        public var addresses = 1700
        /// How many the address with the most has.
        public var largest = 251
        /// Which part of the tokens is dead, from 0 to 1.
        public var deadShare = 0.25

        /// The size of the registry that was met in the field.
        public init() {}
    }

    /// What became of a token.
    public enum TokenFate: String, Sendable {
        /// It works.
        case active
        /// APNs answers 410, since a moment before the fixture was loaded.
        case unregistered
        /// APNs answers 400 BadDeviceToken.
        case bad
    }

    /// One registration.
    public struct Row: Sendable, Equatable {
        /// The number of its address, from 0; the first has the most rows.
        public let owner: Int
        /// 64 digits.
        public let token: String
        /// What became of the token.
        public let fate: TokenFate
        /// How long the token has been dead.
        public let deadSeconds: Int64
    }

    /// A size that nothing can have: the member and what is wrong with it.
    public struct SizeError: Error, Sendable, Equatable {
        /// `rows`, `addresses` or `largest`.
        public let field: String
        /// What was expected, for people.
        public let message: String
    }

    /// The registrations in the order in which they are made.
    public let rows: [Row]

    /// Most registrations.
    public static let maximumRows = 100_000
    /// One of so many dead tokens is a bad one.
    private static let badEvery = 5
    /// Longest time since a token died: 400 days.
    private static let maximumDeadSeconds: Int64 = 34_560_000

    /// Draws a registry.
    public init(seed: UInt64, size: Size) throws(SizeError) {
        try Self.check(size)
        var generator = SeededGenerator(seed: seed, purpose: "registry")
        var owners = Array(repeating: 0, count: size.largest) + Array(1..<max(size.addresses, 1))
        var counts = Array(repeating: 1, count: size.addresses)
        while owners.count < size.rows {
            // Who has several tokens gets more of them than others.
            let owner = owners[Int.random(in: size.largest..<owners.count, using: &generator)]
            guard counts[owner] < size.largest else {
                guard let other = counts.indices.dropFirst().first(where: { counts[$0] < size.largest })
                else {
                    break
                }
                counts[other] += 1
                owners.append(other)
                continue
            }
            counts[owner] += 1
            owners.append(owner)
        }
        owners.shuffle(using: &generator)
        let dead = Int((Double(owners.count) * size.deadShare).rounded())
        var ranks = Array(owners.indices)
        ranks.shuffle(using: &generator)
        rows = zip(owners, ranks).map { owner, rank in
            let fate: TokenFate =
                rank >= dead ? .active : rank.isMultiple(of: Self.badEvery) ? .bad : .unregistered
            let seconds = Int64.random(in: 1...Self.maximumDeadSeconds, using: &generator)
            return Row(
                owner: owner,
                token: Hex.encode(generator.bytes(32)),
                fate: fate,
                deadSeconds: fate == .active ? 0 : seconds
            )
        }
    }

    /// The registrations as text, one to a line, by which two machines can compare them.
    public func text(addresses: [Address]) -> String {
        rows.reduce(into: "") { text, row in
            text += "\(addresses[row.owner].text) \(row.token) \(row.fate.rawValue)\n"
        }
    }

    private static func check(_ size: Size) throws(SizeError) {
        guard (1...maximumRows).contains(size.rows) else {
            throw SizeError(field: "rows", message: "must be from 1 to \(maximumRows)")
        }
        guard (1...size.rows).contains(size.addresses) else {
            throw SizeError(field: "addresses", message: "must be from 1 to the number of rows")
        }
        let (most, hasMost) = size.addresses.multipliedReportingOverflow(by: size.largest)
        guard (1...(size.rows - size.addresses + 1)).contains(size.largest), hasMost || most >= size.rows
        else {
            throw SizeError(
                field: "largest",
                message: "must leave every address a row, and no row without an address"
            )
        }
    }
}
