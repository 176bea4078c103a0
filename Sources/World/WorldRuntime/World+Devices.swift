import AdamantModel
import APNsRules
import ControlServer
import Determinism
import FaultRules
import JSONValue
import Recording
import SimulatorDrivers
import Simulators
import Synchronization

extension World {
    /// Makes a device with a token of its own; it has no owner yet.
    func makeDevice(_ form: DeviceForm) throws(ControlError) -> Parties.Device {
        let id = parties.nextDeviceId()
        let token = issueToken(device: id, topic: form.topic, environment: form.environment)
        let configuration = DeviceConfiguration(
            id: id,
            name: form.name ?? id,
            behaviour: form.behaviour,
            topic: form.topic,
            environment: form.environment.rawValue,
            nodes: try form.nodes.map(nodeURL),
            service: serviceIdentity,
            offClearsCache: form.offClearsCache
        )
        let device = Device(
            configuration: configuration,
            token: token,
            seed: seed,
            cryptography: cryptography
        )
        return attach(device, id: id, nodes: form.nodes)
    }

    /// Takes an action and waits until what it started has ended, well or not.
    func perform(_ action: DeviceAction, on device: Parties.Device) throws(ControlError) {
        let before = device.driver.snapshot
        do throws(DeviceRefusal) {
            if action.cutsOff { noteReach(of: device, before, offline: true) }
            try device.driver.perform(action)
        } catch {
            noteReach(of: device, before)
            throw .conflict(error.message)
        }
        let after = device.driver.snapshot
        if let old = before.token, old != after.token { withdraw(old, topic: before.configuration.topic) }
        noteReach(of: device, after)
        keep(device)
        if after.isOnline { deliverStored(to: device.id) }
    }

    /// A new token of 32 bytes, known to APNs for a topic and an environment.
    func issueToken(device: String, topic: String, environment: APNsEnvironment) -> String {
        withState { state, now in
            let token = Hex.encode(state.generator.bytes(32))
            state.setToken(
                DeviceTokenState(.active, since: now, topic: topic, environment: environment),
                token
            )
            state.devices.update(device, token: token, isOnline: true, showsNotifications: true)
            return token
        }
    }

    /// Brings back the devices and the ANS that were kept, and makes those of the configuration.
    func startParties() throws(WorldError) {
        let kept = parties.takeKept()
        for (id, row) in kept?.devices ?? [] { try restoreDevice(id, row) }
        if kept?.devices.isEmpty ?? true {
            for (index, members) in configuration.devices.enumerated() {
                try makeConfiguredDevice(members, number: index + 1)
            }
        }
        if withState({ state, _ in state.faults.allJSON.isEmpty }) { try addConfiguredFaults() }
        try startConfiguredANS(kept: kept?.ans)
    }

    private func attach(_ device: Device, id: String, nodes: [String]) -> Parties.Device {
        let driver = DeviceDriver(
            device: device,
            caFile: settings.certificates.authorityPath,
            clock: { [weak self] in self?.withState { _, now in now } ?? .epoch },
            observer: { [weak self] event in self?.note(event, of: id, nodes: nodes) }
        )
        let party = Parties.Device(id: id, nodes: nodes, driver: driver)
        parties.add(party)
        keep(party)
        return party
    }

    private func note(_ event: DeviceEvent, of id: String, nodes: [String]) {
        var data = event.json.objectValue ?? JSONObject()
        data.append("device", .string(id))
        withState { state, now in
            state.journal.append(
                JournalEvent.Kind(rawValue: event.kind),
                at: now,
                node: event.node.flatMap { nodes.indices.contains($0) ? nodes[$0] : nil },
                transaction: event.transactionId.flatMap { Identifier($0) },
                data: .object(data)
            )
        }
        if let device = parties.device(id) { keep(device) }
    }

    /// Tells APNs how a device can be reached.
    private func noteReach(of device: Parties.Device, _ snapshot: DeviceSnapshot, offline: Bool = false) {
        withState { state, _ in
            state.devices.update(
                device.id,
                token: snapshot.token,
                isOnline: snapshot.isOnline && !offline,
                showsNotifications: snapshot.showsNotifications
            )
        }
    }

    private func withdraw(_ token: String, topic: String) {
        withState { state, now in
            let environment = state.gateway.state(ofToken: token)?.environment
            state.setToken(
                DeviceTokenState(.unregistered, since: now, topic: topic, environment: environment),
                token
            )
        }
    }

    private func keep(_ device: Parties.Device) {
        guard log != nil else { return }
        let row: JSONValue = [
            "id": .string(device.id), "nodes": .array(device.nodes.map(JSONValue.string)),
            "state": device.driver.stateJSON,
        ]
        withState { state, _ in state.keep(.device, row.bytes) }
    }

    private func restoreDevice(_ id: String, _ row: JSONValue) throws(WorldError) {
        let nodes = row["nodes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let urls = nodes.compactMap { try? nodeURL($0) }
        guard let kept = row["state"]?.replacing(nodes: urls),
            let device = Device(
                stateJSON: kept,
                seed: seed,
                generation: Int(clamping: log?.lastSeq ?? 0),
                cryptography: cryptography
            )
        else { throw WorldError("--data: the device \(id) cannot be read") }
        let party = attach(device, id: id, nodes: nodes)
        noteReach(of: party, party.driver.snapshot)
    }

    private func makeConfiguredDevice(_ members: JSONValue, number: Int) throws(WorldError) {
        do throws(ControlError) {
            let form = try DeviceForm(ControlBody(members.objectValue ?? JSONObject()), world: self)
            let device = try makeDevice(form)
            if let owner = form.owner { try perform(.signIn(owner.keys), on: device) }
        } catch {
            throw WorldError("device \(number) of the configuration: \(error.message)", exitCode: 64)
        }
    }

    private func addConfiguredFaults() throws(WorldError) {
        for (index, rule) in configuration.faultRules.enumerated() {
            let problem = withState { state, _ -> String? in
                do throws(FaultRuleError) {
                    _ = try state.faults.add(rule, canReadSignals: canReadSignals)
                    return nil
                } catch {
                    return error.description
                }
            }
            if let problem {
                throw WorldError("fault rule \(index + 1) of the configuration: \(problem)", exitCode: 64)
            }
        }
        refreshFaultNeeds()
    }

    /// What clients know of the notification service; nil with a foreign one, whose key nobody here has.
    private var serviceIdentity: ServiceIdentity? {
        settings.ans.map { ServiceIdentity(address: $0.address, publicKey: $0.keys.publicKey) }
    }

    /// The URL of a node by its name.
    func nodeURL(_ name: String) throws(ControlError) -> String {
        let index = try nodeIndex(name)
        let port = listeners.withLock { $0.nodePorts.indices.contains(index) ? $0.nodePorts[index] : 0 }
        return "http://127.0.0.1:\(port)"
    }
}

extension DeviceAction {
    /// Whether pushes no longer reach the device from the moment the action begins.
    fileprivate var cutsOff: Bool {
        switch self {
        case .offline, .uninstall: true
        default: false
        }
    }
}

extension JSONValue {
    /// A device's kept state with the URLs that its nodes have now.
    fileprivate func replacing(nodes: [String]) -> JSONValue {
        guard var state = objectValue, var configuration = state["configuration"]?.objectValue else {
            return self
        }
        configuration["nodes"] = .array(nodes.map(JSONValue.string))
        state["configuration"] = .object(configuration)
        return .object(state)
    }
}
