public import JSONValue

/// A story that is played against a world: who takes part, what they do, and what must come of it.
///
/// Scenario files are read into plans; the demo is one.
public struct Plan: Sendable {
    /// What the story is called.
    public let name: String
    /// Members of the world's configuration by their names in `mocknet.yml`.
    public let world: JSONObject
    /// The scenes, in order; each is checked for itself.
    public let scenes: [Scene]

    /// A story.
    public init(name: String, world: JSONObject = JSONObject(), scenes: [Scene]) {
        self.name = name
        self.world = world
        self.scenes = scenes
    }
}

/// A part of a story with a point of its own.
public struct Scene: Sendable {
    /// What happens, as a sentence.
    public let title: String
    /// What is to be learned from it; printed when the scene ended as stated.
    public let moral: String?
    /// The steps, in order; the first that fails ends the scene.
    public let steps: [Step]

    /// A scene.
    public init(_ title: String, moral: String? = nil, steps: [Step]) {
        self.title = title
        self.moral = moral
        self.steps = steps
    }
}

/// One step of a scene.
public enum Step: Sendable {
    /// Something that a party does.
    case act(Action)
    /// Something that must be so within a time.
    case expect(Expectation, withinMilliseconds: Int)
    /// Something that must not become so during a time.
    case never(Expectation, forMilliseconds: Int)
}

/// Something that a party does, by the names of the parties.
public enum Action: Sendable {
    /// Makes a device; with an owner it signs in and registers.
    case makeDevice(name: String, behaviour: String, owner: String?)
    /// Does something with a device: an action of the control API with its members.
    case device(name: String, action: String, members: JSONObject = JSONObject())
    /// Signs and submits a transaction of an account.
    case send(kind: String, from: String, to: String, message: String? = nil, amount: String? = nil)
    /// Adds a fault rule, named so that it can be told of.
    case addFault(JSONObject)
    /// Takes all fault rules away.
    case clearFaults
    /// Sets the state of a device's token at APNs.
    case setToken(device: String, state: String)
    /// Changes the reference ANS.
    case ans(JSONObject)
    /// Has the reference ANS poll once, so that what comes later falls into another poll.
    case pollANS
    /// Makes blocks at once.
    case forge(blocks: Int)
}

/// Something that can be so, by the names of the parties.
public enum Expectation: Sendable {
    /// The registry, as the chain's order defines it, has a row for this device and account.
    case registered(device: String, account: String, Bool)
    /// The reference ANS has a row for this device's token.
    case ansKnows(device: String, Bool)
    /// The device believes it is registered.
    case believesRegistered(device: String, Bool)
    /// So many removals are kept for another try.
    case queuedRemovals(device: String, Int)
    /// The device shows a banner with this text in it.
    case banner(device: String, containing: String)
    /// A push to the device's token was answered so.
    case push(device: String, status: Int, reason: String?)
    /// A node refused a transaction of an account with this text in the answer.
    case refused(account: String, containing: String)
}
