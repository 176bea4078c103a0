import AdamantModel
import Determinism

/// The loops: where they begin, pages, and what ends them.
extension NotificationService {
    /// Finds out where to begin, then polls.
    mutating func beginFirstPoll(_ poller: Poller) {
        switch configuration.startup {
        case .initial: self[poller].height = 0
        case .network: return askHeight(poller)
        case .database where self[poller].height > 0: break
        // The ordered service has to know all registrations there are.
        case .database where isOrdered && poller == .signals: break
        case .database: return askHeight(poller)
        }
        beginPoll(poller)
    }

    private mutating func askHeight(_ poller: Poller) {
        guard prepareNodes(poller) else { return }
        self[poller].phase = .polling
        ask(
            .node(NodeRequest(node: self[poller].node, operation: .poll(PollQuery(list: .newest)))),
            for: .startHeight(poller)
        )
    }

    mutating func beginPoll(_ poller: Poller) {
        guard prepareNodes(poller) else { return }
        self[poller].phase = .polling
        self[poller].hasBegun = true
        askFirstPage(poller)
    }

    private mutating func askFirstPage(_ poller: Poller) {
        self[poller].batch = []
        self[poller].offset = 0
        self[poller].pages = 0
        self[poller].repeats = 0
        askPage(poller)
    }

    private mutating func askPage(_ poller: Poller) {
        let list: PollQuery.List =
            switch poller {
            case .signals: .signals(to: address)
            case .chats: .chats
            case .transfers: .transfers
            }
        let loop = self[poller]
        let query = PollQuery(
            list: list,
            fromHeight: loop.height == 0 ? nil : loop.height,
            offset: loop.offset,
            isAscending: isOrdered
        )
        ask(.node(NodeRequest(node: loop.node, operation: .poll(query))), for: .page(poller))
    }

    mutating func noteStartHeight(_ poller: Poller, _ answer: NodeAnswer) {
        let page: [SeenTransaction]
        switch answer {
        case .page(let list): page = list
        // The C# service takes a list that is not there for an empty one.
        case .refused where !isOrdered: page = []
        default: return retry(poller, answer)
        }
        self[poller].height = max(0, page.first?.height ?? 0)
        // The ordered service knows that the bound of transfers is inclusive.
        if isOrdered, poller == .transfers, let height = page.first?.height {
            self[poller].height = max(0, height) &+ 1
        }
        beginPoll(poller)
    }

    mutating func notePage(_ poller: Poller, _ answer: NodeAnswer, now: Timestamp) {
        guard case .page(let page) = answer else { return retry(poller, answer) }
        if !isOrdered, poller == .signals, page.contains(where: { $0.recipient == nil }) {
            return fail(poller, "a signal without recipientId")
        }
        // The C# service counts a page only after dropping what is not for it.
        let relevant = poller == .signals ? page.filter { $0.recipient == address } : page
        let before = self[poller].batch.suffix(relevant.count)
        let isRepeated = !relevant.isEmpty && before.elementsEqual(relevant) { $0.id == $1.id }
        self[poller].repeats = isRepeated ? self[poller].repeats + 1 : 0
        self[poller].batch += relevant
        self[poller].offset += PollQuery.pageSize
        self[poller].pages += 1
        let count = isOrdered ? page.count : relevant.count
        if count < PollQuery.pageSize || self[poller].pages >= Self.maximumPages
            || self[poller].repeats >= Self.maximumRepeats
        {
            endPoll(poller, now: now)
        } else {
            askPage(poller)
        }
    }

    private mutating func endPoll(_ poller: Poller, now: Timestamp) {
        let loop = self[poller]
        self[poller].batch = []
        self[poller].phase = .idle
        self[poller].polls += 1
        note(.polled(poller, fromHeight: loop.height, count: loop.batch.count, node: loop.node))
        guard !loop.batch.isEmpty else { return }
        switch (poller, configuration.behaviour) {
        case (.signals, .asDeployed): applyBatch(loop.batch)
        case (.signals, .ordered): applyInOrder(loop.batch)
        case (_, .asDeployed):
            guard let problem = notify(loop.batch, now: now) else { break }
            return fail(poller, problem)
        case (_, .ordered): notifyOnce(loop.batch, now: now)
        }
        let highest = loop.batch.map(\.height).max() ?? 0
        self[poller].height = poller == .transfers ? highest &+ 1 : highest
    }

    /// Chooses the nodes of one poll; the C# service has only the one it began with.
    private mutating func prepareNodes(_ poller: Poller) -> Bool {
        guard !configuration.nodes.isEmpty else {
            fail(poller, "no node is configured")
            return false
        }
        guard isOrdered, self[poller].phase != .polling else { return true }
        var order = Array(configuration.nodes.indices)
        order.shuffle(using: &generator)
        self[poller].node = order.removeFirst()
        self[poller].remaining = order
        return true
    }

    /// Goes on with another node, or gives the poll up.
    private mutating func retry(_ poller: Poller, _ answer: NodeAnswer) {
        let reason =
            switch answer {
            case .failed(let failure): failure.description
            case .refused(let text), .unparsable(let text): text
            default: "unexpected answer"
            }
        guard isOrdered, !self[poller].remaining.isEmpty else { return fail(poller, reason) }
        self[poller].node = self[poller].remaining.removeFirst()
        if self[poller].hasBegun {
            askFirstPage(poller)
        } else {
            askHeight(poller)
        }
    }

    /// The C# service has no error handling around its loops; the ordered one tries again with the next poll.
    mutating func fail(_ poller: Poller, _ reason: String) {
        self[poller].batch = []
        if isOrdered {
            self[poller].phase = self[poller].hasBegun ? .idle : .unstarted
            note(.pollFailed(poller, reason: reason))
        } else {
            self[poller].phase = .dead(reason)
            note(.died(poller, reason: reason))
        }
    }
}
