import ControlServer
import Simulators

/// What `POST /v1/fixtures/registry` asks for, checked.
struct RegistryFixtureForm {
    /// How the registrations come onto the chain.
    enum Way: String, CaseIterable {
        /// In blocks of their own, at once.
        case direct
        /// Posted to the nodes over HTTP, with a block after each 25.
        case nodes
    }

    static let members = ["seed", "rows", "addresses", "largest", "deadShare", "via"]

    let seed: UInt64
    let size: RegistryFixture.Size
    let fixture: RegistryFixture
    let way: Way

    init(_ body: ControlBody, worldSeed: UInt64) throws(ControlError) {
        seed = try body.integer("seed", in: 0...Int64.max).map(UInt64.init) ?? worldSeed
        var size = RegistryFixture.Size()
        let counts = 1...Int64(RegistryFixture.maximumRows)
        size.rows = try body.integer("rows", in: counts).map(Int.init) ?? size.rows
        size.addresses =
            try body.integer("addresses", in: counts).map(Int.init) ?? min(size.addresses, size.rows)
        let room = size.rows - size.addresses + 1
        size.largest =
            try body.integer("largest", in: counts).map(Int.init) ?? max(1, min(size.largest, room))
        size.deadShare = try body.double("deadShare", in: 0...1) ?? size.deadShare
        way = try body.word("via", as: Way.self) ?? .direct
        self.size = size
        do throws(RegistryFixture.SizeError) {
            fixture = try RegistryFixture(seed: seed, size: size)
        } catch {
            throw .invalid(error.field, "\(error.field) \(error.message)")
        }
    }
}

/// What `POST /v1/fixtures/accounts` asks for, checked.
struct AccountsFixtureForm {
    static let members = ["seed", "count", "balance"]

    let seed: UInt64
    let count: Int
    let balance: Int64

    init(_ body: ControlBody, worldSeed: UInt64) throws(ControlError) {
        seed = try body.integer("seed", in: 0...Int64.max).map(UInt64.init) ?? worldSeed
        let counts = 1...Int64(FixtureAccounts.maximum)
        guard let count = try body.integer("count", in: counts) else {
            throw .invalid(
                "count",
                "count is required: how many accounts, at most \(FixtureAccounts.maximum)"
            )
        }
        self.count = Int(count)
        balance = try body.amount("balance") ?? 1_000_000_000
        guard balance > 0 else { throw .invalid("balance", "balance must be above 0") }
    }
}
