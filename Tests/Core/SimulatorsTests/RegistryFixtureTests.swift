import Simulators
import Testing

@Suite("Fixtures: the registry")
struct RegistryFixtureTests {
    private func size(_ rows: Int, _ addresses: Int, _ largest: Int, dead: Double = 0) -> RegistryFixture.Size
    {
        var size = RegistryFixture.Size()
        (size.rows, size.addresses, size.largest, size.deadShare) = (rows, addresses, largest, dead)
        return size
    }

    @Test("has exactly the rows, the addresses, the largest one and the dead tokens that were asked for")
    func figures() throws {
        for size in [
            RegistryFixture.Size(), size(1, 1, 1), size(5, 5, 1, dead: 1), size(40, 4, 10, dead: 0.5),
            size(9, 2, 8), size(100, 60, 2, dead: 0.1),
        ] {
            let rows = try RegistryFixture(seed: 7, size: size).rows
            var counts = Array(repeating: 0, count: size.addresses)
            for row in rows { counts[row.owner] += 1 }
            #expect(rows.count == size.rows && counts[0] == size.largest)
            #expect(counts.allSatisfy { (1...size.largest).contains($0) })
            let dead = rows.filter { $0.fate != .active }
            #expect(dead.count == Int((Double(size.rows) * size.deadShare).rounded()))
            #expect(dead.allSatisfy { $0.deadSeconds > 0 } && Set(rows.map(\.token)).count == rows.count)
            if dead.count >= 5 { #expect(Set(dead.map(\.fate)) == [.bad, .unregistered]) }
        }
    }

    @Test("follows from its seed alone")
    func seeds() throws {
        let rows = try [7, 7, 8].map { try RegistryFixture(seed: $0, size: RegistryFixture.Size()).rows }
        #expect(rows[0] == rows[1])
        #expect(Set(rows[0].map(\.token)).isDisjoint(with: rows[2].map(\.token)))
    }

    @Test(
        "names what cannot be",
        arguments: [
            (0, 1, 1, "rows"), (100_001, 1, 1, "rows"), (5, 6, 1, "addresses"), (5, 0, 1, "addresses"),
            (5, 3, 4, "largest"), (5, 3, 1, "largest"), (5, 3, 0, "largest"), (.max, .max, .max, "rows"),
        ]
    )
    func refusals(rows: Int, addresses: Int, largest: Int, field: String) {
        let error = #expect(throws: RegistryFixture.SizeError.self) {
            _ = try RegistryFixture(seed: 7, size: size(rows, addresses, largest))
        }
        #expect(error?.field == field)
    }
}
