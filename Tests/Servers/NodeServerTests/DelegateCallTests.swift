import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: delegates and votes")
struct DelegateCallTests {
    private static let cryptography = SystemCryptography()
    private static let forger = Hex.encode(TestWorld.delegate.publicKey)
    private static let forgerAddress = TestWorld.delegate.address(cryptography: cryptography)
    private static let alice = Hex.encode(TestWorld.alice.publicKey)
    private static let bobAddress = TestWorld.bob.address(cryptography: cryptography)

    private static func sign(_ asset: Asset, _ type: Int, by pair: KeyPair, to recipient: Address? = nil)
        -> Transaction
    {
        Transaction(
            signing: asset,
            type: type,
            timestamp: 275_000_100,
            recipient: recipient,
            amount: 0,
            by: pair,
            cryptography: cryptography
        )
    }

    private static let registration = sign(.delegate(username: "a.name"), 2, by: TestWorld.alice)
    private static let vote = sign(.votes(["+" + alice, "+" + forger]), 3, by: TestWorld.bob, to: bobAddress)

    /// Alice a delegate, for whom bob votes, and a round ended by the only forger.
    private func votedWorld(_ version: String = "0.9") throws -> TestWorld {
        let world = try TestWorld(version: version, balance: 1_000_000_000_000)
        _ = try world.send(.post("/api/delegates", Self.registration.postedJSON))
        world.forge()
        _ = try world.send(.post("/api/accounts/delegates", Self.vote.postedJSON))
        for _ in 3...101 { world.forge() }
        return world
    }

    private func object(_ username: String, _ key: String, _ address: Address, _ numbers: String) -> String {
        #"{"username":"\#(username)","address":"\#(address)","publicKey":"\#(key)",\#(numbers)}"#
    }

    @Test("lists delegates by their votes, and in any other order")
    func lists() throws {
        let world = try votedWorld()
        let balance: Int64 = 1_000_000_000_000 - 5_000_000_000
        let fees = 305_000_000_000
        let forger = object(
            "genesis_1",
            Self.forger,
            Self.forgerAddress,
            #""votesWeight":"\#(balance / 2)","vote":"\#(balance)","missedblocks":0,"producedblocks":100,"#
                + #""forged":"\#(fees)","rate":@,"rank":@,"approval":0.01,"productivity":100"#
        )
        let aliceObject = object(
            "a.name",
            Self.alice,
            TestWorld.alice.address(cryptography: Self.cryptography),
            #""votesWeight":"\#(balance / 2)","vote":"\#(balance)","missedblocks":0,"producedblocks":0,"#
                + #""forged":"0","rate":@,"rank":@,"approval":0.01,"productivity":0"#
        )
        let isFirst = Self.alice < Self.forger
        let first = (isFirst ? aliceObject : forger).replacing("@", with: "1")
        let second = (isFirst ? forger : aliceObject).replacing("@", with: "2")
        func list(_ delegates: String...) -> String {
            Envelope.success("\"delegates\":[" + delegates.joined(separator: ",") + "],\"totalCount\":2")
        }
        let named = isFirst ? (first, second) : (second, first)
        let expected: [(String, String)] = [
            ("/api/delegates", list(first, second)), ("/api/delegates?limit=1&offset=1", list(second)),
            ("/api/delegates?orderBy=rank:asc", list(first, second)),
            ("/api/delegates?orderBy=rate", list(second, first)),
            ("/api/delegates?orderBy=username:asc", list(named.0, named.1)),
            ("/api/delegates?orderBy=username:desc", list(named.1, named.0)),
            ("/api/delegates?orderBy=approval:desc", list(first, second)),
            ("/api/delegates?orderBy=productivity:desc", list(named.1, named.0)),
            ("/api/delegates?orderBy=publicKey:asc", list(first, second)),
            ("/api/delegates?orderBy=vote:asc&limit=101", list(first, second)),
            ("/api/delegates?orderBy=missedblocks", Envelope.refusal("Invalid sort field")),
            ("/api/delegates?limit=102", Envelope.refusal("Value 102 is greater than maximum 101")),
            ("/api/delegates?limit=0", Envelope.refusal("Value 0 is less than minimum 1")),
            ("/api/delegates/count", Envelope.success("\"count\":2")),
            ("/api/delegates/get?publicKey=\(Self.alice)", Envelope.success("\"delegate\":" + named.0)),
            ("/api/delegates/get?username=genesis_1", Envelope.success("\"delegate\":" + named.1)),
            (
                "/api/delegates/get?address=u\(Self.forgerAddress.text.dropFirst())",
                Envelope.success("\"delegate\":" + named.1)
            ),
            ("/api/delegates/get", Envelope.refusal("Delegate not found")),
            ("/api/delegates/get?username=nobody", Envelope.refusal("Delegate not found")),
            (
                "/api/delegates/get?publicKey=\(Self.alice)&address=\(Self.forgerAddress)",
                Envelope.refusal("Delegate publicKey does not match address")
            ),
            (
                "/api/delegates/get?username=a-b",
                Envelope.refusal("Object didn't pass validation for format username: a-b")
            ),
            (
                "/api/accounts/delegates?address=\(Self.bobAddress)",
                Envelope.success("\"delegates\":[\(first),\(second)]")
            ),
            ("/api/accounts/delegates?address=\(Self.forgerAddress)", Envelope.success("\"delegates\":[]")),
            ("/api/accounts/delegates?address=U1", Envelope.refusal("Account not found")),
            ("/api/accounts/delegates", Envelope.refusal("Missing required property: address")),
            ("/api/accounts/delegates/fee", Envelope.success("\"fee\":300000000000")),
            ("/api/delegates/fee", Envelope.success("\"fee\":300000000000")),
        ]
        try world.expect(expected)
    }

    @Test("searches by part of the name, and tells who votes")
    func searches() throws {
        let world = try votedWorld("0.10")
        let balance: Int64 = 1_000_000_000_000 - 5_000_000_000
        let rank = Self.alice < Self.forger ? 1 : 2
        let row =
            #"{"rank":\#(rank),"username":"a.name","address":"\#(TestWorld.alice.address(cryptography: Self.cryptography))","#
            + #""publicKey":"\#(Self.alice)","vote":"\#(balance)","votesWeight":"\#(balance / 2)","#
            + #""producedblocks":0,"missedblocks":0,"approval":0.01,"productivity":0,"voters_cnt":1,"#
            + #""register_timestamp":275000100}"#
        let found = try world.bodies([
            "/api/delegates/search?q=NAM", "/api/delegates/search?q=a_na", "/api/delegates/search?q=x",
            "/api/delegates/search?q=e&orderBy=username:desc&limit=1", "/api/delegates/search",
            "/api/delegates/search?q=", "/api/delegates/search?q=a&limit=1001",
            "/api/delegates/search?q=a&orderBy=rank", "/api/delegates/search?q=123456789012345678901a",
            "/api/delegates/voters?publicKey=\(Self.alice)", "/api/delegates/voters?publicKey=\(Self.bobKey)",
            "/api/delegates/voters", "/api/delegates/fee",
        ])
        let none = Envelope.success("\"delegates\":[]")
        #expect(
            found[0] == Envelope.success("\"delegates\":[\(row)]") && found[1] == found[0] && found[2] == none
        )
        #expect(
            try JSONValue(parsing: found[3])["delegates"]?.arrayValue?.map { $0["username"] } == ["genesis_1"]
        )
        #expect(found[4] == Envelope.refusal("Missing required property: q"))
        #expect(found[5] == Envelope.refusal("String is too short (0 chars), minimum 1"))
        #expect(found[6] == Envelope.refusal("Value 1001 is greater than maximum 1000"))
        #expect(found[7] == Envelope.refusal("Invalid sort field"))
        #expect(found[8] == Envelope.refusal("String is too long (22 chars), maximum 20"))
        #expect(
            found[9]
                == Envelope.success(
                    #""accounts":[{"address":"\#(Self.bobAddress)","balance":"\#(balance)","username":null,"#
                        + #""publicKey":"\#(Self.bobKey)"}]"#
                )
        )
        #expect(found[10] == Envelope.success("\"accounts\":[]"))
        #expect(found[11] == Envelope.refusal("Missing required property: publicKey"))
        #expect(found[12] == Envelope.notFound)
    }

    private static let bobKey = Hex.encode(TestWorld.bob.publicKey)

    @Test("tells who forges next and what was forged")
    func forging() throws {
        let world = try votedWorld()
        let unix = 1_504_371_600 + 275_000_100
        let path = "/api/delegates/forging/getForgedByAccount?generatorPublicKey="
        let amounts = #""fees":"305000000000","rewards":"0","forged":"305000000000""#
        let expected: [(String, String)] = [
            (
                "/api/delegates/getNextForgers",
                Envelope.success(
                    #""currentBlock":101,"currentBlockSlot":55000020,"currentSlot":55000020,"#
                        + #""delegates":["\#(Self.forger)"]"#
                )
            ),
            (
                "/api/delegates/getNextForgers?limit=102",
                Envelope.refusal("Value 102 is greater than maximum 101")
            ),
            (path + Self.forger, Envelope.success(amounts)),
            (path + Self.forger + "&start=\(unix)&end=\(unix)", Envelope.success(amounts + ",\"count\":100")),
            (
                path + Self.forger + "&end=\(unix - 1)",
                Envelope.success(#""fees":"0","rewards":"0","forged":"0","count":0"#)
            ),
            (path + Self.alice, Envelope.success(#""fees":"0","rewards":"0","forged":"0""#)),
            (path + Self.bobKey, Envelope.success(#""fees":"0","rewards":"0","forged":"0""#)),
            (path + Self.bobKey + "&start=0", Envelope.refusal("Account not found or is not a delegate")),
            (path + Hex.encode(TestWorld.poor.publicKey), Envelope.refusal("Account not found")),
            (path, Envelope.refusal("Account not found")),
            (
                "/api/delegates/forging/getForgedByAccount",
                Envelope.refusal("Missing required property: generatorPublicKey")
            ),
            (
                path + Self.forger + "&start=x",
                Envelope.refusal("Expected type integer but found type string")
            ),
            ("/api/delegates/forging/status", Envelope.refusal("Access denied")),
        ]
        try world.expect(expected)
        let closed = try world.send([
            .post("/api/delegates/forging/enable", ["secret": "x"]),
            .post("/api/delegates/forging/disable", [:]),
        ])
        #expect(closed.map(\.body) == Array(repeating: Envelope.refusal("Access denied"), count: 2))
    }

    @Test(
        "takes registrations and votes bare, votes also wrapped, and shows them whole",
        arguments: ["0.9", "0.10"]
    )
    func posts(version: String) throws {
        let world = try TestWorld(version: version, balance: 1_000_000_000_000)
        func shown(_ transaction: Transaction) -> String {
            Envelope.success("\"transaction\":" + transaction.waiting(version: "0.9").text)
        }
        let registered = try world.send(.post("/api/delegates", Self.registration.postedJSON)).body
        #expect(registered == shown(Self.registration))
        world.forge()
        let voted = try world.send(.post("/api/accounts/delegates", ["transaction": Self.vote.postedJSON]))
            .body
        #expect(voted == shown(Self.vote))
        world.forge()
        let id = Self.vote.id
        let get = try JSONValue(parsing: world.body("/api/transactions/get?id=\(id)&returnAsset=1"))[
            "transaction"
        ]
        #expect(get?["votes"] == ["added": [.string(Self.alice), .string(Self.forger)], "deleted": []])
        #expect(get?["asset"] == ["votes": [.string("+" + Self.alice), .string("+" + Self.forger)]])
    }

    @Test("refuses registrations and votes in the node's words")
    func postRefusals() throws {
        let world = try TestWorld(version: "0.10", balance: 1_000_000_000_000)
        var keyless = Self.registration.postedJSON.objectValue!
        keyless["asset"] = ["delegate": ["username": "a.name"]]
        var unsigned = Self.vote.postedJSON.objectValue!
        unsigned["signature"] = nil
        let posts: [(ClientRequest, String)] = [
            (.post("/api/delegates", [:]), "Missing required property: signature"),
            (.post("/api/delegates", ["signature": ""]), "Missing required property: senderPublicKey"),
            (
                .post("/api/delegates", ["senderPublicKey": "", "signature": "x"]),
                "Object didn't pass validation for format signature: x"
            ),
            (
                .post("/api/delegates", ["senderPublicKey": "", "signature": ""]),
                "Missing address or public key"
            ),
            (
                .post("/api/delegates", .object(keyless)),
                "Failed to validate delegate schema: Missing required property: publicKey"
            ),
            (.post("/api/accounts/delegates", [:]), "Missing required property: senderPublicKey"),
            (
                .post("/api/accounts/delegates", ["transaction": 1]),
                "Expected type object but found type integer"
            ),
            (.post("/api/accounts/delegates", .object(unsigned)), "Invalid signature"),
            (.post("/api/accounts/delegates", Self.vote.postedJSON), "Delegate not found"),
            (
                .post(
                    "/api/transactions/process",
                    transaction: Self.sign(.delegate(username: "U1"), 2, by: TestWorld.alice)
                ),
                "Username must be lowercase"
            ),
        ]
        for ((request, error), answer) in zip(posts, try world.send(posts.map(\.0))) {
            #expect(answer.body == Envelope.refusal(error), "\(request)")
        }
    }

    @Test("lists the richest, in its own words for bad parameters")
    func top() throws {
        let world = try TestWorld(version: "0.10")
        func account(_ pair: KeyPair, _ balance: Int64) -> String {
            let (key, address) = (Hex.encode(pair.publicKey), pair.address(cryptography: Self.cryptography))
            return
                #"{"address":"\#(address)","balance":"\#(balance)","publicKey":"\#(key)","username":null,"isDelegate":0}"#
        }
        let pair = [TestWorld.alice, TestWorld.bob].sorted {
            $0.address(cryptography: Self.cryptography).text
                < $1.address(cryptography: Self.cryptography).text
        }
        let (one, two) = (account(pair[0], 500_000_000), account(pair[1], 500_000_000))
        let bodies = try world.bodies([
            "/api/accounts/top?offset=1", "/api/accounts/top?limit=1&offset=2&isDelegate=0",
            "/api/accounts/top?isDelegate=1", "/api/accounts/top?limit=0", "/api/accounts/top?limit=101",
            "/api/accounts/top?limit=-1", "/api/accounts/top?isDelegate=2", "/api/accounts/top?offset=x",
        ])
        #expect(
            bodies[0]
                == Envelope.success("\"accounts\":[\(one),\(two)],\"count\":3,\"limit\":100,\"offset\":1")
        )
        #expect(bodies[1] == Envelope.success("\"accounts\":[\(two)],\"count\":3,\"limit\":1,\"offset\":2"))
        #expect(bodies[2] == Envelope.success("\"accounts\":[],\"count\":0,\"limit\":100,\"offset\":0"))
        #expect(bodies[3] == Envelope.success("\"accounts\":[],\"count\":3,\"limit\":0,\"offset\":0"))
        #expect(bodies[4] == Envelope.refusal("Invalid limit: value must be at most 100"))
        #expect(bodies[5] == Envelope.refusal("Invalid limit: value must be at least 0"))
        #expect(bodies[6] == Envelope.refusal("Invalid isDelegate: value must be at most 1"))
        #expect(bodies[7] == Envelope.refusal("Invalid offset: value must be an integer"))
        let count = try world.send(.get("/api/accounts/count"))
        #expect(count.status == 500)
        #expect(
            count.body
                == #"{"success":false,"error":"API error: Cannot convert undefined or null to object"}"#
        )
    }
}
