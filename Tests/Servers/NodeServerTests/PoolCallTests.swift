import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: lists of the pool")
struct PoolCallTests {
    private static let poor = TestWorld.poor.address(cryptography: SystemCryptography())

    private func list(_ transactions: [JSONValue], _ count: Int) -> String {
        Envelope.success("\"transactions\":\(JSONValue.array(transactions).text),\"count\":\(count)")
    }

    @Test("shows what waits, the newest first, filtered, with the count of all", arguments: ["0.9", "0.10"])
    func queued(version: String) throws {
        let world = try TestWorld(version: version)
        let transactions = [
            world.transfer(to: Self.poor, amount: 1), world.state("v", key: "k"), world.chat("{}"),
        ]
        _ = try world.send(transactions.map { .post("/api/transactions/process", transaction: $0) })
        let (transfer, state, chat) = (
            transactions[0].waiting(version: version), transactions[1].waiting(version: version),
            transactions[2].waiting(version: version)
        )
        let (alice, bob) = (Hex.encode(TestWorld.alice.publicKey), Hex.encode(TestWorld.bob.publicKey))
        func expected(_ part: String) -> [(String, String)] {
            let all = part == "queued" ? [chat, state, transfer] : [transfer, state, chat]
            func only(_ some: [JSONValue]) -> String { list(all.filter(some.contains), 3) }
            let path = "/api/transactions/" + part
            return [
                (path, list(all, 3)), (path + "?senderPublicKey=\(alice)", only([transfer, state])),
                (path + "?senderPublicKey=\(bob)", only([chat, state])),
                (path + "?address=\(Self.poor)", only([transfer])),
                (path + "?address=U1&senderPublicKey=\(bob)", only([chat])), (path + "?address=U1", only([])),
                (path + "?senderPublicKey=", list(all, 3)), (path + "?x=1", list(all, 3)),
                (
                    path + "?address=X",
                    Envelope.refusal("Object didn't pass validation for format address: X")
                ),
                (
                    path + "?senderPublicKey=ab",
                    Envelope.refusal("Object didn't pass validation for format publicKey: ab")
                ),
                (path + "/get?id=\(transactions[1].id)", Envelope.success("\"transaction\":" + state.text)),
                (path + "/get?id=1", Envelope.refusal("Transaction not found")),
                (path + "/get", Envelope.refusal("Missing required property: id")),
                (path + "/get?id=x", Envelope.refusal("Object didn't pass validation for format id: x")),
            ]
        }
        func count(_ confirmed: Int, _ unconfirmed: Int, _ queued: Int) -> (String, String) {
            (
                "/api/transactions/count",
                Envelope.success(
                    #""confirmed":\#(confirmed),"multisignature":0,"unconfirmed":\#(unconfirmed),"queued":\#(queued)"#
                )
            )
        }
        try world.expect(
            expected("queued") + [count(2, 0, 3), ("/api/transactions/unconfirmed", list([], 0))]
                + [
                    (
                        "/api/transactions/unconfirmed/get?id=\(transactions[1].id)",
                        Envelope.refusal("Transaction not found")
                    )
                ]
        )
        world.state.withLock { $0.ledger.fillPools(now: $0.now) }
        try world.expect(
            expected("unconfirmed") + [count(2, 3, 0), ("/api/transactions/queued", list([], 0))]
        )
        world.forge()
        try world.expect([count(5, 0, 0), ("/api/transactions/unconfirmed", list([], 0))])
    }

    @Test("a reduced balance shows with the fill, the new one with the block")
    func balances() throws {
        let world = try TestWorld()
        let path =
            "/api/accounts/getBalance?address=\(TestWorld.alice.address(cryptography: SystemCryptography()))"
        _ = try world.send(
            .post("/api/transactions/process", transaction: world.transfer(to: Self.poor, amount: 1))
        )
        func balance(_ confirmed: Int, _ unconfirmed: Int) -> String {
            Envelope.success(#""balance":"\#(confirmed)","unconfirmedBalance":"\#(unconfirmed)""#)
        }
        #expect(try world.body(path) == balance(500_000_000, 500_000_000))
        world.state.withLock { $0.ledger.fillPools(now: $0.now) }
        #expect(try world.body(path) == balance(500_000_000, 449_999_999))
        world.forge()
        #expect(try world.body(path) == balance(449_999_999, 449_999_999))
    }
}
