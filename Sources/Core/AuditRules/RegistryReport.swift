import AdamantModel
public import Determinism
public import JSONValue
import Simulators
public import TraceRules

/// The registry as the chain's order defines it beside the one that the service's pushes imply.
public struct RegistryReport: Sendable {
    /// What the pushes tell of a row of the chain.
    enum State: String {
        /// It was pushed to since it was registered.
        case confirmed
        /// Nothing was to be pushed to it yet.
        case unproven
        /// A push was due, and none came.
        case missing
        /// APNs has ended the token.
        case ended
    }

    private let registry: SignalRegistry
    private let audit: Audit
    private let rows: [SignalRegistry.Row]
    private let orphans: [(address: Address, tokens: [String])]

    /// A report as of now.
    public init(_ registry: SignalRegistry, _ audit: Audit, now: Timestamp) {
        self.registry = registry
        self.audit = audit
        rows = registry.rows
        orphans = audit.orphans(now: now, registry: registry)
    }

    private func implied(_ row: SignalRegistry.Row) -> ImpliedRegistry.Row? {
        audit.implied.row(of: row.address, token: row.token).flatMap { $0.last >= row.since ? $0 : nil }
    }

    private func state(_ row: SignalRegistry.Row) -> State {
        let key = ImpliedRegistry.Key(row.address, row.token)
        if let due = audit.missing[key], due >= row.since { return .missing }
        guard let implied = implied(row) else { return .unproven }
        return implied.isEnded ? .ended : .confirmed
    }

    /// The number of the newest row; 0 when there is none.
    public var last: Int { rows.last?.number ?? 0 }

    /// The row of a number as the control API shows it; nil where that signal made none, or one that is gone.
    public func row(_ number: Int) -> JSONValue? {
        var low = 0
        var high = rows.count
        while low < high {
            let middle = (low + high) / 2
            if rows[middle].number < number { low = middle + 1 } else { high = middle }
        }
        // Spelled out: a bare `nil` would be taken for JSON's null.
        guard low < rows.count, rows[low].number == number else { return Optional<JSONValue>.none }
        return json(rows[low])
    }

    /// What the control API tells beside the rows, with so many elements of each list.
    public func members(elements count: Int) -> [(String, JSONValue)] {
        let surplus = audit.implied.all.filter { !$0.isEnded && !isRegistered($0) }
        let missing = rows.filter { state($0) == .missing }
        let (holders, shared, changes) = (holders, sharedTokens, ownerChanges)
        return [
            ("addresses", .int(Set(rows.map(\.address)).count)),
            ("implied", .array(audit.implied.all.prefix(count).map { json($0) })),
            (
                "difference",
                [
                    "missing": .array(missing.prefix(count).map { json($0) }),
                    "surplus": .array(surplus.prefix(count).map { json($0) }),
                ]
            ), ("holders", .array(holders.prefix(count).map { Self.json($0.address, $0.holder) })),
            (
                "orphans",
                .array(
                    orphans.prefix(count).map { address, tokens in
                        ["address": .string(address.text), "tokens": .array(tokens.map(JSONValue.string))]
                    }
                )
            ),
            (
                "sharedTokens",
                .array(
                    shared.prefix(count).map { token, addresses in
                        ["token": .string(token), "addresses": .array(addresses.map(JSONValue.string))]
                    }
                )
            ), ("ownerChanges", .array(changes.prefix(count).map { Self.json($0.token, $0.from, $0.by) })),
            (
                "totals",
                [
                    "rows": .int(rows.count), "implied": .int(audit.implied.all.count),
                    "missing": .int(missing.count), "surplus": .int(surplus.count),
                    "holders": .int(holders.count), "orphans": .int(orphans.count),
                    "sharedTokens": .int(shared.count), "ownerChanges": .int(changes.count),
                ]
            ), ("signals", .int(registry.signals.count)),
            ("fees", .string(String(registry.signals.reduce(Int64(0)) { $0.addingClamped($1.fee) }))),
        ]
    }

    private func json(_ row: SignalRegistry.Row) -> JSONValue {
        let implied = implied(row)
        return [
            "address": .string(row.address.text), "token": .string(row.token),
            "provider": .string(row.provider),
            "since": .string(row.since.rfc3339), "transactionId": .string(row.transaction.description),
            "seq": .int(row.number), "height": .int(row.height), "state": .string(state(row).rawValue),
            "pushes": .int(implied?.count ?? 0), "lastPushAt": .optional(implied?.last.rfc3339),
            "lastAnswer": .optional(implied?.answer),
        ]
    }

    private func json(_ row: ImpliedRegistry.Row) -> JSONValue {
        [
            "address": .string(row.address.text), "token": .string(row.token),
            "firstAt": .string(row.first.rfc3339),
            "lastAt": .string(row.last.rfc3339), "pushes": .int(row.count), "accepted": .int(row.accepted),
            "lastAnswer": .string(row.answer), "ended": .bool(row.isEnded),
            "registered": .bool(isRegistered(row)),
        ]
    }

    private func isRegistered(_ row: ImpliedRegistry.Row) -> Bool {
        registry.row(of: row.address, token: row.token) != nil
            || registry.rows(of: row.address).contains { $0.token.lowercased() == row.token }
    }

    /// An address with tokens or signals.
    private struct Holder {
        var tokens = 0
        var signals = 0
        var fees: Int64 = 0
    }

    /// The addresses with tokens or signals, those with the most tokens first.
    private var holders: [(address: String, holder: Holder)] {
        var holders: [Address: Holder] = [:]
        for row in rows { holders[row.address, default: Holder()].tokens += 1 }
        for signal in registry.signals {
            var holder = holders[signal.sender] ?? Holder()
            holder.signals += 1
            holder.fees = holder.fees.addingClamped(signal.fee)
            holders[signal.sender] = holder
        }
        return holders.map { ($0.key.text, $0.value) }
            .sorted { ($1.1.tokens, $0.0) < ($0.1.tokens, $1.0) }
    }

    private static func json(_ address: String, _ holder: Holder) -> JSONValue {
        [
            "address": .string(address), "tokens": .int(holder.tokens), "signals": .int(holder.signals),
            "fees": .string(String(holder.fees)),
        ]
    }

    /// The tokens that several addresses have.
    private var sharedTokens: [(token: String, addresses: [String])] {
        var owners: [String: [String]] = [:]
        for row in rows { owners[row.token.lowercased(), default: []].append(row.address.text) }
        return owners.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }
            .map { (token: $0.key, addresses: $0.value) }
    }

    /// The registrations of a token by another address than the one before.
    private var ownerChanges: [(token: String, from: Address, by: ChainSignal)] {
        var owners: [String: Address] = [:]
        var changes: [(String, Address, ChainSignal)] = []
        for signal in registry.signals where signal.action == .add {
            guard let token = signal.token?.lowercased(), !token.isEmpty else { continue }
            if let owner = owners[token], owner != signal.sender { changes.append((token, owner, signal)) }
            owners[token] = signal.sender
        }
        return changes
    }

    private static func json(_ token: String, _ from: Address, _ signal: ChainSignal) -> JSONValue {
        [
            "token": .string(token), "from": .string(from.text), "to": .string(signal.sender.text),
            "at": .string(Timestamp(epochSeconds: Int64(signal.blockTimestamp)).rfc3339),
            "height": .int(signal.height), "transactionId": .string(signal.transaction.description),
        ]
    }
}
