import APNsRules
import ControlServer
import JSONValue
import Simulators

/// What `POST /v1/devices` asks for, checked.
struct DeviceForm {
    /// The members it may have.
    static let members = [
        "name", "behaviour", "owner", "nodes", "topic", "environment", "offClearsCache", "sound",
        "extensionMilliseconds",
    ]
    private static let messenger = "im.adamant.adamant-messenger"

    let name: String?
    let behaviour: DeviceConfiguration.Behaviour
    let owner: KnownAccount?
    let nodes: [String]
    let topic: String
    let environment: APNsEnvironment
    let offClearsCache: Bool
    let sound: String?
    let extensionMilliseconds: Int
    /// Whether the app is the messenger, which registers with the notification service and has a switch of its own.
    let isOfMessenger: Bool

    /// The system ends an extension within half a minute; a test may look at it longer.
    private static let longestExtension: Int64 = 600_000

    init(_ body: ControlBody, world: World) throws(ControlError) {
        try body.allow(only: Self.members)
        name = try body.string("name")
        behaviour = try body.word("behaviour", as: DeviceConfiguration.Behaviour.self) ?? .asDeployed
        owner = try body.string("owner").map { name throws(ControlError) in
            try world.signer(name, field: "owner")
        }
        topic = try body.string("topic") ?? Self.messenger
        guard !topic.isEmpty else {
            throw .invalid("topic", "topic must be a bundle id, such as \(Self.messenger)")
        }
        isOfMessenger = owner != nil || topic.hasPrefix("im.adamant.")
        nodes = try body.strings("nodes") ?? (isOfMessenger ? world.nodeNames : [])
        guard !nodes.isEmpty || !isOfMessenger else {
            throw .invalid("nodes", "the messenger needs at least one node")
        }
        for node in nodes { _ = try world.nodeIndex(node, field: "nodes") }
        environment = try body.word("environment", as: APNsEnvironment.self) ?? .production
        offClearsCache = try body.bool("offClearsCache") ?? false
        sound = try body.string("sound")
        let milliseconds = try body.integer("extensionMilliseconds", in: 0...Self.longestExtension)
        extensionMilliseconds = milliseconds.flatMap { Int(exactly: $0) } ?? 30_000
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
