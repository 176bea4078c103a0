import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import NodeServer
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: blocks, loader, peers, applications")
struct ChainCallTests {
    private static let nethash = "20d3707bbc3aa75eb9c95a0f19fa92fd2ac0d5aa1810b354a407d666aaff4ac5"

    private func json(_ block: Block, _ world: TestWorld) -> String {
        world.state.withLock { state in
            var output: [UInt8] = []
            state.ledger.append(block, into: &output)
            return String(decoding: output, as: UTF8.self)
        }
    }

    private func block(_ height: Int, _ world: TestWorld) throws -> Block {
        try #require(world.state.withLock { $0.ledger.block(height: height) })
    }

    @Test("lists blocks, the newest first, and finds one by its id")
    func blocks() throws {
        let world = try TestWorld()
        let transfer = world.transfer(
            to: TestWorld.poor.address(cryptography: SystemCryptography()),
            amount: 7
        )
        _ = try world.send(.post("/api/transactions/process", transaction: transfer))
        world.forge()
        world.forge()
        let blocks = try (1...3).map { try block($0, world) }
        let texts = blocks.map { json($0, world) }
        func list(_ indexes: [Int]) -> String {
            Envelope.success("\"blocks\":[" + indexes.map { texts[$0] }.joined(separator: ",") + "]")
        }
        let key = Hex.encode(blocks[1].generatorPublicKey)
        let expected: [(String, String)] = [
            ("/api/blocks", list([2, 1, 0])), ("/API/Blocks/", list([2, 1, 0])),
            ("/api/blocks?limit=1&offset=1", list([1])), ("/api/blocks?orderBy=height", list([0, 1, 2])),
            ("/api/blocks?orderBy=height:desc&height=2", list([1])), ("/api/blocks?height=4", list([])),
            ("/api/blocks?generatorPublicKey=\(key)", list([2, 1])),
            ("/api/blocks?generatorPublicKey=", list([2, 1, 0])),
            ("/api/blocks?previousBlock=\(blocks[1].id)", list([2])),
            ("/api/blocks?totalAmount=7", list([1])),
            ("/api/blocks?totalFee=0", list([2, 0])), ("/api/blocks?reward=0&offset=2", list([0])),
            ("/api/blocks?numberOfTransactions=0", list([2, 1, 0])),
            ("/api/blocks?numberOfTransactions=1", list([1])), ("/api/blocks?unknown=1", list([2, 1, 0])),
            ("/api/blocks/get?id=\(blocks[1].id)", Envelope.success("\"block\":" + texts[1])),
            ("/api/blocks/get?id=1", Envelope.refusal("Block not found")),
            ("/api/blocks/get?id=01", Envelope.refusal("Block not found")),
            ("/api/blocks/get", Envelope.refusal("Missing required property: id")),
            ("/api/blocks/get?id=", Envelope.refusal("String is too short (0 chars), minimum 1")),
            ("/api/blocks?limit=101", Envelope.refusal("Value 101 is greater than maximum 100")),
            ("/api/blocks?limit=0", Envelope.refusal("Value 0 is less than minimum 1")),
            ("/api/blocks?height=0", Envelope.refusal("Value 0 is less than minimum 1")),
            ("/api/blocks?totalFee=-1", Envelope.refusal("Value -1 is less than minimum 0")),
            ("/api/blocks?orderBy=nothing", Envelope.refusal("Invalid sort field")),
            (
                "/api/blocks?generatorPublicKey=ab",
                Envelope.refusal("Object didn't pass validation for format publicKey: ab")
            ),
        ]
        try world.expect(expected)
    }

    @Test("tells the fixed facts of the chain", arguments: ["0.9", "0.10"])
    func facts(version: String) throws {
        let world = try TestWorld(version: version)
        let consensus = version == "0.10" ? "\"consensusCodeName\":null," : ""
        let expected: [(String, String)] = [
            ("getEpoch", #""epoch":"2017-09-02T17:00:00.000Z""#), ("getFee", #""fee":50000000"#),
            (
                "getFees",
                #""fees":{"send":50000000,"vote":5000000000,"secondsignature":500000000,"delegate":300000000000,"#
                    + #""multisignature":500000000,"dapp":2500000000,"old_chat_message":500000,"#
                    + #""chat_message":100000,"state_store":100000,"profile_update":5000000,"#
                    + #""avatar_upload":10000000}"#
            ),
            ("getNethash", #""nethash":"\#(Self.nethash)""#),
            ("getBroadhash", #""broadhash":"\#(Self.nethash)""#),
            ("getMilestone", #""milestone":0"#), ("getReward", #""reward":0"#),
            ("getSupply", #""supply":9800000000000000"#), ("getHeight", #""height":1"#),
            (
                "getStatus",
                #""broadhash":"\#(Self.nethash)","epoch":"2017-09-02T17:00:00.000Z","height":1,\#(consensus)"#
                    + #""fee":50000000,"milestone":0,"nethash":"\#(Self.nethash)","reward":0,"supply":9800000000000000"#
            ),
        ]
        let bodies = try world.bodies(expected.map { "/api/blocks/" + $0.0 })
        #expect(bodies == expected.map { Envelope.success($0.1) })
    }

    @Test("tells rewards and names of later heights")
    func laterHeights() throws {
        let world = try TestWorld(version: "0.10", startHeight: 8_300_000)
        let status = try JSONValue(parsing: world.body("/api/blocks/getStatus"))
        #expect(status["milestone"] == 1 && status["reward"] == 45_000_000)
        #expect(status["consensusCodeName"] == "fairSystem")
        #expect(status["supply"]?.intValue == Rewards.supply(height: 8_300_000))
    }

    @Test("tells what the loader knows, and whether the last block is fresh")
    func loader() throws {
        let world = try TestWorld()
        let paths = ["/api/loader/status", "/api/loader/status/sync", "/api/loader/status/ping"]
        let old = try world.send(paths.map { .get($0) })
        #expect(old[0].body == Envelope.success(#""loaded":true,"now":1,"blocksCount":1"#))
        #expect(
            old[1].body
                == Envelope.success(
                    #""syncing":false,"blocks":0,"height":1,"broadhash":"\#(Self.nethash)","consensus":100"#
                )
        )
        #expect(old[2].status == 503 && old[2].body == #"{"success":false}"#)
        world.forge()
        world.state.withLock { $0.status.profile.situation.isSyncing = true }
        let new = try world.send(paths.map { .get($0) })
        #expect(new[0].body == Envelope.success(#""loaded":true,"now":1,"blocksCount":1"#))
        let sync = try JSONValue(parsing: new[1].body)
        #expect(sync["syncing"] == true && sync["blocks"] == 2 && sync["height"] == 2)
        #expect(new[2].status == 200 && new[2].body == #"{"success":true}"#)
        world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_119) }
        #expect(try world.send(.get(paths[2])).status == 200)
        world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_120) }
        #expect(try world.send(.get(paths[2])).status == 503)
    }

    @Test("lists the other nodes as peers")
    func peers() throws {
        let world = try TestWorld(version: "0.10")
        world.state.withLock { state in
            state.peers = [
                PeerStatus(
                    address: "127.0.0.1",
                    port: 2,
                    isOnline: true,
                    version: "0.9.0",
                    nonce: "0123456789abcdef"
                ),
                PeerStatus(
                    address: "127.0.0.1",
                    port: 1,
                    isOnline: false,
                    version: "0.10.3",
                    nonce: "fedcba9876543210"
                ),
            ]
        }
        func peer(_ port: Int, _ state: Int, _ version: String, _ nonce: String) -> String {
            #"{"ip":"127.0.0.1","port":\#(port),"state":\#(state),"os":"linux","version":"\#(version)","#
                + #""broadhash":"\#(Self.nethash)","height":1,"updated":1779371700000,"nonce":"\#(nonce)","#
                + #""isBroadcastingViaSocket":false,"syncProtocol":"http"}"#
        }
        let (one, two) = (peer(2, 2, "0.9.0", "0123456789abcdef"), peer(1, 1, "0.10.3", "fedcba9876543210"))
        func list(_ peers: String...) -> String {
            Envelope.success("\"peers\":[" + peers.joined(separator: ",") + "]")
        }
        let expected: [(String, String)] = [
            ("/api/peers/version", Envelope.success(#""build":"","commit":"","version":"0.10.3""#)),
            ("/api/peers", list(one, two)), ("/api/peers?orderBy=port", list(two, one)),
            ("/api/peers?orderBy=version:desc", list(one, two)),
            ("/api/peers?orderBy=nothing", list(one, two)),
            ("/api/peers?state=1", list(two)), ("/api/peers?limit=1&offset=1", list(two)),
            ("/api/peers?ip=127.0.0.1&port=2", list(one)), ("/api/peers?version=0.8.0", list()),
            ("/api/peers?height=1&broadhash=\(Self.nethash)&os=linux", list(one, two)),
            ("/api/peers/get?ip=127.0.0.1&port=1", Envelope.success("\"peer\":" + two)),
            ("/api/peers/get?ip=127.0.0.2&port=1", Envelope.refusal("Peer not found")),
            ("/api/peers/get?ip=127.0.0.1", Envelope.refusal("Missing required property: port")),
            ("/api/peers/get", Envelope.refusal("Missing required property: port")),
            ("/api/peers/count", Envelope.success(#""connected":1,"disconnected":1,"banned":0"#)),
            ("/api/peers?limit=101", Envelope.refusal("Value 101 is greater than maximum 100")),
            ("/api/peers?state=3", Envelope.refusal("Value 3 is greater than maximum 2")),
            ("/api/peers?ip=x", Envelope.refusal("Object didn't pass validation for format ip: x")),
            (
                "/api/peers?ip=1.2.3.256",
                Envelope.refusal("Object didn't pass validation for format ip: 1.2.3.256")
            ),
            (
                "/api/peers?version=0.10",
                Envelope.refusal("Object didn't pass validation for format version: 0.10")
            ),
            ("/api/peers?os=a%20b", Envelope.refusal("Object didn't pass validation for format os: a b")),
            ("/api/peers?port=0", Envelope.refusal("Value 0 is less than minimum 1")),
        ]
        try world.expect(expected)
    }

    @Test("has no applications")
    func dapps() throws {
        let expected: [(String, String)] = [
            (
                "/api/dapps/categories",
                Envelope.success(
                    #""categories":{"Education":0,"Entertainment":1,"Finance":2,"Games":3,"Miscellaneous":4,"#
                        + #""Networking":5,"Science":6,"Social":7,"Utilities":8}"#
                )
            ),
            ("/api/dapps", Envelope.success(#""dapps":[]"#)),
            ("/api/dapps/search?q=a", Envelope.success(#""dapps":[]"#)),
            ("/api/dapps/installed", Envelope.success(#""dapps":[]"#)),
            ("/api/dapps/installedIds", Envelope.success(#""ids":[]"#)),
            ("/api/dapps/installing", Envelope.success(#""installing":[]"#)),
            ("/api/dapps/uninstalling", Envelope.success(#""uninstalling":[]"#)),
            ("/api/dapps/launched", Envelope.success(#""launched":[]"#)),
            ("/api/dapps/ismasterpasswordenabled", Envelope.success(#""enabled":false"#)),
            ("/api/dapps/get?id=1", Envelope.refusal("Application not found")),
            ("/api/dapps/nothing", Envelope.notFound),
        ]
        try TestWorld().expect(expected)
    }
}
