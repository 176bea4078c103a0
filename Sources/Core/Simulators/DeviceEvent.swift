public import AdamantModel
public import JSONValue

/// What happened on a device.
public enum DeviceEvent: Hashable, Sendable {
    /// The app's process began.
    case launched
    /// The app's process ended.
    case killed
    /// An account is signed in.
    case signedIn(Address)
    /// Signing in failed.
    case signInFailed(Address, reason: String)
    /// The account is gone from the device.
    case signedOut(Address)
    /// The app did not try to register.
    case registrationSkipped(reason: String)
    /// A node accepted a signal.
    case signalAccepted(Signal.Action, token: String, by: Address, Identifier, node: Int)
    /// A signal was not accepted as far as the app knows.
    case signalFailed(Signal.Action, token: String, by: Address, Identifier, reason: String, isQueued: Bool)
    /// A signal was given up without knowing what became of it.
    case signalDropped(Signal.Action, token: String, by: Address, Identifier, reason: String)
    /// A push arrived.
    case pushReceived(transactionId: String?, push: PushName?)
    /// A push arrived and nothing of it is shown.
    case pushDiscarded(UnshownPush)
    /// The extension has the transaction.
    case transactionFetched(Identifier, node: Int)
    /// The extension did not get the transaction, or could not use it.
    case textUnavailable(transactionId: String?, reason: String)
    /// The user saw something, or finds it in the list.
    case bannerShown(Banner)
    /// A later push took the place of what was shown.
    case bannerReplaced(Banner, by: PushName?)

    /// The name in the journal, `device.` and what happened.
    public var kind: String {
        switch self {
        case .launched: "device.launched"
        case .killed: "device.killed"
        case .signedIn: "device.signed-in"
        case .signInFailed: "device.sign-in-failed"
        case .signedOut: "device.signed-out"
        case .registrationSkipped: "device.registration-skipped"
        case .signalAccepted: "device.signal-accepted"
        case .signalFailed: "device.signal-failed"
        case .signalDropped: "device.signal-dropped"
        case .pushReceived: "device.push-received"
        case .pushDiscarded: "device.push-discarded"
        case .transactionFetched: "device.transaction-fetched"
        case .textUnavailable: "device.text-unavailable"
        case .bannerShown(let banner): banner.listed ? "device.banner-listed" : "device.banner-shown"
        case .bannerReplaced: "device.banner-replaced"
        }
    }

    /// The transaction it is about, if any.
    public var transactionId: String? {
        switch self {
        case .launched, .killed, .signedIn, .signInFailed, .signedOut, .registrationSkipped: nil
        case .signalAccepted(_, _, _, let id, _), .signalFailed(_, _, _, let id, _, _),
            .signalDropped(_, _, _, let id, _), .transactionFetched(let id, _):
            id.description
        case .pushReceived(let id, _), .textUnavailable(let id, _): id
        case .pushDiscarded(let push): push.transactionId
        case .bannerShown(let banner), .bannerReplaced(let banner, _): banner.transactionId
        }
    }

    /// Place of the node it concerns in the device's list, if any.
    public var node: Int? {
        switch self {
        case .signalAccepted(_, _, _, _, let node), .transactionFetched(_, let node): node
        default: nil
        }
    }

    /// The members of the journal's `data`.
    public var json: JSONValue {
        switch self {
        case .launched, .killed, .transactionFetched: [:]
        case .pushReceived(_, let push): ["push": .optional(push?.id)]
        case .signedIn(let address), .signedOut(let address): ["address": .string(address.text)]
        case .signInFailed(let address, let reason):
            ["address": .string(address.text), "reason": .string(reason)]
        case .registrationSkipped(let reason), .textUnavailable(_, let reason): ["reason": .string(reason)]
        case .pushDiscarded(let push): ["reason": .string(push.why), "push": .optional(push.push?.id)]
        case .signalAccepted(let action, let token, let address, _, _):
            ["action": .string(action.rawValue), "token": .string(token), "address": .string(address.text)]
        case .signalFailed(let action, let token, let address, _, let reason, let isQueued):
            [
                "action": .string(action.rawValue), "token": .string(token), "address": .string(address.text),
                "reason": .string(reason), "queued": .bool(isQueued),
            ]
        case .signalDropped(let action, let token, let address, _, let reason):
            [
                "action": .string(action.rawValue), "token": .string(token), "address": .string(address.text),
                "reason": .string(reason),
            ]
        case .bannerShown(let banner), .bannerReplaced(let banner, _): banner.json
        }
    }
}
