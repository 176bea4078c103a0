import AdamantModel
import ControlServer
import Determinism
import JSONValue
import OpenSSLCrypto
import Recording
import SimulatorDrivers
import Simulators
import Synchronization

extension World {
    /// Starts the reference ANS, making it when there was none.
    func startANS() throws(ControlError) {
        try currentANS(.asDeployed).start()
        keepANS()
    }

    /// The reference ANS; made with a behaviour when there was none yet.
    func currentANS(
        _ behaviour: NotificationServiceConfiguration.Behaviour
    ) throws(ControlError) -> NotificationServiceDriver {
        if let driver = parties.ans { return driver }
        return try makeANS(behaviour: behaviour, kept: nil)
    }

    /// Makes a reference ANS, with what was kept of an earlier one.
    func makeANS(
        behaviour: NotificationServiceConfiguration.Behaviour,
        kept: JSONValue?
    ) throws(ControlError) -> NotificationServiceDriver {
        guard let account = settings.ans else {
            throw .conflict(
                "the ANS is a foreign one: its key is not here, so the reference ANS cannot be it"
            )
        }
        let nodes = try nodeNames.map { name throws(ControlError) in try nodeURL(name) }
        let configuration = NotificationServiceConfiguration(
            behaviour: behaviour,
            account: account.keys,
            nodes: nodes,
            pollMilliseconds: self.configuration.ansPollMilliseconds
        )
        let service =
            kept.flatMap {
                NotificationService(
                    configuration: configuration,
                    stateJSON: $0,
                    seed: seed,
                    generation: Int(clamping: log?.lastSeq ?? 0),
                    cryptography: cryptography
                )
            } ?? NotificationService(configuration: configuration, seed: seed, cryptography: cryptography)
        let driver = NotificationServiceDriver(
            service: service,
            endpoints: try pushEndpoints(),
            clock: { [weak self] in self?.withState { _, now in now } ?? .epoch },
            observer: { [weak self] event in self?.note(event) }
        )
        parties.set(ans: driver)
        return driver
    }

    /// Starts the ANS where the configuration asks for it, with what was kept of it.
    func startConfiguredANS(kept: JSONValue?) throws(WorldError) {
        let behaviour: NotificationServiceConfiguration.Behaviour
        switch configuration.ans {
        case .none: return
        case .asDeployed: behaviour = .asDeployed
        case .ordered: behaviour = .ordered
        }
        do throws(ControlError) {
            try makeANS(behaviour: behaviour, kept: kept?["state"]).start()
        } catch {
            throw WorldError("--ans: \(error.message)", exitCode: 64)
        }
    }

    /// Writes down what the ANS has to remember.
    func keepANS() {
        guard log != nil, let driver = parties.ans else { return }
        let row: JSONValue = ["state": driver.stateJSON]
        withState { state, _ in state.keep(.ans, row.bytes) }
    }

    private func pushEndpoints() throws(ControlError) -> PushEndpoints {
        let (production, sandbox) = listeners.withLock { ($0.apnsProductionPort, $0.apnsSandboxPort) }
        do throws(OpenSSLError) {
            let key = try P256PrivateKey()
            return PushEndpoints(
                production: "https://127.0.0.1:\(production)",
                sandbox: "https://127.0.0.1:\(sandbox)",
                caFile: settings.certificates.authorityPath,
                keyId: "REFERENCE1",
                teamId: "MOCKNETANS",
                signer: { message in (try? key.signature(of: message)) ?? [] }
            )
        } catch {
            throw ControlError(status: 503, code: "failed", message: "no key for provider tokens: \(error)")
        }
    }

    private func note(_ event: ServiceEvent) {
        // A poll that found nothing tells nothing; there are several each second.
        if case .polled(_, _, 0, _) = event { return }
        withState { state, now in
            state.journal.append(
                JournalEvent.Kind(rawValue: event.kind),
                at: now,
                node: event.node.flatMap { state.nodes.indices.contains($0) ? state.nodes[$0].name : nil },
                transaction: event.transactionId.flatMap { Identifier($0) },
                data: event.json
            )
        }
        keepANS()
    }
}
