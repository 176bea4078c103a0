import AdamantLedger
import AdamantModel
import APNsRules
import ControlServer
import Determinism
import JSONValue
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
            let rest =
                snapshot.token.map { "a service pushes to its token \($0)" } ?? "it has no token either"
            throw .conflict("nobody is signed in on \(device.id), so nobody can be written to; \(rest)")
        }
        let sender = try testSender(try body.string("from"), to: owner)
        let order = TransactionOrderForm(
            sender: sender,
            recipient: owner,
            message: try body.string("message") ?? "Test push",
            node: try nodeIndex(node, field: "node")
        )
        let transaction = try sign(order)
        var test = TestPush(
            device: device.id,
            token: snapshot.token,
            transaction: transaction.id,
            lastEvent: newestEvent
        )
        let start = MachineClock.monotonicMilliseconds()
        do throws(ControlError) {
            try submit(transaction, node: order.node)
        } catch {
            test.refusal = error.message
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
}

/// A test push that a call waits for.
private final class TestPushWatch: Sendable {
    private let test: Mutex<TestPush>
    private let startMilliseconds: Int64

    init(_ test: TestPush, startMilliseconds: Int64) {
        self.test = Mutex(test)
        self.startMilliseconds = startMilliseconds
    }

    /// The answer, once there is one; its trace is looked at when something happened to the message.
    func answer(in world: World, timeIsOver: Bool) -> JSONValue? {
        let elapsed = MachineClock.monotonicMilliseconds() - startMilliseconds
        return test.withLock { test in
            let first = test.lastEvent
            let news = world.withState { state, _ in state.journal.events(after: first, limit: .max) }
            guard test.follow(news) || timeIsOver || test.refusal != nil else {
                return Optional<JSONValue>.none
            }
            let trace = world.trace(of: test.transaction)
            guard test.isOver(trace) || timeIsOver else { return nil }
            return test.json(trace, afterMilliseconds: elapsed)
        }
    }
}
