import ControlServer
import HTTPDaemon
import OpenSSLCrypto
import Synchronization

/// The worlds that a process has beside its first one, and what all of them share.
///
/// They share the threads that serve HTTP, the control port and the certificate; nothing else.
final class FurtherWorlds: Sendable {
    /// What the first world has when it listens.
    struct Common: Sendable {
        /// The first world's control API.
        let control: String
        /// What a further world's configuration begins with.
        let base: WorldConfiguration
    }

    /// One of the worlds.
    struct Entry: Sendable {
        let world: World
        let server: ControlServer
    }

    private struct State {
        var last = 0
        /// How many are there or being made.
        var count = 0
        var entries: [Entry] = []
        var common: Common?
        var identity: CertificateAuthority.ServerIdentity?
        var isClosed = false
    }

    /// Most further worlds of a process.
    static let maximum = 200
    /// What the path of a further world's control API begins with.
    static let root = "/worlds/"

    let daemon: HTTPDaemon
    let form: WorldForm
    let scenarioService: ScenarioService?
    private let state = Mutex(State())

    init(daemon: HTTPDaemon, form: WorldForm, scenarioService: ScenarioService? = nil) {
        self.daemon = daemon
        self.form = form
        self.scenarioService = scenarioService
    }

    /// Lets worlds be made, from now on.
    func open(_ common: Common) {
        state.withLock { $0.common = common }
    }

    /// The first world's control API, once it listens.
    var control: String? { state.withLock { $0.common?.control } }

    /// The certificate that all of them show; made by the first that asks.
    func identity(
        _ make: () throws(WorldError) -> CertificateAuthority.ServerIdentity
    ) throws(WorldError) -> CertificateAuthority.ServerIdentity {
        if let made = state.withLock({ $0.identity }) { return made }
        let identity = try make()
        return state.withLock { state in
            let first = state.identity ?? identity
            state.identity = first
            return first
        }
    }

    /// All of them in the order of their ids.
    var worlds: [World] { state.withLock { $0.entries.map(\.world) } }

    /// The id of the next world, `w1`, `w2` and so on, with what it is made of.
    func begin() throws(ControlError) -> (id: String, common: Common) {
        try state.withLock { state throws(ControlError) in
            guard let common = state.common, !state.isClosed else {
                throw ControlError(status: 503, code: "starting", message: "the first world is not ready")
            }
            guard state.count < Self.maximum else {
                throw .conflict("there are \(Self.maximum) further worlds already; delete one first")
            }
            state.count += 1
            state.last += 1
            return ("w\(state.last)", common)
        }
    }

    /// Takes back what ``begin()`` gave, when no world came of it.
    func abandon() {
        state.withLock { $0.count -= 1 }
    }

    /// Adds a world that has started; false when the process ends.
    func add(_ entry: Entry) -> Bool {
        state.withLock { state in
            guard !state.isClosed else { return false }
            let number = { (world: World) in world.id.numberOfId }
            let place = state.entries.firstIndex { number($0.world) > number(entry.world) }
            state.entries.insert(entry, at: place ?? state.entries.endIndex)
            return true
        }
    }

    /// Takes a world out; nil when there is none of the id.
    func remove(_ id: String) -> World? {
        state.withLock { state in
            guard let index = state.entries.firstIndex(where: { $0.world.id == id }) else { return nil }
            state.count -= 1
            return state.entries.remove(at: index).world
        }
    }

    /// Takes all out, for good.
    func close() -> [World] {
        state.withLock { state in
            state.isClosed = true
            defer { state.entries = [] }
            return state.entries.map(\.world)
        }
    }

    /// Answers a request below a further world's path; nil for any other.
    func handle(_ request: HTTPRequest) -> HTTPAction? {
        guard request.path.hasPrefix(Self.root) else { return nil }
        let rest = request.path.dropFirst(Self.root.count)
        let id = rest.prefix { $0 != "/" }
        let path = rest.dropFirst(id.count)
        guard let entry = state.withLock({ $0.entries.first { $0.world.id == id } }) else { return nil }
        guard !path.isEmpty else {
            // The addresses on its page are relative to this.
            return .respond(HTTPResponse(status: 308, headers: [("Location", Self.root + id + "/")]))
        }
        return entry.server.handle(request, path: String(path))
    }
}
