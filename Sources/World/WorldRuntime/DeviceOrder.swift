import APNsRules
import AdamantModel
import ControlServer
import Simulators

/// The actions of a device by their names in the control API.
enum DeviceActionName: String, CaseIterable {
    case signIn = "sign-in"
    case signOut = "sign-out"
    case reinstall
    case restore
    case rotateToken = "rotate-token"
    case expireToken = "expire-token"
    case uninstall
    case online
    case offline
    case launch
    case kill
    case forceQuit = "force-quit"
    case allow
    case deny
    case notificationsOff = "notifications-off"
    case notificationsPush = "notifications-push"
    case savePower = "save-power"
    case fullPower = "full-power"
    case quiet
    case quietOff = "quiet-off"
    case block
    case unblock

    /// What becomes of the token of before; nil when it stays.
    var endOfToken: DeviceTokenState.Kind? {
        switch self {
        case .reinstall, .restore, .rotateToken, .uninstall: .unregistered
        case .expireToken: .expired
        default: nil
        }
    }

    /// Whether there is a new token.
    var issuesToken: Bool { endOfToken != nil && self != .uninstall }

    /// Whether no push can reach the device from then on.
    var cutsOff: Bool { self == .offline || self == .uninstall }

    /// Whether the app's process ends.
    var endsApp: Bool { [.kill, .forceQuit, .reinstall, .restore, .uninstall].contains(self) }

    /// The members that the call takes.
    fileprivate var members: [String] {
        switch self {
        case .signIn, .block, .unblock: ["account"]
        case .quiet: ["from", "to"]
        default: []
        }
    }
}

/// An action that a device is to take, with what it needs.
struct DeviceOrder {
    /// The members that orders may have.
    static let members = DeviceActionName.allCases.flatMap(\.members).reduce(into: [String]()) { all, name in
        if !all.contains(name) { all.append(name) }
    }

    /// Those that the order for an action may have; nil when there is no such action.
    static func members(of action: String) -> [String]? { DeviceActionName(rawValue: action)?.members }

    let name: DeviceActionName
    private var account: KnownAccount?
    private var partner: Address?
    private var quietHours: QuietHours?

    /// The order to sign in.
    init(signIn account: KnownAccount) {
        name = .signIn
        self.account = account
    }

    /// The order that a call gives.
    init(_ text: String, _ body: ControlBody, world: World) throws(ControlError) {
        guard let name = DeviceActionName(rawValue: text) else {
            let names = DeviceActionName.allCases.map(\.rawValue).joined(separator: ", ")
            throw .notFound("there is no action '\(text)'; a device can \(names)")
        }
        self.name = name
        switch name {
        case .signIn: account = try world.signer(try body.requiredString("account"), field: "account")
        case .block, .unblock:
            partner = try world.address(of: try body.requiredString("account"), field: "account")
        case .quiet:
            let (from, to) = (try body.requiredString("from"), try body.requiredString("to"))
            guard let hours = QuietHours(from: from, to: to) else {
                throw .invalid(
                    "from",
                    "from and to must be two different times such as 22:00 and 07:00, in UTC"
                )
            }
            quietHours = hours
        default: break
        }
    }

    /// What the device is told, with a new token where the action brings one.
    func action(token: String?) -> DeviceAction? {
        switch name {
        case .signIn: account.map { .signIn($0.keys) }
        case .signOut: .signOut
        case .reinstall: token.map { .reinstall(token: $0) }
        case .restore: token.map { .restore(token: $0) }
        case .rotateToken, .expireToken: token.map { .rotateToken($0) }
        case .uninstall: .uninstall
        case .online: .online
        case .offline: .offline
        case .launch: .launch
        case .kill: .kill
        case .forceQuit: .forceQuit
        case .allow: .allow
        case .deny: .deny
        case .notificationsOff: .notificationsOff
        case .notificationsPush: .notificationsPush
        case .savePower: .savePower(true)
        case .fullPower: .savePower(false)
        case .quiet: .quiet(quietHours)
        case .quietOff: .quiet(nil)
        case .block: partner.map { .block($0) }
        case .unblock: partner.map { .unblock($0) }
        }
    }
}
