public import AdamantModel
import Determinism
public import JSONValue

/// What a device keeps when the program ends.
extension Device {
    /// Everything but the work under way, which is given up as if the process had been ended.
    public var stateJSON: JSONValue {
        [
            "configuration": configuration.json, "token": .optional(systemToken), "online": .bool(isOnline),
            "allowed": .bool(isAllowed), "running": .bool(isRunning), "signedIn": .bool(session != nil),
            "store": store.json, "banners": .array(banners.map(\.json)),
            "lastDeliveredAt": .optional(lastDeliveredAt?.rfc3339),
            "lostSinceDelivery": .int(lostSinceDelivery), "problem": .optional(problem),
            "savingPower": .bool(isSavingPower), "forceQuit": .bool(isForceQuit),
            "quietHours": quietHours?.json ?? .null, "notShown": .array(notShown.map(\.json)),
        ]
    }

    /// A device as it was kept; nil unless the state is what ``stateJSON`` makes.
    ///
    /// The generation differs each time, so that no random choice is repeated.
    public init?(
        stateJSON: JSONValue,
        seed: UInt64,
        generation: Int,
        cryptography: any Cryptography
    ) {
        guard let configuration = stateJSON["configuration"].flatMap(DeviceConfiguration.init(json:)),
            let store = stateJSON["store"].flatMap({
                DeviceStore(json: $0, nodeCount: configuration.nodes.count)
            }),
            let stored = stateJSON["banners"]?.arrayValue
        else { return nil }
        self.init(configuration: configuration, token: "", seed: seed, cryptography: cryptography)
        generator = SeededGenerator(seed: seed, purpose: "device \(configuration.id) \(generation)")
        self.store = store
        systemToken = stateJSON["token"]?.stringValue
        isOnline = stateJSON["online"]?.boolValue ?? true
        isAllowed = stateJSON["allowed"]?.boolValue ?? true
        isRunning = systemToken != nil && stateJSON["running"]?.boolValue ?? false
        session = isRunning && stateJSON["signedIn"]?.boolValue == true ? store.account : nil
        banners = stored.compactMap(Banner.init(json:))
        lastDeliveredAt = stateJSON["lastDeliveredAt"]?.stringValue.flatMap { Timestamp(rfc3339: $0) }
        lostSinceDelivery = stateJSON["lostSinceDelivery"]?.countValue ?? 0
        problem = stateJSON["problem"]?.stringValue
        isSavingPower = stateJSON["savingPower"]?.boolValue ?? false
        isForceQuit = stateJSON["forceQuit"]?.boolValue ?? false
        quietHours = stateJSON["quietHours"].flatMap(QuietHours.init(json:))
        notShown = stateJSON["notShown"]?.arrayValue?.compactMap(UnshownPush.init(json:)) ?? []
    }
}

extension DeviceConfiguration {
    var json: JSONValue {
        [
            "id": .string(id), "name": .string(name), "behaviour": .string(behaviour.rawValue),
            "topic": .string(topic), "environment": .string(environment),
            "nodes": .array(nodes.map(JSONValue.string)), "serviceAddress": .optional(service?.address.text),
            "servicePublicKey": .optional(service.map { Hex.encode($0.publicKey) }),
            "offClearsCache": .bool(offClearsCache), "signOutSkipsRemoval": .bool(signOutSkipsRemoval),
            "sound": .optional(sound), "extensionMilliseconds": .int(extensionMilliseconds),
        ]
    }

    init?(json: JSONValue) {
        guard let id = json["id"]?.stringValue, let name = json["name"]?.stringValue,
            let behaviour = json["behaviour"]?.stringValue.flatMap({ Behaviour(rawValue: $0) }),
            let topic = json["topic"]?.stringValue, let environment = json["environment"]?.stringValue,
            let nodes = json["nodes"]?.arrayValue?.compactMap(\.stringValue),
            let milliseconds = json["extensionMilliseconds"]?.intValue
        else { return nil }
        var service: ServiceIdentity?
        if let address = json["serviceAddress"]?.stringValue.flatMap({ Address($0) }),
            let key = json["servicePublicKey"]?.stringValue.flatMap({ Hex.decode($0) })
        {
            service = ServiceIdentity(address: address, publicKey: key)
        }
        self.init(
            id: id,
            name: name,
            behaviour: behaviour,
            topic: topic,
            environment: environment,
            nodes: nodes,
            service: service,
            offClearsCache: json["offClearsCache"]?.boolValue ?? false,
            signOutSkipsRemoval: json["signOutSkipsRemoval"]?.boolValue ?? false,
            sound: json["sound"]?.stringValue,
            extensionMilliseconds: Int(clamping: milliseconds)
        )
    }
}

extension DeviceStore {
    var json: JSONValue {
        [
            "account": .optional(account.map { Hex.encode($0.privateKey) }), "wantsPush": .bool(wantsPush),
            "token": .optional(token), "deletionQueue": .array(deletionQueue.map(\.json)),
            "registeredToken": .optional(registration?.token),
            "registeredAddress": .optional(registration?.address.text),
            "pending": .array(pending.map(\.json)),
            "lastToken": .optional(lastToken), "lastSignalSecond": .int(lastSignalSecond),
            "blocked": .array(blocked.map(\.text).sorted().map(JSONValue.string)),
            "nodes": .array(
                nodes.map { node in
                    [
                        "status": .string(node.status.rawValue),
                        "height": node.height.map { .int($0) } ?? .null,
                    ]
                }
            ),
        ]
    }

    /// Health that does not fit the list of nodes is forgotten.
    init?(json: JSONValue, nodeCount: Int) {
        guard let queue = json["deletionQueue"]?.arrayValue, let wishes = json["pending"]?.arrayValue
        else { return nil }
        self.init(nodeCount: nodeCount)
        if let key = json["account"]?.stringValue.flatMap({ Hex.decode($0) }), key.count == 64 {
            account = KeyPair(publicKey: Array(key.suffix(32)), privateKey: key)
        }
        wantsPush = json["wantsPush"]?.boolValue ?? false
        token = json["token"]?.stringValue
        deletionQueue = queue.compactMap(QueuedSignal.init(json:))
        pending = wishes.compactMap(QueuedSignal.init(json:))
        if let token = json["registeredToken"]?.stringValue,
            let address = json["registeredAddress"]?.stringValue.flatMap({ Address($0) })
        {
            registration = Registration(token: token, address: address)
        }
        lastToken = json["lastToken"]?.stringValue
        lastSignalSecond = json["lastSignalSecond"]?.intValue ?? 0
        let partners = json["blocked"]?.arrayValue ?? []
        blocked = Set(partners.compactMap { $0.stringValue.flatMap { Address($0) } })
        let health = json["nodes"]?.arrayValue ?? []
        guard health.count == nodeCount else { return }
        nodes = health.map { node in
            NodeHealth(
                status: node["status"]?.stringValue.flatMap { NodeHealth.Status(rawValue: $0) } ?? .unknown,
                height: node["height"]?.countValue
            )
        }
    }
}

extension DeviceStore.QueuedSignal {
    var json: JSONValue {
        [
            "action": .string(action.rawValue), "token": .string(token),
            "transaction": StoredTransaction.json(transaction),
        ]
    }

    init?(json: JSONValue) {
        guard let action = json["action"]?.stringValue.flatMap({ Signal.Action(rawValue: $0) }),
            let token = json["token"]?.stringValue,
            let transaction = json["transaction"].flatMap(StoredTransaction.transaction)
        else { return nil }
        self.init(action: action, token: token, transaction: transaction)
    }
}
