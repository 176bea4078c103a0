import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: accounts")
struct AccountTests {
    private static let alice = "U9764661521592110710"
    private static let aliceKey = "41cb57609fce17bdc6e130d7e01b5fa0955ba613d8d1226bff680df944047059"
    private static let ansKey = "47e351640bb258d7b5fb2d0bcef53a522e43664d103e93ccebdd8be9f8e560e2"
    private static let unknown = "U1111111111111111111"
    private static let prefix = #"{"success":false,"nodeTimestamp":275000100,"error":"#

    private static func account(_ key: String, _ balance: String, address: String, multi: String = "[]")
        -> String
    {
        #"{"success":true,"nodeTimestamp":275000100,"account":{"address":"\#(address)","#
            + #""unconfirmedBalance":"\#(balance)","balance":"\#(balance)","publicKey":\#(key),"#
            + #""unconfirmedSignature":0,"secondSignature":0,"secondPublicKey":null,"#
            + #""multisignatures":\#(multi),"u_multisignatures":\#(multi)}}"#
    }

    @Test("gives an account by address in either case, by key, and by both")
    func account() throws {
        let world = try TestWorld()
        let expected = Self.account("\"\(Self.aliceKey)\"", "500000000", address: Self.alice)
        let bodies = try world.bodies([
            "/api/accounts?address=\(Self.alice)", "/api/accounts?address=u9764661521592110710",
            "/api/accounts?publicKey=\(Self.aliceKey)",
            "/api/accounts?publicKey=\(Self.aliceKey)&address=\(Self.alice)",
        ])
        #expect(bodies == Array(repeating: expected, count: 4))
    }

    @Test(
        "refuses accounts in the node's words",
        arguments: [
            ("/api/accounts", "Missing required property: address or publicKey"),
            ("/api/accounts?publicKey=", "Missing required property: address or publicKey"),
            ("/api/accounts?address=\(unknown)", "Account not found"),
            ("/api/accounts?address=nonsense", "Object didn't pass validation for format address: nonsense"),
            ("/api/accounts?address=", "Object didn't pass validation for format address: "),
            ("/api/accounts?publicKey=abc", "Object didn't pass validation for format publicKey: abc"),
            ("/api/accounts?publicKey=123", "Expected type string but found type integer"),
            ("/api/accounts?address=U1&address=U2", "Expected type string but found type array"),
            (
                "/api/accounts?publicKey=\(aliceKey)&address=\(unknown)",
                "Account publicKey does not match address"
            ),
            ("/api/accounts/getBalance", "Missing required property: address"),
            ("/api/accounts/getBalance?address=X1", "Object didn't pass validation for format address: X1"),
            ("/api/accounts/getPublicKey", "Missing required property: address"),
            ("/api/accounts/getPublicKey?address=\(unknown)", "Account not found"),
        ]
    )
    func refusals(path: String, error: String) throws {
        let answer = try TestWorld().send(.get(path))
        #expect(answer.status == 200)
        #expect(answer.body == Self.prefix + JSONValue.string(error).text + "}")
    }

    @Test("gives balances as strings, zero for an unknown account")
    func balance() throws {
        let bodies = try TestWorld().bodies([
            "/api/accounts/getBalance?address=\(Self.alice)",
            "/api/accounts/getBalance?address=\(Self.unknown)",
            "/api/accounts/getPublicKey?address=\(Self.alice)",
        ])
        let start = #"{"success":true,"nodeTimestamp":275000100,"#
        #expect(bodies[0] == start + #""balance":"500000000","unconfirmedBalance":"500000000"}"#)
        #expect(bodies[1] == start + #""balance":"0","unconfirmedBalance":"0"}"#)
        #expect(bodies[2] == start + #""publicKey":"\#(Self.aliceKey)"}"#)
    }

    @Test("makes an account of a key, which is known from then on")
    func new() throws {
        let world = try TestWorld()
        let answers = try world.send([
            .get("/api/accounts?publicKey=\(Self.ansKey)"),
            .post("/api/accounts/new", ["publicKey": .string(Self.ansKey)]),
            .get("/api/accounts?publicKey=\(Self.ansKey)"),
            .post("/api/accounts/new", [:]),
            .post("/api/accounts/new", ["publicKey": ""]),
            .post("/api/accounts/new", ["publicKey": 5]),
        ]).map(\.body)
        let address = "U14449473063418336855"
        #expect(
            answers == [
                Self.prefix + "\"Account not found\"}",
                Self.account("\"\(Self.ansKey)\"", "0", address: address, multi: "null"),
                Self.account("\"\(Self.ansKey)\"", "0", address: address),
                Self.prefix + "\"Missing required property: publicKey\"}",
                Self.prefix + "\"Missing address or public key\"}",
                Self.prefix + "\"Expected type string but found type integer\"}",
            ]
        )
    }

    @Test("stores the key of an account that was only paid so far")
    func storesKey() throws {
        let world = try TestWorld()
        let recipient = TestWorld.poor.address(cryptography: SystemCryptography())
        let transfer = world.transfer(to: recipient, amount: 100)
        _ = try world.send(.post("/api/transactions/process", ["transaction": transfer.postedJSON]))
        world.forge()
        let key = Hex.encode(TestWorld.poor.publicKey)
        let bodies = try world.bodies([
            "/api/accounts?address=\(recipient)", "/api/accounts/getPublicKey?address=\(recipient)",
            "/api/accounts?publicKey=\(key)", "/api/accounts/getPublicKey?address=\(recipient)",
        ])
        #expect(bodies[0] == Self.account("null", "100", address: recipient.text))
        #expect(bodies[1] == Self.prefix + "\"Account not found\"}")
        #expect(bodies[2] == Self.account("\"\(key)\"", "100", address: recipient.text))
        #expect(bodies[3] == #"{"success":true,"nodeTimestamp":275000100,"publicKey":"\#(key)"}"#)
    }
}
