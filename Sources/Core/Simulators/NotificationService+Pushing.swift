import AdamantModel
import Determinism
import JSONValue

/// From messages to pushes, and what their answers do to the registry.
///
/// - Source: adamant-notificationService:ANSPollingWorker/TransactionsPollingWorkerBase.cs, ANSApplePusher
extension NotificationService {
    /// Longest life of a provider token, by difference of clocks, before the C# service makes another.
    private static let deployedTokenSeconds: Int64 = 3600
    /// The same for the ordered service; Apple refuses renewal within 20 minutes and use beyond 60.
    private static let orderedTokenSeconds: Int64 = 2400
    /// How long Apple keeps an ordered service's push for a device that is offline.
    private static let expirationSeconds: Int64 = 86_400
    /// How often the ordered service sends a push at most.
    static let maximumAttempts = 6
    /// Pause before the second attempt; it doubles from one to the next.
    private static let retryMilliseconds = 500

    /// The C# service's way: by recipient in order of appearance, by row, by transaction.
    ///
    /// - Returns: what ends the loop, if anything; pushes before it are on their way.
    mutating func notify(_ batch: [SeenTransaction], now: Timestamp) -> String? {
        var recipients: [Address] = []
        for transaction in batch {
            guard let recipient = transaction.recipient, !recipients.contains(recipient) else { continue }
            recipients.append(recipient)
        }
        renewProviderToken(after: Self.deployedTokenSeconds, now: now)
        for recipient in recipients {
            for row in rows where row.address == recipient {
                guard let token = row.token, !token.isEmpty else { return "row \(row.number) has no token" }
                for transaction in batch where transaction.recipient == recipient {
                    guard let order = order(transaction, token: token, isSandbox: false, now: now) else {
                        continue
                    }
                    push(order, attempt: 1, afterMilliseconds: 0)
                }
            }
        }
        return nil
    }

    /// The ordered service's way: in chain order, to the environment of each row.
    mutating func notifyOnce(_ batch: [SeenTransaction], now: Timestamp) {
        renewProviderToken(after: Self.orderedTokenSeconds, now: now)
        for transaction in Self.inChainOrder(batch) {
            if transaction.chat?.type == Int(Transaction.ChatKind.signal) { continue }
            for row in rows where row.address == transaction.recipient {
                guard let token = row.token, let isSandbox = isSandbox(row.provider),
                    let order = order(transaction, token: token, isSandbox: isSandbox, now: now)
                else { continue }
                push(order, attempt: 1, afterMilliseconds: 0)
            }
        }
    }

    /// Whether a provider's tokens go to the sandbox; nil for providers that are not served.
    private func isSandbox(_ provider: String?) -> Bool? {
        switch provider?.lowercased() {
        case "apns": false
        case "apns-sandbox": configuration.hasSandbox ? true : nil
        default: nil
        }
    }

    private mutating func renewProviderToken(after seconds: Int64, now: Timestamp) {
        let unixSeconds = now.unixMilliseconds.flooredDivision(by: 1000)
        if let issued = providerTokenIssuedAt, unixSeconds - issued <= seconds { return }
        providerTokenIssuedAt = unixSeconds
    }

    private mutating func order(
        _ transaction: SeenTransaction,
        token: String,
        isSandbox: Bool,
        now: Timestamp
    ) -> PushOrder? {
        guard let recipient = transaction.recipient,
            let template = configuration.templates.first(where: { $0.transactionType == transaction.type })
        else { return nil }
        let unixSeconds = now.unixMilliseconds.flooredDivision(by: 1000)
        return PushOrder(
            id: uuid(),
            token: token,
            isSandbox: isSandbox,
            topic: configuration.topic,
            payload: Self.payload(template, recipient: recipient, transactionId: transaction.id),
            expiration: isOrdered ? unixSeconds + Self.expirationSeconds : 0,
            pushType: isOrdered ? "alert" : nil,
            providerTokenIssuedAt: providerTokenIssuedAt ?? unixSeconds,
            transactionId: transaction.id,
            recipient: recipient,
            createdAt: now
        )
    }

    private static func payload(
        _ template: NotificationServiceConfiguration.Template,
        recipient: Address,
        transactionId: Identifier
    ) -> JSONValue {
        var alert = JSONObject()
        if let key = template.titleKey { alert.append("title-loc-key", .string(key)) }
        alert.append("loc-key", .string(template.bodyKey))
        return [
            "aps": [
                "alert": .object(alert), "badge": 1, "sound": .string(template.sound), "mutable-content": 1,
            ],
            "push-recipient": .string(recipient.text), "txn-id": .string(transactionId.description),
        ]
    }

    /// A version 4 UUID in lower case.
    private mutating func uuid() -> String {
        var bytes = generator.bytes(16)
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let digits = Array(Hex.encode(bytes))
        let parts = [digits[0..<8], digits[8..<12], digits[12..<16], digits[16..<20], digits[20..<32]]
        return parts.map { String($0) }.joined(separator: "-")
    }

    mutating func notePush(_ order: PushOrder, attempt: Int, _ answer: PushAnswer, now: Timestamp) {
        if case .answered(200, _, _, _) = answer { accepted += 1 } else { failed += 1 }
        switch configuration.behaviour {
        case .asDeployed:
            note(.pushed(order, answer, willRetry: false))
            dropFirstRow(order.token, after: answer)
        case .ordered:
            let next = retryOrder(order, answer, now: now)
            let willRetry = next != nil && attempt < Self.maximumAttempts
            note(.pushed(order, answer, willRetry: willRetry))
            if let next, willRetry {
                push(next, attempt: attempt + 1, afterMilliseconds: Self.retryMilliseconds << (attempt - 1))
            }
            dropDeadRows(order, after: answer)
        }
    }

    /// The C# service drops one row, the first with the token, and reads no timestamp.
    private mutating func dropFirstRow(_ token: String, after answer: PushAnswer) {
        guard case .answered(let status, let reason, _, let hasObject) = answer, hasObject,
            status == 410 || status == 400 && reason == "BadDeviceToken",
            let index = rows.firstIndex(where: { $0.token == token })
        else { return }
        note(.tokenDropped(rows.remove(at: index), reason: answer.text))
    }

    /// The ordered service drops every row of a dead token but those registered after its death.
    private mutating func dropDeadRows(_ order: PushOrder, after answer: PushAnswer) {
        guard case .answered(let status, let reason, let timestamp, _) = answer else { return }
        var death = order.createdAt
        switch (status, reason) {
        case (410, _): death = timestamp.map(Timestamp.init(unixMilliseconds:)) ?? death
        case (400, "BadDeviceToken"), (400, "DeviceTokenNotForTopic"): break
        default: return
        }
        let dead = rows.filter { $0.token == order.token && $0.registeredAt <= death }
        rows.removeAll { $0.token == order.token && $0.registeredAt <= death }
        for row in dead { note(.tokenDropped(row, reason: answer.text)) }
    }

    /// The push to send again after a failure that may pass; nil when there is nothing to try.
    private mutating func retryOrder(_ order: PushOrder, _ answer: PushAnswer, now: Timestamp) -> PushOrder? {
        switch answer {
        case .failed(.unsendable): return nil
        case .failed, .answered(429, _, _, _), .answered(500..., _, _, _): return order
        case .answered(403, "ExpiredProviderToken", _, _), .answered(403, "InvalidProviderToken", _, _):
            providerTokenIssuedAt = nil
            renewProviderToken(after: 0, now: now)
            var renewed = order
            renewed.providerTokenIssuedAt = providerTokenIssuedAt ?? order.providerTokenIssuedAt
            return renewed
        case .answered: return nil
        }
    }
}
