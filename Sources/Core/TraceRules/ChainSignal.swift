public import AdamantModel
public import Simulators

/// A signal message to the notification service, as it stands in the chain.
public struct ChainSignal: Sendable {
    /// What can be read of it.
    public enum Reading: Hashable, Sendable {
        /// The service's key opens it.
        case opened(Signal)
        /// It is sealed for a key that is not known here; what its length tells.
        case sealed(SignalKind?)
        /// It is text that nobody sealed.
        case plainText(String)
        /// The service's key does not open it.
        case unreadable
        /// The service's key opens it, and it is no signal.
        case notASignal
    }

    /// What it did to the registry.
    public enum Effect: Hashable, Sendable {
        /// It made a row.
        case added
        /// Its row was there already.
        case repeated
        /// It removed the row of its token.
        case removed
        /// There was nothing to do, or nobody can tell.
        case nothing
    }

    /// The transaction.
    public let transaction: Identifier
    /// Who sent it, with an upper-case `U`.
    public let sender: Address
    /// The block's height.
    public let height: Int
    /// The block.
    public let block: Identifier
    /// Epoch seconds of the block.
    public let blockTimestamp: Int32
    /// Epoch seconds, by the clock of whoever signed it.
    public let timestamp: Int32
    /// Units of 1e-8 ADM.
    public let fee: Int64
    /// What can be read of it.
    public let reading: Reading
    /// What it did to the registry.
    public internal(set) var effect = Effect.nothing

    /// What it asks for; nil when that is unknown, or it asks for nothing.
    public var action: Signal.Action? {
        switch reading {
        case .opened(let signal): signal.action
        case .sealed(let kind): kind?.action
        case .plainText, .unreadable, .notASignal: nil
        }
    }

    /// The token it is about, where that can be read.
    public var token: String? {
        guard case .opened(let signal) = reading else { return nil }
        return signal.token
    }

    /// The provider it names, or its length tells.
    public var provider: String? {
        switch reading {
        case .opened(let signal): signal.provider
        case .sealed(let kind): kind?.provider
        case .plainText, .unreadable, .notASignal: nil
        }
    }
}

/// What the length of a sealed signal tells to whoever has no key: the plain text is compact JSON without padding.
///
/// - Source: adamant-iOS:Adamant/Services/AdamantPushNotificationsTokenService.swift (32-byte tokens)
public struct SignalKind: Hashable, Sendable {
    /// What it asks for.
    public let action: Signal.Action
    /// For example `apns`.
    public let provider: String

    private static let kinds: [Int: SignalKind] = [
        250: SignalKind(action: .add, provider: "apns"),
        256: SignalKind(action: .remove, provider: "apns"),
        266: SignalKind(action: .add, provider: "apns-sandbox"),
        272: SignalKind(action: .remove, provider: "apns-sandbox"),
    ]

    private init(action: Signal.Action, provider: String) {
        self.action = action
        self.provider = provider
    }

    /// The kind of a signal whose sealed text has so many hexadecimal digits; nil for other lengths.
    public init?(hexadecimalDigits count: Int) {
        guard let kind = Self.kinds[count] else { return nil }
        self = kind
    }
}
