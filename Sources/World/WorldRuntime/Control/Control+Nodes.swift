import AdamantLedger
import ControlServer
import FaultRules
import HTTPDaemon
import JSONValue
import NodeSockets
import Synchronization

extension World {
    var nodeRoutes: [ControlRoute] {
        [
            ControlRoute("GET", "/v1/nodes") { [self] _ throws(ControlError) in
                .json(["nodes": .array(nodeNames.indices.map(nodeJSON))])
            },
            ControlRoute("GET", "/v1/nodes/{name}") { [self] request throws(ControlError) in
                .json(nodeJSON(try nodeIndex(request.parameter("name"))))
            },
            ControlRoute(
                "PATCH",
                "/v1/nodes/{name}",
                members: [
                    "failureRate", "failureMix", "latency", "version", "online", "offlineMode", "socket",
                ]
                    + NodeSituation.members + NodeSwitch.allCases.map(\.rawValue)
            ) { [self] request throws(ControlError) in
                let node = try nodeIndex(request.parameter("name"))
                try change(node, request.body)
                return .json(nodeJSON(node))
            },
        ]
    }

    /// The index of the node that a path names.
    func nodeIndex(_ name: String) throws(ControlError) -> Int {
        guard let index = nodeNames.firstIndex(of: name) else { throw .notFound(noNode(name)) }
        return index
    }

    /// The index of the node that a member of a body names; the first when it names none.
    func nodeIndex(_ name: String?, field: String) throws(ControlError) -> Int {
        guard let name else { return 0 }
        guard let index = nodeNames.firstIndex(of: name) else { throw .invalid(field, noNode(name)) }
        return index
    }

    private func noNode(_ name: String) -> String {
        "there is no node '\(name)'; nodes here: \(nodeNames.joined(separator: ", "))"
    }

    var nodeNames: [String] {
        Array(WorldConfiguration.nodeNames.prefix(configuration.nodeCount))
    }

    private func change(_ node: Int, _ body: ControlBody) throws(ControlError) {
        let name = nodeNames[node]
        let rate = try body.double("failureRate", in: 0...1)
        var mix: FailureMix?
        if let members = body.object["failureMix"], !members.isNull {
            do throws(FaultRuleError) {
                mix = try FailureMix(members)
            } catch {
                throw ControlError(error)
            }
        }
        // Bad members are refused before anything is changed.
        _ = try Self.changed(withState { state, _ in state.nodes[node].profile }, body)
        let online = try body.bool("online")
        let socket = try body.bool("socket")
        let offlineMode = try body.word("offlineMode", as: OfflineMode.self)
        let mode = try withState { state, _ throws(ControlError) in
            if let latency = body.object["latency"] { try state.setLatency(latency, node: name) }
            let settings = state.nodes[node]
            return online ?? settings.isOnline
                ? HTTPListener.Mode.normal : (offlineMode ?? settings.offlineMode).listening
        }
        // A node that goes must not answer, nor refuse, a call in between.
        if mode != .normal { applyListening(node, mode) }
        try withState { state, _ throws(ControlError) in
            let profile = try Self.changed(state.nodes[node].profile, body)
            if rate != nil || mix != nil {
                state.faults.setFailureRate(
                    rate ?? state.faults.failureRate(node: name),
                    mix: mix,
                    node: name
                )
            }
            state.nodes[node].profile = profile
            state.ledger.setProfile(profile, node: node)
            if let online { state.nodes[node].isOnline = online }
            if let offlineMode { state.nodes[node].offlineMode = offlineMode }
            if let socket { state.nodes[node].hasSocket = socket }
        }
        if online != nil || offlineMode != nil || socket != nil { applyListening(node) }
        refreshServerView()
    }

    /// A profile with the members of a body; read where it is written, so that no other change is lost.
    private static func changed(_ profile: NodeProfile, _ body: ControlBody) throws(ControlError)
        -> NodeProfile
    {
        var profile = profile
        if let version = try body.string("version") {
            guard let chosen = NodeProfile(version: version) else {
                throw .invalid(
                    "version",
                    "version must be 0.9, 0.10 or an exact one such as 0.10.2, not '\(version)'"
                )
            }
            let situation = profile.situation
            profile = chosen
            profile.situation = situation
        }
        try profile.situation.apply(body)
        for setting in NodeSwitch.allCases { try setting.apply(body, to: &profile) }
        return profile
    }

    private func nodeJSON(_ node: Int) -> JSONValue {
        let (port, securePort, sockets) = listeners.withLock { listeners in
            (
                listeners.nodePorts.indices.contains(node) ? listeners.nodePorts[node] : 0,
                listeners.secureNodePort(node),
                listeners.sockets.indices.contains(node) ? listeners.sockets[node] : nil
            )
        }
        let clients = sockets?.clientCount ?? 0
        let socketEvents = sockets?.eventCount ?? 0
        return withState { state, _ in
            let settings = state.nodes[node]
            let mix = state.faults.failureMix(node: settings.name)
            var json = JSONObject([
                ("name", .string(settings.name)), ("url", .string(url("http", port: port))),
                ("socketUrl", socketURL(settings)),
                ("tlsUrl", .optional(securePort.map { url("https", port: $0) })),
                ("version", .string(settings.profile.version)), ("online", .bool(settings.isOnline)),
                ("offlineMode", .string(settings.offlineMode.rawValue)),
                ("socket", .bool(settings.hasSocket)), ("socketClients", .int(clients)),
                ("socketEvents", .int(socketEvents)),
                ("height", .int(state.ledger.height(node: node))),
                (
                    "failureRate",
                    .number(JSONNumber(state.faults.failureRate(node: settings.name)) ?? JSONNumber(0))
                ),
                ("failureMix", mix.json), ("latency", state.faults.latency(node: settings.name)),
            ])
            for (name, value) in settings.profile.situation.json { json.append(name, value) }
            for setting in NodeSwitch.allCases {
                json.append(setting.rawValue, setting.value(of: settings.profile))
            }
            return .object(json)
        }
    }
}

extension WorldState {
    /// Lets every answer of a node take longer.
    fileprivate mutating func setLatency(_ latency: JSONValue, node: String) throws(ControlError) {
        do throws(FaultRuleError) {
            try faults.setLatency(latency, node: node)
        } catch {
            throw ControlError(error)
        }
    }
}

/// The single differences of a version that can be switched by themselves.
enum NodeSwitch: String, CaseIterable {
    case maxTransactionAgeSeconds
    case countAsString
    case sortsByDefault
    case descendsByDefault
    case checksFutureFirst
    case chatsCanIncludeTransfers
    case showsBlockTimestampAlways

    /// Sets the switch where the body names it.
    func apply(_ body: ControlBody, to profile: inout NodeProfile) throws(ControlError) {
        if self == .maxTransactionAgeSeconds {
            if let seconds = try body.integer(rawValue, in: 0...1_000_000_000) {
                profile.maxTransactionAgeSeconds = Int(seconds)
            }
        } else if let value = try body.bool(rawValue), let path = flag {
            profile[keyPath: path] = value
        }
    }

    /// The switch as the control API shows it.
    func value(of profile: NodeProfile) -> JSONValue {
        flag.map { .bool(profile[keyPath: $0]) } ?? .int(profile.maxTransactionAgeSeconds)
    }

    private var flag: WritableKeyPath<NodeProfile, Bool>? {
        switch self {
        case .maxTransactionAgeSeconds: nil
        case .countAsString: \.countAsString
        case .sortsByDefault: \.sortsByDefault
        case .descendsByDefault: \.descendsByDefault
        case .checksFutureFirst: \.checksFutureFirst
        case .chatsCanIncludeTransfers: \.chatsCanIncludeTransfers
        case .showsBlockTimestampAlways: \.showsBlockTimestampAlways
        }
    }
}
