public import Determinism
import AdamantModel
import APNsRules
import JSONValue

/// A push on which the extension is at work.
struct Delivery: Hashable, Sendable {
    /// What the alert says as it came.
    var title: String?
    var body: String?
    /// Whether the push asks for a sound.
    var hasSound: Bool
    var hasAlert: Bool
    /// Whether the system starts the extension.
    var isMutable: Bool
    /// `txn-id` and `push-recipient`, when they are strings.
    var transactionId: String?
    var recipient: String?
    /// What it is grouped by.
    var threadId: String?
    var level: InterruptionLevel
    /// The push without its payload, which is read by now.
    var push: ArrivedPush
    /// Set while the extension does not answer.
    var reason: String?

    /// Reads a push; nil when its payload is no JSON object.
    init?(_ arrived: ArrivedPush) {
        guard let object = try? JSONValue(parsing: arrived.payload), object.objectValue != nil else {
            return nil
        }
        push = arrived
        push.payload = []
        let aps = object["aps"]
        threadId = aps?["thread-id"]?.stringValue
        level = aps?["interruption-level"]?.stringValue.flatMap { InterruptionLevel(rawValue: $0) } ?? .active
        let alert = aps?["alert"]
        hasAlert = alert != nil && alert?.isNull == false
        title = Self.text(alert?["title"]?.stringValue, key: alert?["title-loc-key"]?.stringValue)
        body =
            alert?.stringValue ?? Self.text(alert?["body"]?.stringValue, key: alert?["loc-key"]?.stringValue)
        hasSound = aps?["sound"] != nil && aps?["sound"]?.isNull == false
        isMutable = aps?["mutable-content"]?.intValue == 1
        transactionId = object["txn-id"]?.stringValue
        recipient = object["push-recipient"]?.stringValue
    }

    /// The localised text of a key; a key the app does not have shows as it is.
    ///
    /// - Source: assumed (the app's English strings)
    private static func text(_ text: String?, key: String?) -> String? {
        switch key {
        case nil: text
        case "NotificationsService.NewMessage.BodySingle"?: "You have a new message"
        case "NotificationsService.NewTransfer.BodySingle"?: "You have a new transfer"
        case let key?: key
        }
    }
}

/// What the system and the Notification Service Extension do with a push.
///
/// - Source: adamant-iOS:NotificationServiceExtension/NotificationService.swift
extension Device {
    /// Takes a push that the push service delivers; what is to be done now comes back.
    public mutating func receive(_ push: ArrivedPush, now: Timestamp) -> [DeviceOperation] {
        let delivery = Delivery(push)
        let id = delivery?.transactionId
        func unshown(_ why: String) -> UnshownPush {
            UnshownPush(at: now, push: push.name, transactionId: id, why: why)
        }
        guard isInstalled, isOnline else {
            discard(unshown(isInstalled ? "no network" : "the app is not installed"))
            return []
        }
        guard showsNotifications else {
            discard(unshown("notifications are switched off"))
            return []
        }
        lastDeliveredAt = now
        lostSinceDelivery = 0
        note(.pushReceived(transactionId: id, push: push.name))
        guard let delivery, delivery.hasAlert else {
            discard(unshown("nothing to show"))
            return []
        }
        begin(delivery, now: now)
        return takeOperations(now: now)
    }

    private mutating func discard(_ push: UnshownPush) {
        keepUnshown(push)
        note(.pushDiscarded(push))
    }

    /// Most pushes in the extension's hands at a time.
    private static let maximumDeliveries = 256

    mutating func keepUnshown(_ push: UnshownPush) {
        notShown.append(push)
        if notShown.count > Self.maximumUnshown { notShown.removeFirst() }
    }

    private mutating func begin(_ delivery: Delivery, now: Timestamp) {
        guard delivery.isMutable, configuration.service != nil else {
            return show(delivery, title: delivery.title, body: delivery.body, now: now)
        }
        guard let text = delivery.transactionId, let id = Identifier(text), let recipient = delivery.recipient
        else { return showUnchanged(delivery, "txn-id or push-recipient is missing", now: now) }
        guard deliveries.count < Self.maximumDeliveries else {
            return showUnchanged(delivery, "the extension is at work on \(deliveries.count) others", now: now)
        }
        let number = nextNumber
        nextNumber += 1
        deliveries[number] = delivery
        guard store.account?.address(cryptography: cryptography).text == recipient else {
            deliveries[number]?.reason = "the account that stays signed in is not push-recipient"
            return limitTime(of: number)
        }
        call(.fetch(id), for: .text(delivery: number), now: now)
        if deliveries[number] != nil { limitTime(of: number) }
    }

    /// The system waits no longer than this for the extension.
    private mutating func limitTime(of number: Int) {
        ask(
            .wait(milliseconds: configuration.extensionMilliseconds),
            for: .extensionTime(delivery: number),
            isOfApp: false
        )
    }

    /// Takes a push out of the extension's hands, with all that it had asked for.
    private mutating func takeDelivery(_ number: Int) -> Delivery? {
        outstanding = outstanding.filter { _, work in
            if case .call(let call) = work { return call.purpose.delivery != number }
            return work != .extensionTime(delivery: number)
        }
        return deliveries.removeValue(forKey: number)
    }

    /// Decides on the text once the node has answered; there is no second attempt.
    mutating func endFetch(_ number: Int, _ result: CallResult, now: Timestamp) {
        if case .answer(.transaction(let transaction), let node) = result, deliveries[number] != nil {
            note(.transactionFetched(transaction.id, node: node))
            return askForContacts(number, of: transaction, now: now)
        }
        guard let delivery = takeDelivery(number) else { return }
        switch result {
        case .answer(.refused(let text), _): showUnchanged(delivery, text, now: now)
        case .answer(.unparsable(let text), _): showUnchanged(delivery, text, now: now)
        case .answer: showUnchanged(delivery, "parsing failed", now: now)
        case .unreachable(let reason): showUnchanged(delivery, reason, now: now)
        }
    }

    /// Asks for the names that the owner gave to partners; for a blocked partner the extension never answers.
    private mutating func askForContacts(_ number: Int, of transaction: SeenTransaction, now: Timestamp) {
        guard let owner = store.account?.address(cryptography: cryptography) else {
            return endContacts(number, of: transaction, .unreachable("nobody stays signed in"), now: now)
        }
        let partner = transaction.sender == owner ? transaction.recipient : transaction.sender
        if let partner, store.blocked.contains(partner) {
            deliveries[number]?.reason = "the partner is on the block list"
            return
        }
        let operation = NodeOperation.state(key: ContactList.key, owner: owner)
        call(operation, for: .contacts(delivery: number, of: transaction), now: now)
    }

    /// Shows the text, under the partner's name where the contact list has one.
    mutating func endContacts(
        _ number: Int,
        of transaction: SeenTransaction,
        _ result: CallResult,
        now: Timestamp
    ) {
        guard let delivery = takeDelivery(number) else { return }
        guard let account = store.account else {
            return showUnchanged(delivery, "nobody stays signed in", now: now)
        }
        var contacts = ContactList()
        if case .answer(.state(let value?), _) = result {
            contacts = ContactList(value: value, of: account, cryptography: cryptography)
        }
        let text = MessageText(of: transaction, for: account, cryptography: cryptography)
        var sounding = delivery
        sounding.hasSound = configuration.sound.map { !$0.isEmpty } ?? false
        sounding.threadId = text.partner
        if let body = text.body {
            show(sounding, title: contacts.name(of: text.partner) ?? text.partner, body: body, now: now)
        } else {
            showUnchanged(sounding, "the transaction has no text for this account", now: now)
        }
    }

    /// The extension did not answer in time: the system shows the alert as it came.
    mutating func showUntouched(_ number: Int, now: Timestamp) {
        guard let delivery = takeDelivery(number) else { return }
        let time = configuration.extensionMilliseconds
        let limit = time.isMultiple(of: 1000) ? "\(time / 1000) s" : "\(time) ms"
        showUnchanged(delivery, delivery.reason ?? "no node answered in \(limit)", now: now)
    }

    private mutating func showUnchanged(_ delivery: Delivery, _ reason: String, now: Timestamp) {
        note(.textUnavailable(transactionId: delivery.transactionId, reason: reason))
        show(delivery, title: delivery.title, body: delivery.body, fallbackReason: reason, now: now)
    }

    private mutating func show(
        _ delivery: Delivery,
        title: String?,
        body: String?,
        fallbackReason: String? = nil,
        now: Timestamp
    ) {
        let silence = silence(for: delivery, now: now)
        let reasons = [fallbackReason, silence].compactMap(\.self)
        let collapseId = delivery.push.collapseId
        let banner = Banner(
            at: now,
            transactionId: delivery.transactionId,
            title: title,
            body: body,
            fallback: fallbackReason != nil,
            silent: silence != nil || !delivery.hasSound,
            listed: silence != nil,
            why: reasons.isEmpty ? nil : reasons.joined(separator: "; "),
            push: delivery.push.name,
            threadId: delivery.threadId,
            collapseId: collapseId
        )
        if let collapseId,
            let place = banners.lastIndex(where: { $0.collapseId == collapseId && $0.replacedAt == nil })
        {
            banners[place].replacedAt = now
            note(.bannerReplaced(banners[place], by: banner.push))
        }
        banners.append(banner)
        if banners.count > Self.maximumBanners { banners.removeFirst() }
        note(.bannerShown(banner))
    }

    /// Why a notification is only listed.
    ///
    /// - Source: Apple, UNNotificationInterruptionLevel; Sending notification requests to APNs (priority 1)
    private func silence(for delivery: Delivery, now: Timestamp) -> String? {
        if delivery.level == .passive { return "its interruption level is passive" }
        if let quietHours, quietHours.contains(now), !delivery.level.passesQuietHours {
            return "quiet hours from \(quietHours.text)"
        }
        return delivery.push.priority == 1 ? "priority 1 never wakes a device" : nil
    }
}
