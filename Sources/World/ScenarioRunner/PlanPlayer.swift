import JSONValue
import ScenarioModel
import Threads

/// Why a scene did not end as stated.
struct SceneFailure: Error {
    let step: String
    let reason: String
}

/// Plays a plan against a world through its control API, and checks what comes of it.
final class PlanPlayer {
    private struct Device {
        let id: String
        let token: String
    }

    private let control: ControlClient
    private let output: (String) -> Void
    private var devices: [String: Device] = [:]
    private var addresses: [String: String] = [:]
    private var eventCursor = 0
    private var timeline: Timeline
    private var lastTransaction: String?
    private var refusal: String?

    /// How long to wait between two looks at what is expected.
    private static let lookMilliseconds: Int64 = 20

    init(control: ControlClient, output: @escaping (String) -> Void) throws(ControlFailure) {
        self.control = control
        self.output = output
        let world = try control.get("/v1/world")
        timeline = Timeline(world: world)
        for account in world["accounts"]?.arrayValue ?? [] {
            learn(account, name: account["name"]?.stringValue)
        }
        if let ans = world["ans"] { learn(ans, name: "ans") }
    }

    /// Plays the scenes in order; the number of those that did not end as stated.
    func play(_ plan: Plan) -> Int {
        var failures = 0
        for (index, scene) in plan.scenes.enumerated() {
            output("")
            output("\(index + 1)  \(scene.title)")
            do {
                try play(scene)
                if let moral = scene.moral { output("   → " + moral) }
            } catch {
                failures += 1
                try? showEvents()
                output("   ✗ \(error.step): \(error.reason)")
            }
        }
        return failures
    }

    private func play(_ scene: Scene) throws(SceneFailure) {
        timeline.restart()
        lastTransaction = nil
        refusal = nil
        do {
            eventCursor = Int(try control.get("/v1/events?limit=1&after=\(Int32.max)")["last"]?.intValue ?? 0)
        } catch {
            throw SceneFailure(step: scene.title, reason: error.message)
        }
        for step in scene.steps { try perform(step) }
        if let refusal { throw SceneFailure(step: scene.title, reason: refusal) }
    }

    private func perform(_ step: Step) throws(SceneFailure) {
        switch step {
        case .act(let action):
            try guarded(action.sentence) { () throws(ControlFailure) in
                try perform(action)
                try showEvents()
            }
        case .expect(let expectation, let limit):
            guard try holds(expectation, within: limit, until: true) else {
                throw SceneFailure(step: expectation.sentence, reason: "not so within \(limit) ms")
            }
            output("   ✓ " + expectation.sentence)
        case .never(let expectation, let limit):
            guard try !holds(expectation, within: limit, until: true) else {
                throw SceneFailure(step: "never: " + expectation.sentence, reason: "it became so")
            }
            output("   ✓ never for \(limit) ms: " + expectation.sentence)
        }
    }

    /// Whether an expectation comes to be as wanted within a time.
    private func holds(
        _ expectation: Expectation,
        within limit: Int,
        until wanted: Bool
    ) throws(SceneFailure) -> Bool {
        let deadline = MachineClock.monotonicMilliseconds() + Int64(limit)
        while true {
            var isSo = false
            try guarded(expectation.sentence) { () throws(ControlFailure) in isSo = try check(expectation) }
            if isSo == wanted || MachineClock.monotonicMilliseconds() >= deadline {
                try guarded(expectation.sentence) { () throws(ControlFailure) in try showEvents() }
                return isSo == wanted
            }
            pause()
        }
    }

    /// Lets a little time go by between two looks.
    private func pause() {
        let deadline = MachineClock.monotonicMilliseconds() + Self.lookMilliseconds
        Condition(()).wait(until: deadline) { _ -> Void? in nil }
    }

    private func guarded(
        _ step: String,
        _ body: () throws(ControlFailure) -> Void
    ) throws(SceneFailure) {
        do {
            try body()
        } catch {
            throw SceneFailure(step: step, reason: error.message)
        }
    }

    private func perform(_ action: Action) throws(ControlFailure) {
        switch action {
        case .makeDevice(let name, let behaviour, let owner):
            var members = JSONObject([("name", .string(name)), ("behaviour", .string(behaviour))])
            if let owner { members.append("owner", .string(owner)) }
            learn(device: try control.post("/v1/devices", .object(members)), name: name)
        case .device(let name, let action, let members):
            learn(
                device: try control.post("/v1/devices/\(try device(name).id)/\(action)", .object(members)),
                name: name
            )
        case .send(let kind, let from, let to, let message, let amount):
            try send(kind: kind, from: from, to: to, message: message, amount: amount)
        case .addFault(let rule): try control.post("/v1/faults", .object(rule))
        case .clearFaults: _ = try control.call("DELETE", "/v1/faults", nil)
        case .setToken(let name, let state):
            _ = try control.call(
                "PUT",
                "/v1/apns/tokens/\(try device(name).token)",
                ["state": .string(state)]
            )
        case .ans(let members): _ = try control.call("PATCH", "/v1/ans", .object(members))
        case .pollANS: try control.post("/v1/ans/poll")
        case .forge(let blocks): try control.post("/v1/chain/forge", ["blocks": .int(blocks)])
        }
    }

    private func send(
        kind: String,
        from: String,
        to: String,
        message: String?,
        amount: String?
    ) throws(ControlFailure) {
        var members = JSONObject([
            ("from", .string(addresses[from] ?? from)), ("to", .string(addresses[to] ?? to)),
            ("kind", .string(kind)),
        ])
        if let message { members.append("message", .string(message)) }
        if let amount { members.append("amount", .string(amount)) }
        do {
            lastTransaction = try control.post("/v1/transactions", .object(members))["transactionId"]?
                .stringValue
            refusal = nil
        } catch {
            refusal = error.message
        }
    }

    private func check(_ expectation: Expectation) throws(ControlFailure) -> Bool {
        switch expectation {
        case .registered(let name, let account, let wanted):
            let token = try device(name).token
            let rows = try control.get("/v1/registry")["rows"]?.arrayValue ?? []
            return wanted
                == rows.contains {
                    $0["token"]?.stringValue == token && $0["address"]?.stringValue == addresses[account]
                }
        case .ansKnows(let name, let wanted):
            let token = try device(name).token
            let rows = try control.get("/v1/ans")["rows"]?.arrayValue ?? []
            return wanted == rows.contains { $0["token"]?.stringValue == token }
        case .believesRegistered(let name, let wanted):
            return try state(of: name)["believesRegistered"]?.boolValue == wanted
        case .queuedRemovals(let name, let count):
            return try state(of: name)["queuedRemovals"]?.intValue == Int64(count)
        case .banner(let name, let text):
            let banners = try state(of: name)["banners"]?.arrayValue ?? []
            return banners.contains {
                ($0["title"]?.stringValue ?? "").contains(text)
                    || ($0["body"]?.stringValue ?? "").contains(text)
            }
        case .push(let name, let status, let reason):
            return try hasPush(to: name, status: status, reason: reason)
        case .refused(_, let text):
            defer { refusal = nil }
            return refusal?.contains(text) == true
        }
    }

    private func hasPush(to name: String, status: Int, reason: String?) throws(ControlFailure) -> Bool {
        var query = "/v1/pushes?token=\(try device(name).token)&status=\(status)"
        if let lastTransaction { query += "&transactionId=\(lastTransaction)" }
        if let reason { query += "&reason=\(reason)" }
        return try control.get(query)["pushes"]?.arrayValue?.isEmpty == false
    }

    private func device(_ name: String) throws(ControlFailure) -> Device {
        guard let device = devices[name] else {
            throw ControlFailure(message: "there is no device '\(name)'")
        }
        return device
    }

    private func state(of name: String) throws(ControlFailure) -> JSONValue {
        try control.get("/v1/devices/\(try device(name).id)")
    }

    private func learn(_ account: JSONValue, name: String?) {
        guard let address = account["address"]?.stringValue, let name else { return }
        addresses[name] = address
    }

    private func learn(device: JSONValue, name: String) {
        guard let id = device["id"]?.stringValue, let token = device["token"]?.stringValue else { return }
        devices[name] = Device(id: id, token: token)
        timeline.learn(device: device)
    }

    /// Prints what has happened since the last look.
    private func showEvents() throws(ControlFailure) {
        let page = try control.get("/v1/events?limit=1000&after=\(eventCursor)")
        let events = page["events"]?.arrayValue ?? []
        eventCursor = Int(page["next"]?.intValue ?? Int64(eventCursor))
        for line in timeline.lines(events) { output("   " + line) }
    }
}
