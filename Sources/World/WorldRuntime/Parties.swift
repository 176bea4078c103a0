import APNsRules
import JSONValue
import SimulatorDrivers
import Simulators
import Synchronization
import Threads

/// The simulated devices and the reference ANS of a world: clients like any other, on threads of their own.
///
/// A reset ends one generation of them and begins the next; what a late thread brings of an earlier one is refused.
final class Parties: Sendable {
    /// A device and the node names it was given.
    struct Device: Sendable {
        let id: String
        let nodes: [String]
        let generation: Int
        let driver: DeviceDriver
    }

    private struct State {
        var generation = 1
        /// Whether parties can be made: not while a generation ends, and never again once the world has stopped.
        var isOpen = true
        var hasEnded = false
        var devices: [Device] = []
        var lastDevice = 0
        var ans: NotificationServiceDriver?
        var kept: KeptParties?
        var timer: TimerThread?
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

    /// The number of the generation that lives; nil while none does.
    var generation: Int? { state.withLock { $0.isOpen ? $0.generation : nil } }

    /// Whether a generation lives.
    func isCurrent(_ generation: Int) -> Bool { self.generation == generation }

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

    /// What makes the apps of devices look at their nodes at times; nil where the system gives no thread.
    var timer: TimerThread? {
        state.withLock { state in
            if state.timer == nil { state.timer = try? TimerThread(name: "devices") }
            return state.timer
        }
    }

    /// Adds a device; false when its generation has ended.
    func add(_ device: Device) -> Bool {
        state.withLock { state in
            guard state.isOpen, state.generation == device.generation else { return false }
            state.lastDevice = max(state.lastDevice, device.id.numberOfId)
            state.devices.append(device)
            return true
        }
    }

    /// The reference ANS, running or not; nil when there was none yet.
    var ans: NotificationServiceDriver? { state.withLock { $0.ans } }

    /// Adds a reference ANS where there is none yet.
    ///
    /// - Returns: the one that is there now; nil when its generation has ended.
    func add(ans: NotificationServiceDriver, generation: Int) -> NotificationServiceDriver? {
        state.withLock { state in
            guard state.isOpen, state.generation == generation else { return nil }
            let present = state.ans ?? ans
            state.ans = present
            return present
        }
    }

    /// Hands a push to the device that its record names.
    func deliver(_ record: PushRecord) {
        guard let id = record.delivery?.device else { return }
        let push = ArrivedPush(
            payload: record.request.body,
            name: record.name,
            collapseId: record.collapseId,
            priority: record.request.priority ?? 10
        )
        devices.first { $0.id == id }?.driver.deliver(push)
    }

    /// Ends everybody's work and forgets them; for good when the world stops.
    func end(forGood: Bool) {
        let (devices, ans, timer) = state.withLock { state in
            state.isOpen = false
            state.hasEnded = state.hasEnded || forGood
            state.generation += 1
            defer {
                state.devices = []
                state.lastDevice = 0
                state.ans = nil
                state.timer = nil
            }
            return (state.devices, state.ans, state.timer)
        }
        ans?.stop()
        for device in devices { device.driver.stop() }
        timer?.stop()
    }

    /// Lets the next generation live, of which something may have been kept.
    func begin(kept: KeptParties?) {
        state.withLock { state in
            state.isOpen = !state.hasEnded
            state.kept = kept
        }
    }
}
