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
    /// The reference ANS; made, not started, when there was none yet.
    func currentANS() throws(ControlError) -> NotificationServiceDriver {
        if let driver = parties.ans { return driver }
        return try makeANS(behaviour: .asDeployed)
    }

    /// Starts the ANS where the configuration asks for it, with what was kept of it.
    func startConfiguredANS(kept: JSONValue?) throws(WorldError) {
        let configured: NotificationServiceConfiguration.Behaviour? =
            switch configuration.ans {
            case .none: nil
            case .asDeployed: .asDeployed
            case .ordered: .ordered
            }
        let earlier = kept?["behaviour"]?.stringValue.flatMap {
            NotificationServiceConfiguration.Behaviour(rawValue: $0)
        }
        guard let behaviour = configured ?? earlier else { return }
        do throws(ControlError) {
            let driver = try makeANS(behaviour: behaviour, kept: kept?["state"])
            if configured != nil {
                driver.start()
                driver.awaitBegin()
            }
        } catch {
            throw WorldError("--ans: \(error.message)", exitCode: 64)
        }
    }

    /// Writes down what the ANS has to remember.
    func keepANS() {
        guard log != nil, let generation = parties.generation, let driver = parties.ans else { return }
        _ = ifCurrent(generation) { state, _ in
            state.keep(.ans, row(of: driver).bytes)
        }
    }

    /// What a log keeps of the ANS.
    func row(of ans: NotificationServiceDriver) -> JSONValue {
        ["behaviour": .string(ans.snapshot.behaviour.rawValue), "state": ans.stateJSON]
    }

    /// Makes the reference ANS, with what was kept of it, where there is none yet; it is not started.
    func makeANS(
        behaviour: NotificationServiceConfiguration.Behaviour,
        kept: JSONValue? = nil
    ) throws(ControlError) -> NotificationServiceDriver {
        guard let generation = parties.generation else { throw .isBeingReset }
        guard let account = settings.ans else {
            throw .conflict(
                "the ANS is a foreign one: its key is not here, so the reference ANS cannot be it"
            )
        }
        let configuration = NotificationServiceConfiguration(
            behaviour: behaviour,
            account: account.keys,
            nodes: try nodeNames.map { name throws(ControlError) in try nodeURL(name) },
            pollMilliseconds: self.configuration.ansPollMilliseconds
        )
        let driver = NotificationServiceDriver(
            service: service(configuration, kept: kept),
            endpoints: try pushEndpoints(),
            clock: { [weak self] in self?.withState { _, now in now } ?? .epoch },
            observer: { [weak self] event in self?.note(event, generation: generation) }
        )
        guard let present = parties.add(ans: driver, generation: generation) else { throw .isBeingReset }
        keepANS()
        return present
    }

    private func service(
        _ configuration: NotificationServiceConfiguration,
        kept: JSONValue?
    ) -> NotificationService {
        let resumed = kept.flatMap {
            NotificationService(
                configuration: configuration,
                stateJSON: $0,
                seed: seed,
                generation: self.generation,
                cryptography: cryptography
            )
        }
        return resumed
            ?? NotificationService(configuration: configuration, seed: seed, cryptography: cryptography)
    }

    private func pushEndpoints() throws(ControlError) -> PushEndpoints {
        let (production, sandbox) = listeners.withLock { ($0.apnsProductionPort, $0.apnsSandboxPort) }
        do throws(OpenSSLError) {
            let key = try P256PrivateKey()
            return PushEndpoints(
                production: url("https", port: production),
                sandbox: url("https", port: sandbox),
                caFile: settings.certificates.authorityPath,
                keyId: "REFERENCE1",
                teamId: "MOCKNETANS",
                signer: { message in (try? key.signature(of: message)) ?? [] }
            )
        } catch {
            throw ControlError(status: 503, code: "failed", message: "no key for provider tokens: \(error)")
        }
    }

    private func note(_ event: ServiceEvent, generation: Int) {
        // A poll that found nothing tells nothing; there are several each second.
        if case .polled(_, _, 0, _) = event { return }
        _ = ifCurrent(generation) { state, now in
            state.journal.append(
                JournalEvent.Kind(rawValue: event.kind),
                at: now,
                node: event.node.flatMap { state.nodes.indices.contains($0) ? state.nodes[$0].name : nil },
                transaction: event.transactionId.flatMap { Identifier($0) },
                data: event.json
            )
        }
        if parties.ans.map({ event.isRemembered(by: $0.snapshot.behaviour) }) == true { keepANS() }
    }
}

extension ServiceEvent {
    /// Whether what is kept of the service changes with it; the deployed one forgets its pushes with its process.
    fileprivate func isRemembered(by behaviour: NotificationServiceConfiguration.Behaviour) -> Bool {
        switch self {
        case .started, .stopped, .polled, .registered, .removed, .tokenDropped: true
        case .pushed: behaviour == .ordered
        case .pollFailed, .died, .signalIgnored: false
        }
    }
}
