import AdamantLedger
public import AdamantModel
import Determinism
import JSONValue
import NodeServer
public import NodeSockets
import SocketIORules
import Synchronization
import WebSockets

extension World: SocketBackend {
    /// Whether a node's version has the events `balances` and `blocks`.
    public func knowsBlocks(node: Int) -> Bool {
        withState { state, _ in state.nodes[node].profile.hasBlockEvents }
    }

    /// Lets the ledger make notices of a node, or spares it that.
    public func watch(node: Int, _ isWatched: Bool) {
        withState { state, now in
            state.ledger.watch(node: node, isWatched)
            guard isWatched else { return }
            // A node told of these when they came, though nobody listened.
            for id in state.ledger.announced(node: node) {
                _ = state.nodes[node].told.passes(id.number, now: now)
            }
        }
    }

    /// The address of the notification service.
    public var serviceAddress: String { settings.ansAddress.text }

    /// Notes that a service heard of a transaction by its sockets.
    public func noteTold(of transaction: Identifier, node: Int, sockets: Int) {
        withState { state, now in
            state.journal.append(
                .transactionAnnounced,
                at: now,
                node: state.nodes[node].name,
                transaction: transaction,
                data: ["sockets": .int(sockets)]
            )
        }
    }

    /// Takes down a request of a socket's client.
    public func record(_ call: SocketCall) {
        record(
            NodeCall(
                node: call.node,
                client: call.client,
                agent: call.agent,
                method: call.method,
                path: call.path,
                query: call.query,
                status: call.status,
                faultId: call.faultId,
                transactionId: nil
            ),
            took: nil
        )
    }

    /// Hands what the ledger has to tell to the sockets, once it will survive the process.
    ///
    /// Called under the lock, so that the order is kept; nothing is sent here.
    func announce(_ state: inout WorldState, now: Timestamp) {
        let notices = state.ledger.takeNotices()
        guard !notices.isEmpty else { return }
        var told: [(LedgerNotice, NodeProfile)] = []
        for notice in notices {
            if case .transaction(let announced) = notice.content,
                !state.nodes[notice.node].told.passes(announced.transaction.id.number, now: now)
            {
                continue
            }
            told.append((notice, state.nodes[notice.node].profile))
        }
        let (servers, loop) = listeners.withLock { ($0.sockets, $0.socketLoop) }
        guard let loop, !told.isEmpty else { return }
        let news = told
        afterDurable {
            loop.perform {
                for (notice, profile) in news where servers.indices.contains(notice.node) {
                    servers[notice.node].deliver(notice, profile: profile)
                }
            }
        }
    }
}
