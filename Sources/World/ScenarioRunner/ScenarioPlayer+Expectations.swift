import HTTPClient
import JSONValue
import ScenarioModel
import Threads

/// What is looked for, and how it is waited for.
extension ScenarioPlayer {
    /// What a look at the world found.
    private struct Look {
        /// How many things are as claimed; for claims in order how many of them came.
        var count = 0
        /// The first thing that is as claimed.
        var first: JSONValue?
        /// What came nearest to the claim.
        var nearest: [String] = []
        /// Whether as many came as are expected, and whether more did, which waiting does not change.
        var isSo = false
        var isPast = false
    }

    /// How long is waited before another look where nothing tells of a change.
    private static let lookSeconds = 1
    private static let shownMisses = 3

    /// Waits until an expectation holds, and tells the first thing that is as expected.
    func check(_ expectation: Expectation) throws(StepFailure) -> JSONValue? {
        for claim in expectation.claims { try checkVariables(of: claim) }
        switch expectation.mode {
        case .never(let milliseconds):
            let end = Self.deadline(milliseconds)
            while true {
                let look = try look(at: expectation)
                guard !look.isSo else {
                    throw StepFailure("it became so", nearest: look.first.map { [describe($0)] } ?? [])
                }
                guard try wait(for: expectation, until: end) else { return nil }
            }
        case .becomes(let limit, let stays):
            let within = limit.multipliedReportingOverflow(by: options.patience).partialValue
            return try become(expectation, within: within, stays: stays)
        }
    }

    private func become(_ expectation: Expectation, within: Int, stays: Int) throws(StepFailure) -> JSONValue?
    {
        let end = Self.deadline(within)
        var settles: Int64?
        while true {
            let look = try look(at: expectation)
            if look.isSo {
                let settled = settles ?? Self.deadline(stays)
                settles = settled
                guard stays > 0, try wait(for: expectation, until: settled) else { return look.first }
                continue
            }
            if settles != nil, look.isPast { throw failure(look, expectation, "more came") }
            settles = nil
            guard try wait(for: expectation, until: end) else {
                throw failure(look, expectation, "not so within \(Quantity.duration(within))")
            }
        }
    }

    private func failure(_ look: Look, _ expectation: Expectation, _ reason: String) -> StepFailure {
        var reason = reason
        if expectation.isOrdered {
            reason += "; \(look.count) of \(expectation.claims.count) came in this order"
        } else if expectation.amount != .atLeast(1) || look.count > 0 {
            reason += "; there were \(look.count)"
        }
        return StepFailure(reason, nearest: look.nearest)
    }

    /// Variables keep their values while something is waited for, so what is wrong with them is told at once.
    private func checkVariables(of claim: Claim) throws(StepFailure) {
        let patterns = try calling { () throws(ControlFailure) in
            try book.substituted(.array(claim.patterns)).arrayValue ?? []
        }
        if let problem = claim.problem(of: patterns) { throw StepFailure(problem) }
    }

    private static func deadline(_ milliseconds: Int) -> Int64 {
        MachineClock.monotonicMilliseconds() + Int64(milliseconds)
    }

    /// Waits for something to happen; false when the time is over.
    private func wait(for expectation: Expectation, until end: Int64) throws(StepFailure) -> Bool {
        let rest = end - MachineClock.monotonicMilliseconds()
        guard rest > 0 else { return false }
        try checkTime()
        let milliseconds = Int(min(rest, Int64(Self.lookSeconds) * 1000 + 500))
        let isAboutRequests = expectation.claims.contains { $0.subject.source == .requests }
        let path = isAboutRequests ? "/v1/requests?after=\(requestCursor)" : "/v1/events?after=\(eventCursor)"
        do throws(ControlFailure) {
            let page = try control.get(
                path + "&limit=1000&wait=\(Self.lookSeconds)",
                timeoutMilliseconds: milliseconds
            )
            if isAboutRequests {
                requestCursor = Int(page["next"]?.intValue ?? Int64(requestCursor))
            } else {
                show(page)
            }
        } catch {
            guard error.isTimeout else { throw StepFailure(error) }
        }
        return true
    }

    private func look(at expectation: Expectation) throws(StepFailure) -> Look {
        var look = try things(of: expectation)
        guard !expectation.isOrdered else {
            look.isSo = look.count == expectation.claims.count
            return look
        }
        switch expectation.amount {
        case .atLeast(let told): look.isSo = look.count >= (try number(told, "at least"))
        case .exactly(let told):
            let number = try number(told, "exactly")
            look.isSo = look.count == number
            look.isPast = look.count > number
        }
        return look
    }

    /// The number of an amount, which may be a variable's.
    private func number(_ told: JSONValue, _ label: String) throws(StepFailure) -> Int64 {
        let value = try calling { () throws(ControlFailure) in try book.substituted(told) }
        if let problem = Expectation.number.problem(of: value, label: label) { throw StepFailure(problem) }
        return value.intValue ?? 0
    }

    private func things(of expectation: Expectation) throws(StepFailure) -> Look {
        var look = Look()
        var place = start
        for claim in expectation.claims {
            let resolved: ResolvedClaim
            do throws(ControlFailure) {
                resolved = try ResolvedClaim(claim) { kind, value throws(ControlFailure) in
                    try resolve(kind, value)
                }
            } catch {
                guard !error.isFatal else { throw StepFailure(error) }
                look.nearest = [error.message]
                return look
            }
            let elements = try calling { () throws(ControlFailure) in try self.elements(of: claim) }
            if expectation.isOrdered {
                let next = elements.first { element in
                    Self.place(of: element) > place && resolved.matches(element)
                }
                guard let next else {
                    look.nearest = misses(elements, resolved)
                    return look
                }
                place = Self.place(of: next)
                look.count += 1
                look.first = look.first ?? next
            } else {
                let found = elements.filter(resolved.matches)
                look.count = found.count
                look.first = found.first
                look.nearest =
                    found.isEmpty ? misses(elements, resolved) : found.suffix(Self.shownMisses).map(describe)
            }
        }
        return look
    }

    private static func place(of element: JSONValue) -> Int {
        element["seq"]?.intValue.map { Int($0) } ?? 0
    }

    /// The things that differ least from a claim.
    private func misses(_ elements: [JSONValue], _ claim: ResolvedClaim) -> [String] {
        let misses = elements.map { element in
            (element: element, differences: claim.differences(of: element) { timeline.shown($0) })
        }
        // Stable, so that of equals the first to come is told first.
        let order = misses.indices.sorted {
            (misses[$0].differences.count, $0) < (misses[$1].differences.count, $1)
        }
        return order.prefix(Self.shownMisses).map { index in
            describe(misses[index].element) + ": " + misses[index].differences.joined(separator: ", ")
        }
    }

    /// A thing in a few words.
    private func describe(_ element: JSONValue) -> String {
        let told = [
            "kind", "state", "status", "reason", "name", "token", "address", "transactionId", "title", "body",
        ]
        let words = told.compactMap { key in
            element[key].flatMap { $0.isNull || $0.objectValue != nil ? nil : "\(key) \(timeline.shown($0))" }
        }
        return "nearest: " + (words.isEmpty ? "something" : words.joined(separator: ", "))
    }

    /// What stands for a name in what the control API shows.
    func resolve(_ kind: ValueKind, _ value: JSONValue) throws(ControlFailure) -> JSONValue {
        let value = try book.substituted(value)
        guard let name = value.stringValue else { return value }
        switch kind {
        case .device: return .string(name.count >= 64 ? name : try token(of: name))
        case .account: return .string(try book.address(name))
        case .transaction:
            return .string(name.allSatisfy(\.isNumber) ? name : try book.transactionId(name))
        case .fault:
            let ids = book.faultIds(name)
            guard !ids.isEmpty else { throw ControlFailure(message: "the fault \(name) is not set") }
            return ["any of": .array(ids.map(JSONValue.string))]
        case .either(let word, let other): return name == word ? value : try resolve(other, value)
        case .text, .word, .count, .duration, .amount, .flag, .moment, .json, .object, .node, .service,
            .snapshot, .list:
            return value
        }
    }

    /// The things that a claim is about.
    private func elements(of claim: Claim) throws(ControlFailure) -> [JSONValue] {
        let name = try book.substituted(claim.principal).stringValue ?? ""
        switch claim.subject.source {
        case .pushes: return try control.all("/v1/pushes", "pushes", after: start)
        case .transactions: return try control.all("/v1/transactions", "transactions", after: start)
        case .events: return try control.all("/v1/events", "events", after: start)
        case .findings: return try control.all("/v1/audit", "findings", after: start)
        case .requests: return try control.all("/v1/requests", "requests", after: firstRequest)
        case .held: return try control.all("/v1/held", "held", after: 0)
        case .registry: return try control.list("/v1/registry", "rows")
        case .ansRows: return try control.list("/v1/ans", "rows")
        case .faults: return try control.list("/v1/faults", "faults")
        case .device: return [try device(name)]
        case .banners: return try device(name)["banners"]?.arrayValue ?? []
        case .unshown: return try device(name)["notShown"]?.arrayValue ?? []
        case .node: return [try control.get("/v1/nodes/\(PercentEncoding.encode(name))")]
        case .height: return [try control.get("/v1/chain")]
        case .ans: return [try control.get("/v1/ans")]
        case .answer: return [answer]
        case .trace: return [try control.get("/v1/traces/\(try book.transactionId(name))")]
        }
    }

    private func device(_ name: String) throws(ControlFailure) -> JSONValue {
        try control.get("/v1/devices/\(try book.deviceId(name))")
    }
}
