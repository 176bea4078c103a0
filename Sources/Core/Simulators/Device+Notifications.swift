public import Determinism
import AdamantModel
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
    /// Set while the transaction is fetched.
    var reason: String?

    /// Reads a payload; nil when it is no JSON object.
    init?(payload: [UInt8]) {
        guard let object = try? JSONValue(parsing: payload), object.objectValue != nil else { return nil }
        let aps = object["aps"]
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
    /// Takes a push that the push service delivers.
    ///
    /// The payload is the bytes as the provider sent them; what is to be done now comes back.
    public mutating func receive(payload: [UInt8], now: Timestamp) -> [DeviceOperation] {
        let delivery = Delivery(payload: payload)
        let id = delivery?.transactionId
        guard isInstalled, isOnline else {
            note(
                .pushDiscarded(
                    transactionId: id,
                    reason: isInstalled ? "no network" : "the app is not installed"
                )
            )
            return []
        }
        guard showsNotifications else {
            note(.pushDiscarded(transactionId: id, reason: "notifications are switched off"))
            return []
        }
        lastDeliveredAt = now
        lostSinceDelivery = 0
        note(.pushReceived(transactionId: id))
        guard let delivery, delivery.hasAlert else {
            note(.pushDiscarded(transactionId: id, reason: "nothing to show"))
            return []
        }
        begin(delivery, now: now)
        return takeOperations(now: now)
    }

    private mutating func begin(_ delivery: Delivery, now: Timestamp) {
        guard delivery.isMutable, configuration.service != nil else {
            return show(delivery, title: delivery.title, body: delivery.body, now: now)
        }
        guard let text = delivery.transactionId, let id = Identifier(text), let recipient = delivery.recipient
        else { return showUnchanged(delivery, "txn-id or push-recipient is missing", now: now) }
        let number = nextNumber
        nextNumber += 1
        deliveries[number] = delivery
        guard store.account?.address(cryptography: cryptography).text == recipient else {
            deliveries[number]?.reason = "the account that stays signed in is not push-recipient"
            return ask(
                .wait(milliseconds: configuration.extensionMilliseconds),
                for: .extensionTime(delivery: number),
                isOfApp: false
            )
        }
        call(.fetch(id), for: .text(delivery: number), now: now)
    }

    /// Decides on the text once the node has answered; there is no second attempt.
    mutating func endFetch(_ number: Int, _ result: CallResult, now: Timestamp) {
        guard let delivery = deliveries.removeValue(forKey: number) else { return }
        switch result {
        case .answer(.transaction(let transaction), let node):
            note(.transactionFetched(transaction.id, node: node))
            decorate(delivery, with: transaction, now: now)
        case .answer(.refused(let text), _): showUnchanged(delivery, text, now: now)
        case .answer(.unparsable(let text), _): showUnchanged(delivery, text, now: now)
        case .answer: showUnchanged(delivery, "parsing failed", now: now)
        case .unreachable(let reason): showUnchanged(delivery, reason, now: now)
        }
    }

    private mutating func decorate(_ delivery: Delivery, with transaction: SeenTransaction, now: Timestamp) {
        guard let account = store.account else {
            return showUnchanged(delivery, "nobody stays signed in", now: now)
        }
        let text = MessageText(of: transaction, for: account, cryptography: cryptography)
        var sounding = delivery
        sounding.hasSound = configuration.sound.map { !$0.isEmpty } ?? false
        if let body = text.body {
            show(sounding, title: text.title, body: body, now: now)
        } else {
            showUnchanged(sounding, "the transaction has no text for this account", now: now)
        }
    }

    /// The extension never answered: the system shows the alert as it came.
    mutating func showUntouched(_ number: Int, now: Timestamp) {
        guard let delivery = deliveries.removeValue(forKey: number) else { return }
        showUnchanged(delivery, delivery.reason ?? "the extension did not answer", now: now)
    }

    private mutating func showUnchanged(_ delivery: Delivery, _ reason: String, now: Timestamp) {
        note(.textUnavailable(transactionId: delivery.transactionId, reason: reason))
        show(delivery, title: delivery.title, body: delivery.body, isFallback: true, now: now)
    }

    private mutating func show(
        _ delivery: Delivery,
        title: String?,
        body: String?,
        isFallback: Bool = false,
        now: Timestamp
    ) {
        let banner = Banner(
            at: now,
            transactionId: delivery.transactionId,
            title: title,
            body: body,
            fallback: isFallback,
            silent: !delivery.hasSound
        )
        banners.append(banner)
        if banners.count > Self.maximumBanners { banners.removeFirst() }
        note(.bannerShown(banner))
    }
}
