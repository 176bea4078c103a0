import APNsRules
import ControlServer
import JSONValue
import Simulators

/// What `POST /v1/devices` asks for, checked.
struct DeviceForm {
    /// The members it may have.
    static let members = ["name", "behaviour", "owner", "nodes", "topic", "environment", "offClearsCache"]

    let name: String?
    let behaviour: DeviceConfiguration.Behaviour
    let owner: KnownAccount?
    let nodes: [String]
    let topic: String
    let environment: APNsEnvironment
    let offClearsCache: Bool

    /// Whether the app is the messenger, which registers with the notification service and has a switch of its own.
    var isOfMessenger: Bool { owner != nil || topic.hasPrefix("im.adamant.") }

    init(_ body: ControlBody, world: World) throws(ControlError) {
        try body.allow(only: Self.members)
        name = try body.string("name")
        behaviour = try body.word("behaviour", as: DeviceConfiguration.Behaviour.self) ?? .asDeployed
        owner = try body.string("owner").map { name throws(ControlError) in
            try world.signer(name, field: "owner")
        }
        nodes = try body.strings("nodes") ?? world.nodeNames
        guard !nodes.isEmpty else { throw .invalid("nodes", "a device needs at least one node") }
        for node in nodes { _ = try world.nodeIndex(node, field: "nodes") }
        topic = try body.string("topic") ?? "im.adamant.adamant-messenger"
        environment = try body.word("environment", as: APNsEnvironment.self) ?? .production
        offClearsCache = try body.bool("offClearsCache") ?? false
    }
}

extension World {
    /// The account of a name or address, whose passphrase the world must have.
    func signer(_ text: String, field: String) throws(ControlError) -> KnownAccount {
        guard let account = withState({ state, _ in state.accounts.find(text) }) else {
            throw .invalid(
                field,
                "the world has no passphrase for '\(text)'; GET /v1/accounts lists those it has"
            )
        }
        return account
    }
}
