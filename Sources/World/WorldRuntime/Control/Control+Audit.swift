import AdamantLedger
import AdamantModel
import APNsServer
import AuditRules
import ControlServer
import HTTPDaemon
import JSONValue
import NodeServer
import Recording
import Synchronization
import TraceRules

extension World {
    var auditRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/audit", parameters: ListQuery.parameters + ["rule"]) {
                [self] request throws(ControlError) in
                let page = try ListQuery.page(request.query)
                let rule = try Self.auditRule(request.query)
                return try ListQuery.reply(request.query, page, after: { [self] in audit() }) {
                    [self] page in findings(page, rule)
                }
            },
            ControlRoute("GET", "/v1/audit/parties") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in .json(partyReport.json) }
            },
            ControlRoute("GET", "/v1/registry", parameters: ListQuery.pageParameters + ["others"]) {
                [self] request throws(ControlError) in
                let page = try page(request.query, limit: .max)
                let others = try request.query.integer("others", in: 0...Int.max, default: .max)
                return .background { [self] () throws(ControlError) in try registry(page, others: others) }
            },
        ]
    }

    private static func auditRule(_ query: ControlQuery) throws(ControlError) -> AuditRule? {
        guard let text = query["rule"] else { return nil }
        guard let rule = AuditRule(rawValue: text) else {
            let known = AuditRule.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badRequest("rule must be one of \(known), not '\(text)'", field: "rule")
        }
        return rule
    }

    /// The registry's rows of a page, and so many elements of what is told beside them.
    private func registry(_ page: ListQuery.Page, others: Int) throws(ControlError) -> ControlReply {
        audit()
        let (registry, now) = withState { state, now in (state.registry, now) }
        guard registry.isReadable else {
            throw .conflict("the ANS is a foreign one: nobody here can read its signals")
        }
        let report = RegistryReport(registry, auditor.withState(\.audit), now: now)
        let rows = Self.document("rows", page, last: report.last, element: report.row)
        let members = rows.members.map { ($0.key, $0.value) } + report.members(elements: others)
        return .json(.object(JSONObject(members)))
    }

    private func findings(_ page: ListQuery.Page, _ rule: AuditRule?) -> (JSONValue, Int) {
        let (found, counts, unseen) = auditor.withState { state in
            let first = state.findings.partitioningIndex { $0.seq > page.after }
            let found = state.findings[first...].lazy
                .filter { rule == nil || $0.finding.rule == rule }.prefix(page.limit)
            return (Array(found), state.audit.counts, state.unseen)
        }
        let document: JSONValue = [
            "findings": .array(found.map { $0.finding.json(seq: $0.seq) }),
            "next": .int(found.last?.seq ?? page.after),
            "counts": .object(
                JSONObject(AuditRule.allCases.map { ($0.rawValue, .int(counts[$0] ?? 0)) })
            ), "unseen": .int(unseen),
            "tripwires": .array(tripwirePorts.map { .int($0) }),
        ]
        return (document, found.count)
    }

    /// The tripwire ports, each once though it listens on more than one loopback address.
    private var tripwirePorts: [UInt16] {
        listeners.withLock(\.tripwires).map(\.port).reduce(into: []) { ports, port in
            if !ports.contains(port) { ports.append(port) }
        }
    }

    /// What each party could have learned.
    private var partyReport: PartyReport {
        audit()
        let registry = withState { state, _ in state.registry }
        let connections = listeners.withLock(\.apns)?.connectionCount ?? 0
        var traffic = PartyReport.Traffic()
        traffic.pushConnections = connections
        var clients: [String: (addresses: Set<String>, calls: Int)] = [:]
        let calls = requests.withLock(\.all)
        for entry in calls {
            let call = entry.call
            traffic.plainCalls += 1
            clients[call.client, default: ([], 0)].calls += 1
            clients[call.client]?.addresses.formUnion(Self.addresses(in: call.path + "?" + call.query))
            guard call.method == "POST", let id = call.transactionId.flatMap({ Identifier($0) }),
                let sender = withState({ state, _ in state.ledger.seen(id)?.sender })
            else { continue }
            clients[call.client]?.addresses.insert(sender.text)
        }
        return PartyReport(
            auditor.withState(\.audit),
            registry,
            clients: clients.sorted { $0.key < $1.key }.map {
                PartyReport.Client(
                    client: $0.key,
                    addresses: $0.value.addresses.sorted(),
                    calls: $0.value.calls
                )
            },
            traffic: traffic
        )
    }

    /// The ADAMANT addresses that stand in a text.
    private static func addresses(in text: String) -> [String] {
        text.split { !($0.isASCII && ($0.isNumber || $0 == "U")) }.map(String.init)
            .filter { $0.utf8.count > 5 && Address.isValid($0) }
    }
}
