import Determinism
import JSONValue

// From a service to the screen, for each push, and for each token that should have got one.

extension Trace {
    mutating func followPushes() {
        guard facts.kind != "signal" || !facts.pushes.isEmpty else { return }
        let served = facts.pushes.count > 1 ? servingCalls : []
        for push in facts.pushes { follow(push, served) }
        noteForeignFetches()
        for row in facts.registration.rows where !facts.pushes.contains(where: { $0.isFor(row.token) }) {
            let cause = pushCause(of: row)
            deliveries.append(
                Delivery(
                    token: row.token,
                    device: facts.registration.devices.first { $0.token == row.token }?.id,
                    outcome: judged(cause, since: stops.map(\.at).max()),
                    lostAt: .pushed,
                    cause: cause
                )
            )
        }
        guard deliveries.isEmpty else { return conclude() }
        miss(.pushed, registrationCause())
    }

    /// The outcome of all ways together: the best of them, since one of several devices is enough to be read.
    private mutating func conclude() {
        guard let best = Self.best(of: deliveries) else { return }
        outcome = best.outcome
        lostAt = best.lostAt
        cause = best.cause
    }

    /// Follows a push; `served` are the answers to services that held the transaction.
    private mutating func follow(_ push: TracedPush, _ served: [ListCall]) {
        var delivery = Delivery(token: push.token, device: push.device, pushId: push.id, outcome: .pending)
        delivery.repeats = reasonOfRepeat(push, served)
        let again = delivery.repeats.map { "; once more: \($0.text)" } ?? ""
        stops.append(
            Stop(
                .pushed,
                at: push.at,
                faultId: push.faultId,
                pushId: push.id,
                device: push.device,
                token: push.token,
                note: "answered \(push.answer)\(again)"
            )
        )
        if !push.isAccepted {
            delivery.lose(.delivered, refusal(of: push), .lost)
        } else if let state = push.delivery {
            followDelivery(push, state, &delivery)
        } else {
            let text =
                "APNs accepted it; its token is no device of this world, so nothing more can be known"
            delivery.lose(.delivered, TraceCause(.noDevice, text, isFinal: false), .pending)
        }
        deliveries.append(delivery)
    }

    private func refusal(of push: TracedPush) -> TraceCause {
        let fault = push.faultId.map { " by fault \($0)" } ?? ""
        guard let status = push.status else {
            return TraceCause(.pushLost, "the push was not processed, nor answered\(fault)", isFinal: false)
        }
        if status == 200 {
            return TraceCause(.pushLost, "answered 200, and never delivered\(fault)", isFinal: true)
        }
        guard push.endsToken || status == 400 && push.reason == "DeviceTokenNotForTopic" else {
            let text = "APNs answered \(push.answer)\(fault)"
            // A service may try again what was no fault of its own.
            return TraceCause(.pushRefused, text, isFinal: status < 429 && status != 403)
        }
        return TraceCause(
            .tokenRefused,
            "APNs answered \(push.answer)\(fault): the token gets nothing",
            isFinal: true
        )
    }

    private mutating func followDelivery(_ push: TracedPush, _ state: String, _ delivery: inout Delivery) {
        let why = push.why ?? ""
        switch state {
        case "delivered", "collapsed":
            followDevice(push, &delivery)
        case "stored":
            delivery.lose(
                .delivered,
                TraceCause(.stored, "it waits for the device: \(why)", isFinal: false),
                .pending
            )
        case "throttled":
            delivery.lose(.delivered, TraceCause(.throttled, why, isFinal: false), .pending)
        case "expired":
            delivery.lose(.delivered, TraceCause(.expired, why, isFinal: true), .lost)
        case "replaced":
            delivery.lose(.delivered, TraceCause(.replaced, why, isFinal: true), .lost)
        default:
            let kind = push.isStorable ? "" : " and apns-expiration is 0"
            let isOffline = why.contains("offline")
            let text = "answered 200, but \(why)\(isOffline && !why.contains("expiration") ? kind : "")"
            delivery.lose(.delivered, TraceCause(.discarded, text, isFinal: true), .lost)
        }
    }

    /// What a device of this world did with a push.
    private mutating func followDevice(_ push: TracedPush, _ delivery: inout Delivery) {
        let events = facts.events.filter { event in
            event.kind.hasPrefix("device.") && event.seq >= push.seq
                && event.data["device"]?.stringValue == push.device
        }
        let arrival = events.first { $0.kind == "device.push-received" && $0.names(push) }
        stops.append(
            Stop(
                .delivered,
                at: arrival?.at ?? push.deliveredAt ?? push.at,
                pushId: push.id,
                device: push.device,
                token: push.token
            )
        )
        delivery.outcome = .delivered
        let end = events.first { $0.isBanner && $0.names(push) }
        let last = end?.seq ?? .max
        let first = arrival?.seq ?? push.seq
        let fetch = events.first {
            $0.kind == "device.transaction-fetched" && (first...last).contains($0.seq)
        }
        if let fetch {
            stops.append(
                Stop(
                    .fetched,
                    at: fetch.at,
                    node: fetch.node,
                    pushId: push.id,
                    device: push.device,
                    token: push.token
                )
            )
        }
        let failure = events.last { $0.kind == "device.text-unavailable" && (first...last).contains($0.seq) }
        if let end { return show(end, push, failure, wasFetched: fetch != nil, &delivery) }
        if let dropped = events.first(where: { $0.kind == "device.push-discarded" && $0.names(push) }) {
            let text = dropped.data["reason"]?.stringValue ?? ""
            return delivery.lose(.shown, TraceCause(.notShown, text, isFinal: true), .lost)
        }
        let text =
            "the extension works on it: \(failure?.data["reason"]?.stringValue ?? "it fetches the text")"
        delivery.lose(
            fetch == nil ? .fetched : .shown,
            TraceCause(fetch == nil ? .notFetched : .notShown, text, isFinal: false),
            .delivered
        )
    }

    private mutating func show(
        _ banner: TraceFacts.Event,
        _ push: TracedPush,
        _ failure: TraceFacts.Event?,
        wasFetched: Bool,
        _ delivery: inout Delivery
    ) {
        let isListed = banner.data["listed"]?.boolValue == true
        let isFallback = banner.data["fallback"]?.boolValue == true
        let why = banner.data["why"]?.stringValue
        let look = isFallback ? "the push's own text" : "the message's text"
        stops.append(
            Stop(
                .shown,
                at: banner.at,
                pushId: push.id,
                device: push.device,
                token: push.token,
                note: "\(isListed ? "listed silently" : "shown"), with \(look)\(why.map { ": \($0)" } ?? "")"
            )
        )
        delivery.outcome = .shown
        guard isFallback else { return }
        let reason = failure?.data["reason"]?.stringValue ?? why ?? ""
        if wasFetched {
            let text = "only the push's own text was shown: \(reason)"
            delivery.lose(.shown, TraceCause(.notShown, text, isFinal: true), .shown)
        } else {
            delivery.lose(.fetched, fetchCause(reason, push), .shown)
        }
    }

    /// Why the extension had no text.
    private func fetchCause(_ reason: String, _ push: TracedPush) -> TraceCause {
        if reason.contains("push-recipient"), reason.contains("signed in") {
            return TraceCause(.otherAccount, "only the push's own text was shown: \(reason)", isFinal: true)
        }
        let asked = facts.fetches.filter { $0.at >= push.at }
        var nodes: [String] = []
        for call in asked where !nodes.contains(call.node) { nodes.append(call.node) }
        let places = nodes.map { node in
            let faults = asked.filter { $0.node == node }.compactMap(\.faultId)
            let fault = faults.last.map { " (fault \($0))" } ?? ""
            let lag = facts.lagging[node].map { " (\($0) blocks behind)" } ?? ""
            return node + fault + lag
        }
        let text = "the extension did not get the transaction: \(reason)"
        return TraceCause(
            .fetchFailed,
            places.isEmpty
                ? "\(text); it asked no node" : "\(text); it asked \(places.joined(separator: ", "))",
            isFinal: true
        )
    }

    /// What clients of others asked for by its id after a push: a real app's extension does.
    private mutating func noteForeignFetches() {
        guard let first = facts.pushes.first else { return }
        for fetch in facts.fetches where fetch.at >= first.at && !fetch.isOfDevice && fetch.status == 200 {
            stops.append(
                Stop(
                    .fetched,
                    at: fetch.at,
                    node: fetch.node,
                    faultId: fetch.faultId,
                    request: fetch.number,
                    note: "by \(fetch.caller)"
                )
            )
            for place in deliveries.indices where deliveries[place].cause?.code == .noDevice {
                deliveries[place].outcome = .delivered
                deliveries[place].lostAt = nil
                deliveries[place].cause = nil
            }
        }
    }
}

extension Trace.Delivery {
    fileprivate mutating func lose(_ station: Trace.Station, _ cause: TraceCause, _ outcome: Trace.Outcome) {
        lostAt = station
        self.cause = cause
        self.outcome = outcome
    }
}

extension TracedPush {
    /// Whether it went to a token, whose digits may be written in either case.
    func isFor(_ token: String) -> Bool { self.token == token.lowercased() || self.token == token }
}

extension TraceFacts.Event {
    /// Whether a user sees something from then on.
    fileprivate var isBanner: Bool { kind == "device.banner-shown" || kind == "device.banner-listed" }

    /// Whether it is about a push.
    fileprivate func names(_ push: TracedPush) -> Bool {
        let id = data["pushId"]?.stringValue ?? data["push"]?.stringValue
        return id == nil || id == push.id
    }
}
