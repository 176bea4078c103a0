import AdamantModel
import Determinism

/// The rows of one page, how many match in all, and how many were looked at.
package struct RowSelection: Sendable {
    /// Row numbers of the page in its order.
    package var rows: [UInt32] = []
    /// How many match in all.
    package var count = 0
    /// How many rows were looked at, which is what a page costs.
    package var visitedRows = 0
}

/// Where the rows of a conjunction are found: disjoint lists, and what still has to be tested.
struct RowSource {
    var indexes: [RowIndex]
    var tests: [RowTest]

    var size: Int { indexes.reduce(0) { $0 + $1.rows.count } }
}

extension Chain {
    /// Finds a page.
    ///
    /// A single group whose conditions an index covers is counted by arithmetic and read from the end; anything else
    /// looks at every row of the smallest index that holds all matches.
    func select(
        _ query: TransactionQuery,
        order: TransactionOrder,
        cryptography: any Cryptography
    ) -> RowSelection {
        let groups = conjunctions(query, cryptography: cryptography)
        let page = RowPage(
            chain: self,
            order: order,
            offset: max(query.offset, 0),
            limit: max(query.limit, 0)
        )
        guard groups.count == 1 else { return page.select(anyOf: groups.map { ($0, source($0)) }) }
        return page.select(groups[0], from: source(groups[0]))
    }

    /// The smallest set of lists that holds all rows of a conjunction.
    private func source(_ group: Conjunction) -> RowSource {
        var best = RowSource(indexes: byKind.indexes(group.kinds), tests: group.lookups + group.tests)
        for (place, lookup) in group.lookups.enumerated() {
            guard let found = indexes(lookup, group.kinds) else { continue }
            var rest = group.lookups
            rest.remove(at: place)
            let candidate = RowSource(indexes: found, tests: rest + group.tests)
            if candidate.size <= best.size { best = candidate }
        }
        if let joined = senderAndKey(group), joined.size <= best.size { best = joined }
        return best
    }

    private func indexes(_ lookup: RowTest, _ kinds: RowKinds) -> [RowIndex]? {
        switch lookup {
        case .sender(let numbers): return numbers.flatMap { sent($0, kinds) }
        case .recipient(let numbers):
            return numbers.flatMap {
                accounts[$0].incoming.indexes(kinds) + accounts[$0].own.indexes(kinds)
            }
        case .party(let senders, let recipients):
            let upper = senders.filter { accounts[$0].address.isUppercased }
            var found = upper.flatMap { sent($0, kinds) }
            for number in recipients {
                found += accounts[number].incoming.indexes(kinds)
                let owner = accounts.number(accounts[number].address.uppercased)
                if owner.map({ !upper.contains($0) }) ?? true { found += accounts[number].own.indexes(kinds) }
            }
            return found
        case .key(let numbers): return numbers.flatMap { keys.indexes(key: $0).indexes(kinds) }
        default: return nil
        }
    }

    private func sent(_ number: UInt32, _ kinds: RowKinds) -> [RowIndex] {
        guard accounts[number].address.isUppercased else { return [] }
        return accounts[number].outgoing.indexes(kinds) + accounts[number].own.indexes(kinds)
    }

    /// The lists of one key of one sender, where both are asked for.
    private func senderAndKey(_ group: Conjunction) -> RowSource? {
        guard group.lookups.count == 2 else { return nil }
        var sender: UInt32?
        var key: UInt32?
        for lookup in group.lookups {
            if case .sender(let numbers) = lookup, numbers.count == 1 { sender = numbers[0] }
            if case .key(let numbers) = lookup, numbers.count == 1 { key = numbers[0] }
        }
        guard let sender, let key else { return nil }
        let found = keys.indexes(key: key, account: sender)?.indexes(group.kinds) ?? []
        return RowSource(indexes: found, tests: group.tests)
    }
}
