public import AdamantModel
import JSONValue

/// What a signal message asks the notification service to do.
public struct Signal: Hashable, Sendable {
    /// The two requests.
    public enum Action: String, Sendable {
        /// Push to the token from now on.
        case add
        /// Push to it no more.
        case remove
    }

    /// The request; nil for a number that stands for neither list.
    public var action: Action?
    /// Hexadecimal as the client wrote it; nil when absent.
    public var token: String?
    /// For example `apns`; nil when absent.
    public var provider: String?

    /// A signal.
    public init(action: Action?, token: String?, provider: String?) {
        self.action = action
        self.token = token
        self.provider = provider
    }

    /// The plain text that a client seals.
    ///
    /// - Source: adamant-iOS:Adamant/Services/AdamantPushNotificationsTokenService.swift
    public var plainText: String {
        let object = JSONObject([
            ("token", .optional(token)), ("provider", .optional(provider)),
            ("action", .optional(action?.rawValue)),
        ])
        return JSONValue.object(object).text
    }

    /// Reads the plain text of a signal as leniently as the C# service does; nil when that would throw.
    ///
    /// A missing or unknown action is an `add`; numeric text stands for a place in the service's enumeration.
    /// - Source: adamant-notificationService:ANSSignalsRegistration/SignalsPoller.cs, Newtonsoft.Json's enum reading
    public init?(plainText: String) {
        guard let object = (try? JSONValue(parsing: plainText))?.objectValue else { return nil }
        var action: JSONValue?
        var token: JSONValue?
        var provider: JSONValue?
        for member in object.members {
            switch member.key.lowercased() {
            case "action": action = member.value
            case "token": token = member.value
            case "provider": provider = member.value
            default: break
            }
        }
        switch action {
        case nil, .null?: self.action = .add
        case .string(let word)?: self.action = Self.action(word)
        default: return nil
        }
        guard let tokenText = Self.text(token), let providerText = Self.text(provider) else { return nil }
        self.token = tokenText
        self.provider = providerText
    }

    private static func action(_ word: String) -> Action? {
        if let number = Int(word) { return number == 0 ? .add : number == 1 ? .remove : nil }
        return Action(rawValue: word.lowercased()) ?? .add
    }

    /// The text of a scalar (doubly optional: nil when it is no scalar).
    private static func text(_ value: JSONValue?) -> String?? {
        switch value {
        case nil, .null?: .some(nil)
        case .string(let text)?: .some(text)
        case .number(let number)?: .some(number.literal)
        case .bool(let flag)?: .some(flag ? "True" : "False")
        case .array?, .object?: nil
        }
    }

    /// Signs a transaction that carries the signal to the service; nil when the service's key is unusable.
    public func transaction(
        to service: ServiceIdentity,
        timestamp: Int32,
        nonce: [UInt8],
        by pair: KeyPair,
        cryptography: some Cryptography
    ) -> Transaction? {
        guard
            let box = MessageBox(
                sealing: plainText,
                nonce: nonce,
                to: service.publicKey,
                from: pair,
                cryptography: cryptography
            )
        else { return nil }
        let asset = Asset.chat(message: box.message, ownMessage: box.nonce, type: Transaction.ChatKind.signal)
        return Transaction(
            signing: asset,
            type: Transaction.Kind.chat,
            timestamp: timestamp,
            recipient: service.address,
            amount: 0,
            by: pair,
            cryptography: cryptography
        )
    }
}

/// What clients know of the notification service: where signals go and for whom they are sealed.
public struct ServiceIdentity: Hashable, Sendable {
    /// The service's account.
    public var address: Address
    /// 32 bytes.
    public var publicKey: [UInt8]

    /// An identity.
    public init(address: Address, publicKey: [UInt8]) {
        self.address = address
        self.publicKey = publicKey
    }
}
