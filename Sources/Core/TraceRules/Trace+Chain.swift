import Determinism
import JSONValue

// From the client to a block.

extension Trace {
    mutating func followToChain() {
        notePosts()
        for event in facts.events("transaction.accepted") {
            stops.append(Stop(.accepted, at: event.at, node: event.node))
        }
        for event in facts.events("transaction.held") {
            let released = facts.events("transaction.released").contains { $0.seq > event.seq }
            let note =
                "held back as \(event.data["held"]?.stringValue ?? "")\(released ? ", released later" : "")"
            stops.append(
                Stop(.accepted, at: event.at, node: event.node, faultId: event.faultId, note: note)
            )
        }
        noteBlocks()
        // A block, or a push, proves what the journal does not tell any more.
        if !passed(.accepted), let block = facts.block, !facts.events("transaction.returned").isEmpty {
            stops.append(Stop(.accepted, at: block.at, note: "a fork put it back into the pools"))
        }
        guard facts.block == nil else { return }
        explainChain()
    }

    private mutating func notePosts() {
        for post in facts.posts {
            stops.append(
                Stop(
                    .posted,
                    at: post.at,
                    node: post.node,
                    faultId: post.faultId,
                    request: post.number,
                    note: "by \(post.caller), \(outcome(of: post))"
                )
            )
        }
        guard facts.posts.isEmpty, let first = facts.events.first(where: \.isOfPosting) else { return }
        stops.append(Stop(.posted, at: first.at, node: first.node, note: "by the control API"))
    }

    /// What became of a posted call, for people.
    private func outcome(of post: TraceFacts.Call) -> String {
        if let fault = post.faultId {
            let effect = effect(of: fault).map { ": \($0)" } ?? ""
            return "fault \(fault) struck\(effect)"
        }
        return post.status.map { "answered \($0)" } ?? "not answered"
    }

    /// What a fault did to it, in the journal's words.
    private func effect(of fault: String) -> String? {
        facts.events.first { $0.kind == "fault.fired" && $0.faultId == fault }?.data["effect"]?.stringValue
    }

    private mutating func noteBlocks() {
        var open: Int?
        for event in facts.events {
            switch event.kind {
            case "transaction.forged":
                stops.append(Stop(.forged, at: event.at, height: event.data["height"]?.integer))
                open = stops.count - 1
            case "transaction.reverted":
                if let place = open { stops[place].note = "the block was rolled back later" }
                open = nil
            default: break
            }
        }
        if !passed(.forged), let block = facts.block {
            stops.append(Stop(.forged, at: block.at, height: block.height))
        }
    }

    private mutating func explainChain() {
        let why = facts.why ?? ""
        switch facts.state {
        case "held": miss(.forged, TraceCause(.held, why, isFinal: false))
        case "queued", "unconfirmed": miss(.forged, TraceCause(.notForged, why, isFinal: false))
        case "reverted": miss(.forged, TraceCause(.reverted, why, isFinal: true))
        case "dropped": miss(.forged, TraceCause(.dropped, why, isFinal: true))
        default: explainRefusal()
        }
        // Whether a block comes is up to the world's settings alone.
        if facts.state == "queued" || facts.state == "unconfirmed" { outcome = .pending }
    }

    /// Why no node took it.
    private mutating func explainRefusal() {
        if let refusal = facts.events("transaction.refused").last {
            let error = refusal.data["error"]?.stringValue ?? ""
            let text = "\(refusal.node ?? "the node") refused it: \(error)"
            return miss(.accepted, TraceCause(.refused, text, isFinal: true))
        }
        if let post = facts.posts.last {
            let text =
                post.faultId.map { fault in
                    "fault \(fault) kept the POST from \(post.node)"
                        + (effect(of: fault).map { ": \($0)" } ?? "")
                } ?? "\(post.node) answered \(post.status.map(String.init) ?? "nothing") and took nothing"
            return miss(.accepted, TraceCause(.postLost, text, isFinal: false))
        }
        miss(.accepted, TraceCause(.postLost, "no node has taken it", isFinal: false))
    }
}

extension TraceFacts.Event {
    /// Whether it is of the moment when it was posted.
    fileprivate var isOfPosting: Bool {
        ["transaction.accepted", "transaction.refused", "transaction.held"].contains(kind)
    }
}

extension JSONValue {
    /// The value of a number that fits.
    var integer: Int? { intValue.flatMap { Int(exactly: $0) } }
}
