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
        let key = ImpliedRegistry.Key(address: row.address, token: row.token.lowercased())
        if audit.missing.contains(key) { return .missing }
        guard let implied = implied(row) else { return .unproven }
        return implied.isEnded ? .ended : .confirmed
    }

    /// The report as the control API shows it.
    public var json: JSONValue {
        let surplus = audit.implied.all.filter { !$0.isEnded && !isRegistered($0) }
        return [
            "rows": .array(rows.map(json)),
            "addresses": .int(Set(rows.map(\.address)).count),
            "implied": .array(audit.implied.all.map { json($0) }),
            "difference": [
                "missing": .array(rows.filter { state($0) == .missing }.map(json)),
                "surplus": .array(surplus.map { json($0) }),
            ],
            "holders": holders,
            "orphans": .array(
                orphans.map { address, tokens in
                    ["address": .string(address.text), "tokens": .array(tokens.map(JSONValue.string))]
                }
            ),
            "sharedTokens": sharedTokens, "ownerChanges": ownerChanges,
            "signals": .int(registry.signals.count),
            "fees": .string(String(registry.signals.reduce(Int64(0)) { $0.addingClamped($1.fee) })),
        ]
    }

    private func json(_ row: SignalRegistry.Row) -> JSONValue {
        let implied = implied(row)
        return [
            "address": .string(row.address.text), "token": .string(row.token),
            "provider": .string(row.provider),
            "since": .string(row.since.rfc3339), "transactionId": .string(row.transaction.description),
            "height": .int(row.height), "state": .string(state(row).rawValue),
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

    /// The addresses with tokens or signals, those with the most tokens first.
    private var holders: JSONValue {
        var holders: [Address: (tokens: Int, signals: Int, fees: Int64)] = [:]
        for row in rows { holders[row.address, default: (0, 0, 0)].tokens += 1 }
        for signal in registry.signals {
            var holder = holders[signal.sender] ?? (0, 0, 0)
            holder.signals += 1
            holder.fees = holder.fees.addingClamped(signal.fee)
            holders[signal.sender] = holder
        }
        let sorted = holders.sorted { ($1.value.tokens, $0.key.text) < ($0.value.tokens, $1.key.text) }
        return .array(
            sorted.map { address, holder in
                [
                    "address": .string(address.text), "tokens": .int(holder.tokens),
                    "signals": .int(holder.signals), "fees": .string(String(holder.fees)),
                ]
            }
        )
    }

    /// The tokens that several addresses have.
    private var sharedTokens: JSONValue {
        var owners: [String: [String]] = [:]
        for row in rows { owners[row.token.lowercased(), default: []].append(row.address.text) }
        return .array(
            owners.filter { $0.value.count > 1 }.sorted { $0.key < $1.key }.map { token, addresses in
                ["token": .string(token), "addresses": .array(addresses.map(JSONValue.string))]
            }
        )
    }

    /// The registrations of a token by another address than the one before.
    private var ownerChanges: JSONValue {
        var owners: [String: Address] = [:]
        var changes: [JSONValue] = []
        for signal in registry.signals where signal.action == .add {
            guard let token = signal.token?.lowercased(), !token.isEmpty else { continue }
            if let owner = owners[token], owner != signal.sender {
                changes.append([
                    "token": .string(token), "from": .string(owner.text), "to": .string(signal.sender.text),
                    "at": .string(Timestamp(epochSeconds: Int64(signal.blockTimestamp)).rfc3339),
                    "height": .int(signal.height), "transactionId": .string(signal.transaction.description),
                ])
            }
            owners[token] = signal.sender
        }
        return .array(changes)
    }
}
