import AdamantLedger
import AdamantModel
import APNsRules
import ControlServer
import Determinism
import JSONValue
import NodeServer
import SimulatorDrivers
import Simulators
import Synchronization
import Threads
import TraceRules

extension World {
    /// Longest time that a test push is waited for, in seconds, and how long unless told otherwise.
    private static let testPushSeconds = (longest: Int64(ListQuery.maximumWait), usual: Int64(30))

    var testPushRoutes: [ControlRoute] {
        [
            ControlRoute("POST", "/v1/devices/{id}/test-push", members: ["from", "message", "seconds"]) {
                [self] request throws(ControlError) in
                let device = try device(request.parameter("id"))
                let seconds =
                    try request.body.integer("seconds", in: 1...Self.testPushSeconds.longest)
                    ?? Self.testPushSeconds.usual
                let watch = try sendTestPush(to: device, request.body)
                return .waiting(seconds: Int(clamping: seconds)) { [self] timeIsOver in
                    watch.answer(in: self, timeIsOver: timeIsOver)
                }
            }
        ]
    }

    /// Sends a message to a device's owner.
    private func sendTestPush(to device: Parties.Device, _ body: ControlBody) throws(ControlError)
        -> TestPushWatch
    {
        let snapshot = device.driver.snapshot
        guard let owner = snapshot.owner, let node = device.nodes.first else {
            throw .conflict(
                "nobody is signed in on \(device.id), so nobody can be written to; "
                    + "a service pushes to its token \(snapshot.token ?? "")"
            )
        }
        let sender = try testSender(try body.string("from"), to: owner)
        let order = TransactionOrderForm(
            sender: sender,
            recipient: owner,
            message: try body.string("message") ?? "Test push",
            node: try nodeIndex(node, field: "node")
        )
        let transaction = try sign(order)
        var test = withState { state, now in
            var test = TestPush(
                device: device.id,
                token: snapshot.token,
                transaction: transaction.id,
                lastEvent: state.journal.last
            )
            test.pass(.posted, at: now, [("node", .string(node))])
            return test
        }
        let start = MachineClock.monotonicMilliseconds()
        do throws(ControlError) {
            try submit(transaction, node: order.node)
        } catch {
            test.stop("refused", "the node: \(error.message)", isFinal: true)
        }
        return TestPushWatch(test, startMilliseconds: start)
    }

    /// Who writes: the account named, or the first that can pay.
    private func testSender(_ name: String?, to owner: Address) throws(ControlError) -> KnownAccount {
        if let name { return try signer(name, field: "from") }
        let fee = Fees.fee(asset: .chat(message: "", ownMessage: "", type: 1), amount: 0)
        let sender = withState { state, _ in
            state.accounts.accounts.first { account in
                account.address != owner && account.address != settings.ansAddress
                    && state.ledger.account(account.address.text)?.balance ?? 0 > fee
            }
        }
        guard let sender else {
            throw .conflict("no other account that the world knows can pay for a message")
        }
        return sender
    }

    /// The first poll for messages that a service made of any node since a moment.
    fileprivate func poll(since moment: Timestamp) -> (at: Timestamp, node: String)? {
        let calls = requests.withLock { archive in
            archive.first(since: moment) { call in
                call.method == "GET" && call.status == 200
                    && ["/api/chats/get", "/api/transactions"].contains(call.path)
                    && !call.query.contains("type=3") && call.agent != NodePath.deviceAgent
            }
        }
        return calls.map { ($0.at, nodeNames[$0.node]) }
    }

    /// Why a message went no further than to a station, as far as the world can tell.
    fileprivate func cause(of test: TestPush) -> (code: String, text: String)? {
        guard test.hasPassed(.forged) else {
            guard test.hasPassed(.accepted) else { return nil }
            let (sighting, mode) = withState { state, _ in
                (state.sighting(of: test.transaction), state.forging.mode)
            }
            let why = sighting?.json["why"]?.stringValue ?? "it waits for a block"
            let hint = mode == .manual ? "; blocks are forged by hand: POST /v1/chain/forge" : ""
            return ("not-forged", why + hint)
        }
        guard !test.hasPassed(.pushed) else { return nil }
        guard test.hasPassed(.polled) else {
            return ("not-polled", "no service has asked a node for messages since: is one running?")
        }
        let isRegistered = withState { state, _ in
            !state.registry.isReadable || test.token.map { state.registry.hasRow(token: $0) } ?? false
        }
        return !isRegistered
            ? ("not-registered", "the chain has no registration of the device's token")
            : ("not-pushed", "a service has asked for messages, and pushed nothing for this one")
    }
}

/// A test push that a call waits for.
private final class TestPushWatch: Sendable {
    private let test: Mutex<TestPush>
    private let startMilliseconds: Int64

    init(_ test: TestPush, startMilliseconds: Int64) {
        self.test = Mutex(test)
        self.startMilliseconds = startMilliseconds
    }

    /// The answer, once there is one.
    func answer(in world: World, timeIsOver: Bool) -> JSONValue? {
        let elapsed = MachineClock.monotonicMilliseconds() - startMilliseconds
        return test.withLock { test in
            follow(&test, in: world)
            guard test.isOver || timeIsOver else { return Optional<JSONValue>.none }
            if let forgedAt = test.time(of: .forged), let poll = world.poll(since: forgedAt) {
                test.pass(.polled, at: poll.at, [("node", .string(poll.node))])
            }
            if test.cause == nil, let cause = world.cause(of: test) {
                test.stop(cause.code, cause.text, isFinal: false)
            }
            return test.json(afterMilliseconds: elapsed)
        }
    }

    private func follow(_ test: inout TestPush, in world: World) {
        let news = world.withState { state, _ in
            state.journal.events(after: test.lastEvent, limit: .max).map { event in
                (event, event.kind == .pushReceived ? state.pushes.find(event.seq) : nil)
            }
        }
        for (event, push) in news { test.follow(event, push: push) }
    }
}
