public import AdamantModel
import Determinism
public import JSONValue

/// What a notification service keeps when the program ends: registry, heights, and pushes not answered.
extension NotificationService {
    /// Everything but the work under way; the ordered service's open pushes are kept to be sent again.
    public var stateJSON: JSONValue {
        var orders = outbox
        for id in outstanding.keys.sorted() {
            if isOrdered, case .push(let order, _)? = outstanding[id] { orders.append(order) }
        }
        return [
            "rows": .array(rows.map(\.stateJSON)), "nextRow": .int(nextRow),
            "heights": .object(JSONObject(Poller.allCases.map { ($0.rawValue, .int(self[$0].height)) })),
            "outbox": .array(orders.map(\.json)), "accepted": .int(accepted), "failed": .int(failed),
        ]
    }

    /// A service that does not run, with a registry as it was kept; nil unless ``stateJSON`` made it.
    ///
    /// The generation differs each time, so that no random choice is repeated.
    public init?(
        configuration: NotificationServiceConfiguration,
        stateJSON: JSONValue,
        seed: UInt64,
        generation: Int,
        cryptography: any Cryptography
    ) {
        guard let stored = stateJSON["rows"]?.arrayValue, let heights = stateJSON["heights"] else {
            return nil
        }
        self.init(configuration: configuration, seed: seed, cryptography: cryptography)
        generator = SeededGenerator(seed: seed, purpose: "notification service \(generation)")
        rows = stored.compactMap(RegistryRow.init(stateJSON:))
        nextRow = (rows.map(\.number).max() ?? 0) + 1
        for poller in Poller.allCases {
            self[poller].height = heights[poller.rawValue]?.countValue ?? 0
        }
        outbox = (stateJSON["outbox"]?.arrayValue ?? []).compactMap(PushOrder.init(json:))
        accepted = stateJSON["accepted"]?.countValue ?? 0
        failed = stateJSON["failed"]?.countValue ?? 0
    }
}

extension RegistryRow {
    var stateJSON: JSONValue {
        [
            "number": .int(number), "address": .string(address.text), "token": .optional(token),
            "provider": .optional(provider), "registeredAt": .int(registeredAt.milliseconds),
            "transactionId": .string(transactionId.description),
        ]
    }

    init?(stateJSON json: JSONValue) {
        guard let number = json["number"]?.countValue,
            let address = json["address"]?.stringValue.flatMap({ Address($0) }),
            let registeredAt = json["registeredAt"]?.intValue,
            let id = json["transactionId"]?.stringValue.flatMap({ Identifier($0) })
        else { return nil }
        self.init(
            number: number,
            address: address,
            token: json["token"]?.stringValue,
            provider: json["provider"]?.stringValue,
            registeredAt: Timestamp(milliseconds: registeredAt),
            transactionId: id
        )
    }
}

extension PushOrder {
    var json: JSONValue {
        [
            "id": .string(id), "token": .string(token), "sandbox": .bool(isSandbox), "topic": .string(topic),
            "payload": payload, "expiration": .int(expiration), "pushType": .optional(pushType),
            "issuedAt": .int(providerTokenIssuedAt), "transactionId": .string(transactionId.description),
            "recipient": .string(recipient.text), "createdAt": .int(createdAt.milliseconds),
        ]
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue, let token = json["token"]?.stringValue,
            let topic = json["topic"]?.stringValue, let payload = json["payload"],
            let expiration = json["expiration"]?.intValue, let issuedAt = json["issuedAt"]?.intValue,
            let transactionId = json["transactionId"]?.stringValue.flatMap({ Identifier($0) }),
            let recipient = json["recipient"]?.stringValue.flatMap({ Address($0) }),
            let createdAt = json["createdAt"]?.intValue
        else { return nil }
        self.init(
            id: id,
            token: token,
            isSandbox: json["sandbox"]?.boolValue ?? false,
            topic: topic,
            payload: payload,
            expiration: expiration,
            pushType: json["pushType"]?.stringValue,
            providerTokenIssuedAt: issuedAt,
            transactionId: transactionId,
            recipient: recipient,
            createdAt: Timestamp(milliseconds: createdAt)
        )
    }
}
