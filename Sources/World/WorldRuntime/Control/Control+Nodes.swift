import AdamantLedger
import ControlServer
import FaultRules
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
                members: ["failureRate", "failureMix", "version", "online", "socket"]
                    + NodeSwitch.allCases.map(\.rawValue)
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
        var profile = withState { state, _ in state.nodes[node].profile }
        if let version = try body.string("version") {
            guard let chosen = NodeProfile(version: version) else {
                throw .invalid(
                    "version",
                    "version must be 0.9, 0.10 or an exact one such as 0.10.2, not '\(version)'"
                )
            }
            profile = chosen
        }
        for setting in NodeSwitch.allCases { try setting.apply(body, to: &profile) }
        let online = try body.bool("online")
        let socket = try body.bool("socket")
        withState { state, _ in
            if rate != nil || mix != nil {
                state.faults.setFailureRate(
                    rate ?? state.faults.failureRate(node: name),
                    mix: mix,
                    node: name
                )
            }
            state.nodes[node].profile = profile
            state.ledger.profiles[node] = profile
            if let online { state.nodes[node].isOnline = online }
            if let socket { state.nodes[node].hasSocket = socket }
        }
        if online != nil || socket != nil { applyListening(node) }
        refreshFaultNeeds()
    }

    private func nodeJSON(_ node: Int) -> JSONValue {
        let (port, sockets) = listeners.withLock { listeners in
            listeners.sockets.indices.contains(node)
                ? (listeners.nodePorts[node], listeners.sockets[node]) : (0, nil)
        }
        let clients = sockets?.clientCount ?? 0
        return withState { state, _ in
            let settings = state.nodes[node]
            let mix = state.faults.failureMix(node: settings.name)
            var json = JSONObject([
                ("name", .string(settings.name)), ("url", .string(url("http", port: port))),
                ("socketUrl", socketURL(settings)),
                ("version", .string(settings.profile.version)), ("online", .bool(settings.isOnline)),
                ("socket", .bool(settings.hasSocket)), ("socketClients", .int(clients)),
                ("height", .int(state.ledger.height)),
                (
                    "failureRate",
                    .number(JSONNumber(state.faults.failureRate(node: settings.name)) ?? JSONNumber(0))
                ),
                ("failureMix", mix.json),
            ])
            for setting in NodeSwitch.allCases {
                json.append(setting.rawValue, setting.value(of: settings.profile))
            }
            return .object(json)
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
