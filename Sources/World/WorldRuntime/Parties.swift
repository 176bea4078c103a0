import APNsRules
import JSONValue
import SimulatorDrivers
import Simulators
import Synchronization

/// The simulated devices and the reference ANS of a world: clients like any other, on threads of their own.
final class Parties: Sendable {
    /// A device and the node names it was given.
    struct Device: Sendable {
        let id: String
        let nodes: [String]
        let driver: DeviceDriver
    }

    private struct State {
        var devices: [Device] = []
        var lastDevice = 0
        var ans: NotificationServiceDriver?
        var kept: KeptParties?
    }

    private let state: Mutex<State>

    /// Parties of which something may have been kept.
    init(kept: KeptParties) {
        state = Mutex(State(kept: kept))
    }

    /// What was kept, once.
    func takeKept() -> KeptParties? {
        state.withLock { state in
            defer { state.kept = nil }
            return state.kept
        }
    }

    /// The devices in the order in which they were made.
    var devices: [Device] { state.withLock { $0.devices } }

    /// The device of an id or of a name.
    func device(_ idOrName: String) -> Device? {
        let devices = devices
        return devices.first { $0.id == idOrName }
            ?? devices.first { $0.driver.snapshot.configuration.name == idOrName }
    }

    /// The id of the next device.
    func nextDeviceId() -> String {
        state.withLock { state in
            state.lastDevice += 1
            return "d\(state.lastDevice)"
        }
    }

    /// Adds a device.
    func add(_ device: Device) {
        state.withLock { state in
            state.lastDevice = max(state.lastDevice, Int(device.id.dropFirst()) ?? 0)
            state.devices.append(device)
        }
    }

    /// The reference ANS, running or not; nil when there was none yet.
    var ans: NotificationServiceDriver? { state.withLock { $0.ans } }

    /// Puts a reference ANS in the place of the one before.
    func set(ans: NotificationServiceDriver) {
        state.withLock { $0.ans = ans }
    }

    /// Hands a push to the device that its record names.
    func deliver(_ record: PushRecord) {
        guard let id = record.delivery?.device else { return }
        devices.first { $0.id == id }?.driver.deliver(payload: record.request.body)
    }

    /// Ends everybody's work and forgets them.
    func stop() {
        let (devices, ans) = state.withLock { state in
            defer {
                state.devices = []
                state.lastDevice = 0
                state.ans = nil
            }
            return (state.devices, state.ans)
        }
        ans?.stop()
        for device in devices { device.driver.stop() }
    }
}
