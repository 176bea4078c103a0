public import JSONValue

/// A story that is played against a world: who takes part, what they do, and what must come of it.
public struct Scenario: Sendable {
    /// What the story is called.
    public let name: String
    /// What it tells, in prose; nil without.
    public let story: String?
    /// The file it was read from, as it was named.
    public let file: String
    /// The seeds it is played with unless the caller says otherwise.
    public let seeds: [UInt64]
    /// Who takes part, in the order in which they are made.
    public let parties: [Party]
    /// The scenes, in order; each is checked for itself.
    public let scenes: [Scene]

    /// The steps of all scenes.
    public var steps: [Step] { scenes.flatMap(\.steps) }
}

/// Somebody who takes part.
public struct Party: Sendable {
    /// What a party is.
    public enum Kind: String, Sendable, CaseIterable {
        /// An installation of an app.
        case device
        /// An account of the chain.
        case account
        /// A service that pushes; `ans` is the notification service.
        case service
    }

    /// What it is called in the story.
    public let name: String
    /// What it is.
    public let kind: Kind
    /// Whether it is a real build that somebody else drives.
    public let isExternal: Bool
    /// What else is told of it, by the names of the format.
    public let members: JSONObject
    /// Where it is declared.
    public let place: ScenarioPlace
}

/// A part of a story with a point of its own.
public struct Scene: Sendable {
    /// What happens, as a sentence; nil for a story of one scene.
    public let title: String?
    /// What is to be learned from it; told when the scene ended as stated.
    public let moral: String?
    /// The steps, in order; the first that fails ends the scene.
    public let steps: [Step]
}

/// One step of a scene.
public struct Step: Sendable {
    /// What kind of step it is.
    public enum Kind: Sendable {
        /// Something that is done.
        case act(Action)
        /// Something that must be so, or must not.
        case expect(Expectation)
        /// Variables with their values.
        case set(JSONObject)
    }

    /// What it does.
    public let kind: Kind
    /// Where it stands.
    public let place: ScenarioPlace
    /// What the story calls it; nil for a sentence made of it.
    public let note: String?
    /// Variables that take parts of its answer: name and path.
    public let saves: [Saving]

    /// A part of an answer that is kept under a name.
    public struct Saving: Sendable, Equatable {
        /// The variable.
        public let variable: String
        /// Members and numbers of elements, from the outside in; empty for all of it.
        public let path: [String]
    }
}

/// Something that is done, by the names of the parties.
public struct Action: Sendable {
    /// What is done.
    public let verb: Verb
    /// What the verb itself is given.
    public let principal: JSONValue
    /// What else it is given.
    public let members: JSONObject
    /// What its transaction is called from then on; nil without a name.
    public let label: String?
    /// A text in the answer of the world that has to refuse it; nil when it has to succeed.
    public let refusal: String?
    /// Whether it is somebody else who does it, whom the story can only tell.
    public let isExternal: Bool

    /// The text of the principal.
    public var subject: String { principal.stringValue ?? principal.text }
}

/// Something that has to be so, by the names of the parties.
public struct Expectation: Sendable {
    /// How often something is expected: a number, or a text whose variable gives it.
    public enum Amount: Sendable, Equatable {
        /// So often or more often.
        case atLeast(JSONValue)
        /// So often and not once more.
        case exactly(JSONValue)
    }

    /// What the number of an amount has to be.
    public static let number = ValueKind.count(0...10_000)

    /// When it has to be so.
    public enum Mode: Sendable, Equatable {
        /// It becomes so within a time and stays so for another.
        case becomes(withinMilliseconds: Int, staysMilliseconds: Int)
        /// It does not become so during a time.
        case never(forMilliseconds: Int)
    }

    /// What is looked for; several have to come in this order.
    public let claims: [Claim]
    /// How often.
    public let amount: Amount
    /// When.
    public let mode: Mode
    /// Whether each claim has to come after the one before.
    public let isOrdered: Bool
}

/// What is looked for in a world: things of one kind that look like this.
public struct Claim: Sendable {
    /// One thing that is said of them.
    public struct Condition: Sendable {
        /// The member of the format.
        public let member: Member
        /// The value or pattern.
        public let pattern: JSONValue
    }

    /// The kind of things.
    public let subject: Subject
    /// What is said first; null for any.
    public let principal: JSONValue
    /// What else is said of them.
    public let conditions: [Condition]
}
