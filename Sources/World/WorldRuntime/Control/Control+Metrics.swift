import APNsRules
import AdamantLedger
import ControlServer
import Determinism
import FaultRules
import JSONValue
import NodeServer
import SimulatorDrivers
import Simulators
import Synchronization
import TraceRules

extension World {
    var metricsRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/metrics") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in
                    .text(metrics, contentType: MetricsText.contentType)
                }
            }
        ]
    }

    private var metrics: String {
        var text = MetricsText()
        addLedger(to: &text)
        addCalls(to: &text)
        addPushes(to: &text)
        addFaults(to: &text)
        addParties(to: &text)
        return text.text
    }

    private func addLedger(to text: inout MetricsText) {
        let (height, count, pools, held, now) = withState { state, now in
            let ledger = state.ledger
            let pools = state.nodes.indices.map { node in
                (ledger.queued(node: node).count, ledger.unconfirmed(node: node).count)
            }
            return (ledger.height, ledger.transactionCount, pools, state.held.all.count, now)
        }
        text.add(
            "mocknet_world_info",
            .gauge,
            "The world; always 1.",
            [([("world", id), ("seed", String(seed))], 1)]
        )
        text.add(
            "mocknet_start_time_seconds",
            .gauge,
            "When the process began, in Unix seconds.",
            [([], Double(startedAt.unixMilliseconds) / 1000)]
        )
        text.add(
            "mocknet_world_time_seconds",
            .gauge,
            "What the world's clock says, in Unix seconds.",
            [([], Double(now.unixMilliseconds) / 1000)]
        )
        text.add("mocknet_ledger_height", .gauge, "Height of the newest block.", height)
        text.add("mocknet_ledger_transactions", .gauge, "Transactions in blocks.", count)
        text.add(
            "mocknet_pool_transactions",
            .gauge,
            "Transactions that wait for a block, by node and part of its pool.",
            zip(nodeNames, pools).flatMap { name, pool in
                [
                    ([("node", name), ("part", "queued")], Double(pool.0)),
                    ([("node", name), ("part", "unconfirmed")], Double(pool.1)),
                ]
            }
        )
        text.add("mocknet_held_transactions", .gauge, "Transactions that a fault rule holds back.", held)
    }

    private func addCalls(to text: inout MetricsText) {
        let names = nodeNames
        let counts = requests.withLock { $0.tallies.counts }
        let samples = counts.map { key, count in
            let labels = [
                ("node", names[key.node]), ("method", key.method), ("path", key.path),
                ("status", key.status.map { String($0) } ?? "none"),
            ]
            return (labels: labels, value: Double(count))
        }
        text.add(
            "mocknet_node_requests_total",
            .counter,
            "Calls that nodes got; status none where no answer was sent.",
            samples.sortedByLabels
        )
        text.add(
            "mocknet_node_request_seconds",
            "From a complete call to its answer, what fault rules added and the wait for the disk included.",
            requests.withLock { $0.times.all }.map { node, group, isPost, times in
                let labels = [("node", names[node]), ("group", group.name), ("post", isPost ? "yes" : "no")]
                return (labels, times)
            }
        )
    }

    private func addPushes(to text: inout MetricsText) {
        audit(atMost: Self.followedAtOnce)
        let (tallies, kept, evicted) = withState { state, _ in
            let journal = state.journal
            return (journal.tallies, journal.last - journal.oldest + 1, state.pushes.evicted)
        }
        let answers = tallies.answers.map { answer, count in
            let status = answer.status.map { String($0) } ?? "none"
            return (labels: [("status", status), ("reason", answer.reason ?? "")], value: Double(count))
        }
        text.add(
            "mocknet_pushes_total",
            .counter,
            "Pushes that APNs got; status none where a fault kept the answer back.",
            answers.sortedByLabels
        )
        text.add(
            "mocknet_push_deliveries_total",
            .counter,
            "How often a push came into a state on its way to the device.",
            PushDelivery.State.allCases.map { ([("state", $0.rawValue)], Double(tallies.count($0))) }
        )
        text.add(
            "mocknet_push_records_evicted_total",
            .counter,
            "Records of pushes that had to give way.",
            evicted
        )
        text.add(
            "mocknet_push_answer_seconds",
            "From a complete push to its answer, what fault rules added and the wait for the disk included.",
            pushAnswers.withLock { $0 }
        )
        let times = auditor.withState(\.pushTimes)
        text.add(
            "mocknet_acceptance_push_seconds",
            "From a node's acceptance of a transaction to a push for it, by the world's clock.",
            times.sinceAcceptance
        )
        text.add(
            "mocknet_forging_push_seconds",
            "From the block of a transaction to a push for it, by the world's clock.",
            times.sinceForging
        )
        text.add(
            "mocknet_message_banner_seconds",
            "From a node's acceptance of a message to the banner, by the world's clock.",
            tallies.bannerTimes
        )
        let events = tallies.events.map { (labels: [("kind", $0.rawValue)], value: Double($1)) }
        text.add("mocknet_events_total", .counter, "Events by kind.", events.sortedByLabels)
        text.add("mocknet_journal_events", .gauge, "Events that the journal still holds.", kept)
    }

    private func addFaults(to text: inout MetricsText) {
        let rules = withState { state, _ in state.faults.allJSON }
        func samples(_ member: String) -> [(labels: [(String, String)], value: Double)] {
            rules.map { rule in
                let labels = [
                    ("rule", rule["id"]?.stringValue ?? ""), ("name", rule["name"]?.stringValue ?? ""),
                ]
                return (labels: labels, value: Double(rule[member]?.intValue ?? 0))
            }
        }
        text.add(
            "mocknet_fault_matches_total",
            .counter,
            "What a fault rule fitted, by rule.",
            samples("matched")
        )
        text.add("mocknet_faults_total", .counter, "How often a fault rule fired.", samples("fired"))
    }

    private func addParties(to text: inout MetricsText) {
        let devices = parties.devices.map(\.driver.snapshot)
        text.add("mocknet_devices", .gauge, "Simulated devices.", devices.count)
        text.add(
            "mocknet_devices_online",
            .gauge,
            "Simulated devices that are online.",
            devices.count(where: \.isOnline)
        )
        let registry = withState { state, _ in state.registry }
        guard registry.isReadable else { return }
        text.add(
            "mocknet_registry_rows",
            .gauge,
            "Tokens registered by the order of the chain.",
            registry.rows.count
        )
    }
}

extension [(labels: [(String, String)], value: Double)] {
    /// In one order for equal figures, since that of a dictionary differs.
    fileprivate var sortedByLabels: Self {
        sorted { one, other in
            one.labels.map(\.1).lexicographicallyPrecedes(other.labels.map(\.1))
        }
    }
}
