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
    /// Makes a device with a token of its own; with an owner it signs in and registers.
    func makeDevice(_ form: DeviceForm) throws(ControlError) -> Parties.Device {
        guard let generation = parties.generation else { throw .isBeingReset }
        let urls = try form.nodes.map(nodeURL)
        let id = parties.nextDeviceId()
        let configuration = DeviceConfiguration(
            id: id,
            name: form.name ?? id,
            behaviour: form.behaviour,
            topic: form.topic,
            environment: form.environment.rawValue,
            nodes: urls,
            service: form.isOfMessenger ? serviceIdentity : nil,
            offClearsCache: form.offClearsCache,
            sound: form.sound,
            extensionMilliseconds: form.extensionMilliseconds
        )
        let issued = ifCurrent(generation) { state, now in
            let token = issueToken(to: id, of: configuration, in: &state, now: now)
            return Device(configuration: configuration, token: token, seed: seed, cryptography: cryptography)
        }
        guard let device = issued, let party = attach(device, nodes: form.nodes, generation: generation)
        else {
            throw .isBeingReset
        }
        if let owner = form.owner { try perform(DeviceOrder(signIn: owner), on: party) }
        return party
    }

    /// Brings back the devices and the ANS that were kept, and makes those of the configuration.
    func startParties() throws(WorldError) {
        let kept = parties.takeKept()
        refreshServerView()
        for (id, row) in kept?.devices ?? [] { try restoreDevice(id, row) }
        deliverWaiting()
        if kept?.devices.isEmpty ?? true {
            for (index, members) in configuration.devices.enumerated() {
                try makeConfiguredDevice(members, number: index + 1)
            }
        }
        // After the devices, so that a rule that strikes once does not strike their registration.
        try addConfiguredFaults()
        try startConfiguredANS(kept: kept?.ans)
    }

    /// Changes the state unless the generation has ended; a reset ends one before it changes the state.
    func ifCurrent<Result>(
        _ generation: Int,
        _ body: (inout WorldState, Timestamp) -> Result
    ) -> Result? {
        withState { state, now in parties.isCurrent(generation) ? body(&state, now) : nil }
    }

    /// A new token of 32 bytes, known to APNs for the device's topic and environment.
    func issueToken(
        to device: String,
        of configuration: DeviceConfiguration,
        in state: inout WorldState,
        now: Timestamp
    ) -> String {
        let token = Hex.encode(state.generator.bytes(32))
        let environment = APNsEnvironment(rawValue: configuration.environment) ?? .production
        state.setToken(
            DeviceTokenState(.active, since: now, topic: configuration.topic, environment: environment),
            token
        )
        state.devices.issue(token, to: device)
        return token
    }

    /// Tells APNs how a device can be reached; cut off while an action is under way that takes its network.
    func noteReach(of device: Parties.Device, isCutOff: Bool = false) {
        _ = ifCurrent(device.generation) { state, _ in
            let snapshot = device.driver.snapshot
            state.devices.update(
                device.id,
                DeviceReach(
                    token: snapshot.token,
                    isOnline: snapshot.isOnline && !isCutOff,
                    showsNotifications: snapshot.showsNotifications,
                    isSavingPower: snapshot.isSavingPower,
                    isForceQuit: snapshot.isForceQuit
                )
            )
        }
    }

    /// Writes down what a device has to remember.
    func keep(_ device: Parties.Device) {
        guard log != nil else { return }
        _ = ifCurrent(device.generation) { state, _ in
            state.keep(.device, row(of: device).bytes)
        }
    }

    /// What a log keeps of a device.
    func row(of device: Parties.Device) -> JSONValue {
        [
            "id": .string(device.id), "nodes": .array(device.nodes.map(JSONValue.string)),
            "state": device.driver.stateJSON,
        ]
    }

    private func attach(_ device: Device, nodes: [String], generation: Int) -> Parties.Device? {
        let id = device.snapshot.configuration.id
        let driver = DeviceDriver(
            device: device,
            caFile: settings.certificates.authorityPath,
            timer: parties.timer,
            clock: { [weak self] in self?.withState { _, now in now } ?? .epoch },
            observer: { [weak self] event in self?.note(event, of: id, nodes: nodes, generation: generation) }
        )
        let party = Parties.Device(id: id, nodes: nodes, generation: generation, driver: driver)
        guard parties.add(party) else {
            driver.stop()
            return nil
        }
        noteReach(of: party)
        keep(party)
        return party
    }

    private func note(_ event: DeviceEvent, of id: String, nodes: [String], generation: Int) {
        var data = event.json.objectValue ?? JSONObject()
        data.append("device", .string(id))
        if let push = event.changedPush { recall(push) }
        _ = ifCurrent(generation) { state, now in
            state.journal.append(
                JournalEvent.Kind(rawValue: event.kind),
                at: now,
                node: event.node.flatMap { nodes.indices.contains($0) ? nodes[$0] : nil },
                transaction: event.transactionId.flatMap { Identifier($0) },
                data: .object(data)
            )
            state.follow(event, now: now)
        }
        if let device = parties.device(id) { keep(device) }
    }

    private func restoreDevice(_ id: String, _ row: JSONValue) throws(WorldError) {
        let nodes = row["nodes"]?.arrayValue?.compactMap(\.stringValue) ?? []
        let urls = nodes.compactMap { try? nodeURL($0) }
        guard let generation = parties.generation, let kept = row["state"]?.replacing(nodes: urls),
            let device = Device(
                stateJSON: kept,
                seed: seed,
                generation: self.generation,
                cryptography: cryptography
            ), attach(device, nodes: nodes, generation: generation) != nil
        else { throw WorldError("the device \(id) of the world that was kept cannot be read") }
    }

    private func makeConfiguredDevice(_ members: JSONValue, number: Int) throws(WorldError) {
        do throws(ControlError) {
            _ = try makeDevice(try DeviceForm(ControlBody(members.objectValue ?? JSONObject()), world: self))
        } catch {
            throw WorldError("device \(number) of the configuration: \(error.message)", exitCode: 64)
        }
    }

    private func addConfiguredFaults() throws(WorldError) {
        for (index, rule) in configuration.faultRules.enumerated() {
            do throws(FaultRuleError) {
                try withState { state, now throws(FaultRuleError) in
                    _ = try state.faults.post(rule, canReadSignals: canReadSignals, now: now)
                }
            } catch {
                throw WorldError("fault rule \(index + 1) of the configuration: \(error)", exitCode: 64)
            }
        }
        refreshServerView()
    }

    /// What clients know of the notification service; nil with a foreign one, whose key nobody here has.
    private var serviceIdentity: ServiceIdentity? {
        settings.ans.map { ServiceIdentity(address: $0.address, publicKey: $0.keys.publicKey) }
    }
}

extension ControlError {
    /// What a call gets whose world is begun anew under it.
    static let isBeingReset = ControlError.conflict("the world is being reset, or is stopping")
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

extension DeviceEvent {
    /// The number of the push whose record tells of the event.
    fileprivate var changedPush: Int? {
        switch self {
        case .bannerShown(let banner), .bannerReplaced(let banner, _): banner.push?.number
        case .pushDiscarded(let push): push.push?.number
        case .launched, .killed, .signedIn, .signInFailed, .signedOut, .registrationSkipped, .signalAccepted,
            .signalFailed, .signalDropped, .pushReceived, .transactionFetched, .textUnavailable:
            nil
        }
    }
}

extension WorldState {
    /// Notes on a push's record what its device made of it.
    fileprivate mutating func follow(_ event: DeviceEvent, now: Timestamp) {
        switch event {
        case .bannerShown(let banner):
            if let arrival = Identifier(banner.transactionId ?? "").flatMap({ arrivals.find($0) }) {
                let length = banner.at.milliseconds.subtractingReportingOverflow(arrival.at.milliseconds)
                if !length.overflow { journal.tallies.bannerTimes.note(milliseconds: length.partialValue) }
            }
            guard let push = banner.push else { return }
            note(.init(banner.listed ? .list : .banner, at: banner.at, why: banner.why), ofPush: push.number)
        case .bannerReplaced(let banner, let later):
            if let push = banner.push { noteCollapsed(push, by: later, now: now) }
        case .pushDiscarded(let push):
            guard let name = push.push else { return }
            note(.init(.nothing, at: push.at, why: push.why), ofPush: name.number)
        case .launched, .killed, .signedIn, .signInFailed, .signedOut, .registrationSkipped, .signalAccepted,
            .signalFailed, .signalDropped, .pushReceived, .transactionFetched, .textUnavailable:
            break
        }
    }
}
