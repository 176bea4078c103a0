import AdamantLedger
import AdamantModel
import APNsRules
import ControlServer
import Determinism
import HTTPClient
import JSONValue
import SimulatorDrivers
import Simulators
import Threads
import TraceRules

extension World {
    /// What fixtures have that no device has told: the topic of the messenger.
    private static let topic = "im.adamant.adamant-messenger"
    /// What an account of the registry gets for its first registrations, in units of 1e-8 ADM: 1 ADM.
    private static let registrationUnits: Int64 = 100_000_000
    /// How many registrations that pays.
    private static let registrationsPerUnit = 500
    /// How often a registration is posted until a node takes it.
    private static let postAttempts = 5

    /// Loads a registry and tells what it is.
    func load(_ form: RegistryFixtureForm) throws(ControlError) -> JSONValue {
        let began = MachineClock.monotonicMilliseconds()
        guard let service = settings.ans else {
            throw .conflict("the ANS is a foreign one: its key is not here, so nobody can register with it")
        }
        guard let generation = parties.generation else { throw .isBeingReset }
        let pairs = try fixturePairs(form.size.addresses, purpose: "registry", seed: form.seed)
        let addresses = pairs.map { $0.address(cryptography: cryptography) }
        var counts = Array(repeating: 0, count: pairs.count)
        for row in form.fixture.rows { counts[row.owner] += 1 }
        let from = withState { state, _ in state.ledger.height }
        try pay(
            zip(addresses, counts).map { address, count in
                (address, Self.registrationUnits * Int64(1 + count / Self.registrationsPerUnit))
            },
            generation: generation
        )
        // So that a service that runs does not push for these transfers, and find the dead tokens out.
        if let driver = parties.ans, driver.snapshot.isRunning { driver.pollNow() }
        noteTokens(of: form.fixture, generation: generation)
        let signals = try signals(form, pairs, to: service)
        switch form.way {
        case .direct: try settle(signals, generation: generation)
        case .nodes: try post(signals, generation: generation)
        }
        try tellService()
        let text = form.fixture.text(addresses: addresses)
        return [
            "fixture": "registry", "seed": .int(form.seed), "rows": .int(form.fixture.rows.count),
            "addresses": .int(addresses.count), "largest": .int(form.size.largest),
            "largestAddress": .string(addresses[0].text),
            "dead": .int(form.fixture.rows.count { $0.fate != .active }),
            "digest": .string(Hex.encode(cryptography.sha256(Array(text.utf8)))),
            "fromHeight": .int(from + 1), "toHeight": .int(withState { state, _ in state.ledger.height }),
            "milliseconds": .int(MachineClock.monotonicMilliseconds() - began),
        ]
    }

    /// Makes accounts with a balance, whose keys follow from the seed.
    func load(_ form: AccountsFixtureForm) throws(ControlError) -> JSONValue {
        guard let generation = parties.generation else { throw .isBeingReset }
        let pairs = try fixturePairs(form.count, purpose: "account", seed: form.seed)
        let addresses = pairs.map { $0.address(cryptography: cryptography) }
        try pay(addresses.map { ($0, form.balance) }, generation: generation)
        // So that messages can be encrypted for them before they have posted anything.
        for pair in pairs {
            _ = ifCurrent(generation) { state, _ in state.ledger.createAccount(publicKey: pair.publicKey) }
        }
        return [
            "fixture": "accounts", "seed": .int(form.seed), "count": .int(form.count),
            "balance": .string(String(form.balance)), "firstAddress": .string(addresses[0].text),
        ]
    }

    private func fixturePairs(_ count: Int, purpose: String, seed: UInt64) throws(ControlError) -> [KeyPair] {
        let pairs = (0..<count).compactMap {
            FixtureAccounts.pair($0, purpose: purpose, seed: seed, cryptography: cryptography)
        }
        guard pairs.count == count else {
            throw ControlError(status: 503, code: "failed", message: "keys cannot be made")
        }
        return pairs
    }

    /// Pays accounts from the treasury.
    private func pay(_ payments: [(recipient: Address, amount: Int64)], generation: Int) throws(ControlError)
    {
        var timestamp = signingTimestamp
        var transfers: [Transaction] = []
        for payment in payments {
            var transfer: Transaction
            repeat {
                transfer = Transaction(
                    signing: .none,
                    type: Transaction.Kind.transfer,
                    timestamp: timestamp,
                    recipient: payment.recipient,
                    amount: payment.amount,
                    by: settings.treasury,
                    cryptography: cryptography
                )
                timestamp = timestamp &- 1
            } while withState { state, _ in state.hasSeen(transfer.id) }
            timestamp = timestamp &+ 1
            transfers.append(transfer)
        }
        try settle(transfers, generation: generation)
    }

    /// Puts transactions into blocks of their own.
    private func settle(_ transactions: [Transaction], generation: Int) throws(ControlError) {
        for first in stride(from: 0, to: transactions.count, by: Block.maximumTransactions) {
            let part = transactions[first..<min(first + Block.maximumTransactions, transactions.count)]
            let refusal = ifCurrent(generation) { state, now -> SubmissionRejection? in
                do throws(SubmissionRejection) {
                    _ = try state.ledger.settle(part, now: now)
                    return nil
                } catch {
                    return error
                }
            }
            guard let refusal else { throw .isBeingReset }
            if let refusal { throw .conflict("the fixture cannot be loaded: \(refusal.message)") }
        }
    }

    /// Tells APNs which tokens there are, and since when some are dead.
    private func noteTokens(of fixture: RegistryFixture, generation: Int) {
        for row in fixture.rows {
            let kind: DeviceTokenState.Kind =
                switch row.fate {
                case .active: .active
                case .unregistered: .unregistered
                case .bad: .bad
                }
            _ = ifCurrent(generation) { state, now in
                let since = now.adding(milliseconds: -1000 * row.deadSeconds)
                state.setToken(
                    DeviceTokenState(kind, since: since, topic: Self.topic, environment: .production),
                    row.token
                )
            }
        }
    }

    /// The signed registrations in their order.
    private func signals(
        _ form: RegistryFixtureForm,
        _ pairs: [KeyPair],
        to service: KnownAccount
    ) throws(ControlError) -> [Transaction] {
        let identity = ServiceIdentity(address: service.address, publicKey: service.keys.publicKey)
        let timestamp = signingTimestamp
        // Of the world, so that a fixture can be loaded again with the same tokens.
        var generator = SeededGenerator(seed: withState { state, _ in state.generator.next() })
        return try form.fixture.rows.map { row throws(ControlError) in
            let signal = Signal(action: .add, token: row.token, provider: "apns")
            let signed = signal.transaction(
                to: identity,
                timestamp: timestamp,
                nonce: generator.bytes(24),
                by: pairs[row.owner],
                cryptography: cryptography
            )
            guard let signed else { throw .conflict("nothing can be sealed for the key of the ANS") }
            return signed
        }
    }

    /// Posts transactions to the nodes in turn, as clients do, and forges a block after each so many.
    private func post(_ transactions: [Transaction], generation: Int) throws(ControlError) {
        let client = HTTPClient()
        let urls = try nodeNames.map { name throws(ControlError) in try nodeURL(name) }
        for (number, transaction) in transactions.enumerated() {
            guard parties.isCurrent(generation) else { throw .isBeingReset }
            var refusal: String? = ""
            for attempt in 0..<Self.postAttempts where refusal != nil {
                let url = urls[(number + attempt) % urls.count] + "/api/transactions/process"
                refusal = Self.post(transaction, to: url, by: client)
            }
            if let refusal {
                throw .conflict("after \(number) registrations no node took the next: \(refusal)")
            }
            if (number + 1).isMultiple(of: Block.maximumTransactions) { forge(blocks: 1) }
        }
        forge(blocks: 1)
    }

    /// Posts a transaction; why it was not taken, nil when it was, now or before.
    private static func post(_ transaction: Transaction, to url: String, by client: HTTPClient) -> String? {
        let body: JSONValue = ["transaction": transaction.postedJSON]
        do throws(HTTPClientError) {
            let answer = try client.send(
                HTTPClientRequest(
                    method: "POST",
                    url: url,
                    headers: [("Content-Type", "application/json")],
                    body: body.bytes
                )
            )
            let json = try? JSONValue(parsing: answer.body)
            if json?["success"] == true { return nil }
            let error = json?["error"]?.stringValue ?? "HTTP \(answer.status)"
            // The answer of an earlier attempt was lost.
            return error.contains("already") ? nil : error
        } catch {
            return "\(error)"
        }
    }

    /// Lets the reference ANS know the registry: it polls where it runs, and is made with it where there was none.
    private func tellService() throws(ControlError) {
        if let driver = parties.ans {
            if driver.snapshot.isRunning { driver.pollNow() }
            return
        }
        let (rows, height) = withState { state, _ in (state.registry.rows, state.ledger.height) }
        let kept: JSONValue = [
            "rows": .array(rows.enumerated().map { number, row in row.kept(number: number + 1) }),
            "heights": .object(JSONObject(Poller.allCases.map { ($0.rawValue, .int(height)) })),
        ]
        _ = try makeANS(behaviour: .asDeployed, kept: kept)
    }
}

extension SignalRegistry.Row {
    /// The registration as a service that has polled it keeps it.
    fileprivate func kept(number: Int) -> JSONValue {
        [
            "number": .int(number), "address": .string(address.text), "token": .string(token),
            "provider": .string(provider), "registeredAt": .int(since.milliseconds),
            "transactionId": .string(transaction.description),
        ]
    }
}
