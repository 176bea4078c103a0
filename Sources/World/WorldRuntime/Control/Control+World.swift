import AdamantLedger
import AdamantModel
import ControlServer
import Determinism
import HTTPDaemon
import JSONValue
import NodeSockets
import Synchronization

extension World {
    var worldRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/health", isOpen: true) { [self] _ throws(ControlError) in
                if let failure {
                    throw ControlError(status: 503, code: "failed", message: failure.message)
                }
                guard listeners.withLock({ $0.isReady }) else {
                    throw ControlError(status: 503, code: "starting", message: "not every port answers yet")
                }
                return .json(["ready": true])
            },
            ControlRoute("GET", "/v1/world") { [self] _ throws(ControlError) in .json(worldJSON) },
            ControlRoute("POST", "/v1/reset") { [self] _ throws(ControlError) in
                .background { [self] () throws(ControlError) in
                    do throws(WorldError) {
                        try reset()
                    } catch {
                        throw ControlError(status: 503, code: "failed", message: error.message)
                    }
                    return .json(worldJSON)
                }
            },
        ]
    }

    /// The world as `GET /v1/world`, the ready file and the banner tell of it.
    var worldJSON: JSONValue {
        let (ports, isReady) = listeners.withLock { ($0, $0.isReady) }
        let (accounts, height, nodes) = withState { state, _ in
            (state.accounts.accounts, state.ledger.height, state.nodes)
        }
        let nodeList = zip(nodes, ports.nodePorts).enumerated().map { index, entry -> JSONValue in
            let (node, port) = entry
            return [
                "name": .string(node.name), "url": .string(url("http", port: port)),
                "socketUrl": socketURL(node),
                "tlsUrl": .optional(ports.secureNodePort(index).map { url("https", port: $0) }),
                "version": .string(node.profile.version),
            ]
        }
        return [
            "id": .string(id), "seed": .int(seed), "startedAt": .string(startedAt.rfc3339),
            "ready": .bool(isReady), "height": .int(height),
            "nodes": .array(nodeList),
            "apns": [
                "production": .string(url("https", port: ports.apnsProductionPort)),
                "sandbox": .string(url("https", port: ports.apnsSandboxPort)),
            ], "proxy": .optional(ports.proxyPort.map { url("http", port: $0) }),
            "control": .string(controlURL),
            "caFile": .string(settings.certificates.authorityPath), "ans": ansAccountJSON,
            "accounts": .array(accounts.filter { $0.address != settings.ansAddress }.map(json(of:))),
        ]
    }

    /// Where its control API is.
    var controlURL: String {
        guard isFirst else { return (worlds.control ?? "") + FurtherWorlds.root + id }
        return url("http", port: listeners.withLock(\.controlPort))
    }

    private var ansAccountJSON: JSONValue {
        [
            "address": .string(settings.ansAddress.text),
            "publicKey": .optional(settings.ans.map { Hex.encode($0.keys.publicKey) }),
            "passphrase": .optional(settings.ans?.passphrase),
            "privateKey": .optional(settings.ans.map { Hex.encode($0.keys.privateKey) }),
        ]
    }

    /// Begins anew, as just started by the flags; ports stay, event numbers go on.
    func reset() throws(WorldError) {
        try resetting.withLock { _ throws(WorldError) in
            parties.end(forGood: false)
            let begin =
                beginning?.state ?? settings.freshState(isKept: log != nil, cryptography: cryptography)
            let replaced = withState { state, now in
                let replaced = state.pushes
                var fresh = begin
                fresh.pushes = begin.pushes.branched
                for node in fresh.nodes.indices {
                    fresh.nodes[node].socketPort = state.nodes[node].socketPort
                }
                fresh.journal = state.journal
                fresh.unsaved = state.unsaved
                fresh.relays = state.relays
                fresh.relays.removeAll()
                let ledger = fresh.ledger
                fresh.ledger = state.ledger
                fresh.ledger.revert(to: ledger, profiles: ledger.profiles)
                state = fresh
                state.keep(.reset, [])
                state.journal.append(.worldReset, at: now)
                return replaced
            }
            // A long record takes a while to be freed: without the lock.
            withExtendedLifetime(replaced) {}
            requests.withLock { requests in
                requests.removeAll()
                requests.clock = begin.clock
            }
            attempts.withLock { $0.removeAll() }
            let sockets = listeners.withLock(\.sockets)
            for server in sockets { server.disconnectAll() }
            for node in nodeNames.indices { applyListening(node) }
            forger.change(begin.forging, time: runningTime)
            parties.begin(kept: beginning?.parties)
            try startParties()
        }
    }
}
