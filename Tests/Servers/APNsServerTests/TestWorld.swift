import APNsRules
import APNsServer
import Determinism
import FaultRules
import Foundation
import JSONValue
import OpenSSLCrypto
import Synchronization
import TestSupport
import Testing

/// A gateway with fault rules on real ports, and the certificate authority that clients trust.
final class TestWorld: APNsBackend {
    private struct State {
        var gateway = APNsGateway()
        var faults = FaultBook(seed: 7, nodeNames: [])
        var generator = SeededGenerator(seed: 7)
        var records: [PushRecord] = []
        var refusals: [String] = []
    }

    /// Certificates are slow to make and alike for all tests.
    private static let authority = Result {
        try CertificateAuthority(name: "Test", validFrom: now - 60, days: 2)
    }
    private static let identity = Result {
        try authority.get().makeServerIdentity(
            name: "api.push.apple.com",
            dnsNames: APNsNames.certificateNames.filter { !$0.contains(":") && $0 != "127.0.0.1" },
            ipAddresses: ["127.0.0.1", "::1"],
            validFrom: now - 60,
            days: 1
        )
    }
    private static var now: Int64 { Int64(Date().timeIntervalSince1970) }

    private let state = Mutex(State())
    private let folder: TemporaryFolder
    private let answersFromElsewhere: Bool
    let production: UInt16
    let sandbox: UInt16

    private init(folder: TemporaryFolder, production: UInt16, sandbox: UInt16, answersFromElsewhere: Bool) {
        self.folder = folder
        self.production = production
        self.sandbox = sandbox
        self.answersFromElsewhere = answersFromElsewhere
    }

    /// Starts a server on free ports; with `answersFromElsewhere` each answer comes from another thread.
    static func start(
        maximumConnections: Int = 4096,
        answersFromElsewhere: Bool = false
    ) throws -> RunningWorld {
        let relay = Relay()
        let identity = try identity.get()
        let server = try APNsServer(
            backend: relay,
            certificatePEM: identity.certificatePEM,
            keyPEM: identity.keyPEM,
            authorityPEM: try authority.get().certificatePEM(),
            maximumConnections: maximumConnections
        )
        let production = try server.listen(host: "127.0.0.1", port: 0, environment: .production)
        let sandbox = try server.listen(host: "127.0.0.1", port: 0, environment: .sandbox)
        let folder = try TemporaryFolder()
        try authority.get().keyPEM().write(
            toFile: folder.path + "/ca-key.pem",
            atomically: true,
            encoding: .utf8
        )
        try authority.get().certificatePEM().write(
            toFile: folder.path + "/ca.pem",
            atomically: true,
            encoding: .utf8
        )
        let world = TestWorld(
            folder: folder,
            production: production,
            sandbox: sandbox,
            answersFromElsewhere: answersFromElsewhere
        )
        relay.world.withLock { $0 = world }
        return RunningWorld(world: world, server: server)
    }

    var authorityFile: String { folder.path + "/ca.pem" }

    /// Writes a file that lives as long as the world.
    func file(_ name: String, _ text: String) throws -> String {
        try text.write(toFile: folder.path + "/" + name, atomically: true, encoding: .utf8)
        return folder.path + "/" + name
    }

    var records: [PushRecord] { state.withLock { $0.records } }

    func setState(_ state: DeviceTokenState, ofToken token: String) {
        _ = self.state.withLock { $0.gateway.setState(state, ofToken: token) }
    }

    /// Changes what is set of the gateway, for connections that begin afterwards.
    func set(_ change: (inout APNsSettings) -> Void) {
        state.withLock { change(&$0.gateway.settings) }
    }

    func setKey(_ key: ProviderKey) { state.withLock { $0.gateway.setKey(key) } }

    func addFault(_ json: String) throws {
        let rule = try JSONValue(parsing: json)
        try state.withLock { state in _ = try state.faults.add(rule, canReadSignals: false) }
    }

    /// Adds the rules of a preset, with times that a test can wait for in place of its own.
    func addPreset(_ name: String, times: [String: String] = [:]) throws {
        for rule in try #require(FaultPreset.named(name)).rules {
            var text = rule.text
            for (long, short) in times { text = text.replacing("\":\(long)", with: "\":\(short)") }
            try addFault(text)
        }
    }

    // MARK: - Backend

    var gatewaySettings: APNsSettings { state.withLock { $0.gateway.settings } }

    var hasFaults: Bool { state.withLock { !$0.faults.isEmpty } }

    func decide(_ request: FaultRequest) -> FaultDecision? { state.withLock { $0.faults.decide(request) } }

    func receive(_ request: APNsRequest, fault: APNsFault?) -> APNsReply {
        let now = Timestamp(unixMilliseconds: Int64(Date().timeIntervalSince1970 * 1000))
        return state.withLock { state in
            let outcome = state.gateway.receive(request, fault: fault, now: now, generator: &state.generator)
            state.records.append(outcome.record)
            return outcome.reply
        }
    }

    func turnedAway(_ refusal: ClientRefusal) {
        let stream = refusal.stream.map { " \($0)" } ?? ""
        state.withLock { $0.refusals.append("\(refusal.environment)\(stream): \(refusal.why)") }
    }

    /// Why clients were turned away before they could push.
    var refusals: [String] { state.withLock(\.refusals) }

    func afterDurable(_ action: @escaping @Sendable () -> Void) {
        guard answersFromElsewhere else { return action() }
        Thread.detachNewThread {
            Thread.sleep(forTimeInterval: 0.002)
            action()
        }
    }
}

/// A world with its server; the server ends with the value.
struct RunningWorld {
    let world: TestWorld
    let server: APNsServer
}

/// Stands in for the world, which needs the server's ports first.
private final class Relay: APNsBackend {
    let world = Mutex<TestWorld?>(nil)

    private var target: TestWorld? { world.withLock { $0 } }

    var gatewaySettings: APNsSettings { target?.gatewaySettings ?? APNsSettings() }
    var hasFaults: Bool { target?.hasFaults ?? false }
    func decide(_ request: FaultRequest) -> FaultDecision? { target?.decide(request) }
    func receive(_ request: APNsRequest, fault: APNsFault?) -> APNsReply {
        target?.receive(request, fault: fault)
            ?? APNsReply(status: 500, body: [], apnsId: [], uniqueId: nil)
    }
    func turnedAway(_ refusal: ClientRefusal) { target?.turnedAway(refusal) }
    func afterDurable(_ action: @escaping @Sendable () -> Void) { target?.afterDurable(action) }
}
