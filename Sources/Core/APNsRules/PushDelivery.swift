public import Determinism
public import JSONValue

/// What became of a push after it was accepted.
public struct PushDelivery: Sendable, Equatable {
    /// The last thing that happened.
    public enum State: String, Sendable, CaseIterable {
        /// The device has it.
        case delivered
        /// It waits for the device.
        case stored
        /// It was thrown away.
        case discarded
        /// It was stored and its time ran out.
        case expired
        /// A later one with the same collapse id took its place on the device.
        case collapsed
        /// A later one took its place in storage.
        case replaced
        /// Its device holds it back for a while.
        case throttled
        /// It was never accepted.
        case notDelivered
    }

    /// What the device made of it.
    public struct Presentation: Sendable, Equatable {
        /// Where a user finds it.
        public enum Place: String, Sendable, CaseIterable {
            /// It was shown.
            case banner
            /// It was put into the list without being shown.
            case list
            /// Nowhere.
            case nothing
        }

        /// Where a user finds it.
        public var place: Place
        /// When.
        public var at: Timestamp
        /// Why it was not shown, or not with the text it should have, for people.
        public var why: String?

        /// A presentation.
        public init(_ place: Place, at: Timestamp, why: String? = nil) {
            self.place = place
            self.at = at
            self.why = why
        }

        /// The presentation as a push record shows it.
        public var json: JSONValue {
            ["place": .string(place.rawValue), "at": .string(at.rfc3339), "why": .optional(why)]
        }
    }

    /// The last thing that happened.
    public var state: State
    /// The device's id.
    public var device: String?
    /// When.
    public var at: Timestamp
    /// Why, for people.
    public var why: String?
    /// What the device made of it; nil until it has.
    public var presentation: Presentation?

    /// A delivery.
    public init(_ state: State, device: String? = nil, at: Timestamp, why: String? = nil) {
        self.state = state
        self.device = device
        self.at = at
        self.why = why
    }

    /// The delivery as a push record shows it.
    public var json: JSONValue {
        [
            "state": .string(state.rawValue), "device": .optional(device), "at": .string(at.rfc3339),
            "why": .optional(why), "presentation": presentation?.json ?? .null,
        ]
    }
}
