import AdamantLedger
import AdamantModel
import Determinism
import JSONValue
import Synchronization
import SystemCryptography
import TestSupport
import Testing

@Suite("Node: chat rooms")
struct ChatRoomCallTests {
    private static let alice = "U9764661521592110710"
    private static let bob = "U6833851493527812033"
    private static let ans = "U14449473063418336855"
    private static let failed = "Failed to get transactions: "

    @Test("gives the reference's room and messages, in each version's form", arguments: ["0.9", "0.10"])
    func sample(version: String) throws {
        let world = try TestWorld(version: version, startHeight: 49_999_989)
        world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_004) }
        _ = try world.send(.post("/api/chats/process", ["transaction": SubmissionTests.message]))
        world.forge()
        world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_100) }
        for _ in 0..<10 { world.forge() }
        let block = try #require(world.state.withLock { $0.ledger.block(height: 49_999_990) })
        let isOld = version == "0.9"
        func member(_ name: String) -> String { SubmissionTests.message[name]?.text ?? "" }
        let parties = [
            (Self.alice, "41cb57609fce17bdc6e130d7e01b5fa0955ba613d8d1226bff680df944047059"),
            (Self.bob, "c07a4d10270db58e1300124713becddecefd9cf4dac6f313cfa7aac719e23516"),
        ]
        let head =
            #"{"id":"9141507109838748685","height":49999990,"blockId":"\#(block.id)","type":8,"#
            + #""block_timestamp":275000000,"timestamp":275000000,\#(isOld ? "" : "\"timestampMs\":null,")"#
            + #""senderPublicKey":"\#(parties[0].1)","#
        let middle =
            #""senderId":"\#(Self.alice)","recipientId":"\#(Self.bob)","recipientPublicKey":"\#(parties[1].1)","#
            + #""amount":0,"fee":100000,"#
        let tail = #""signatures":[],"confirmations":11,"asset":\#(member("asset"))}"#
        let participants =
            "[" + parties.map { #"{"address":"\#($0.0)","publicKey":"\#($0.1)"}"# }.joined(separator: ",")
            + "]"
        let count = isOld ? "\"2\"" : "2"
        let one = isOld ? "\"1\"" : "1"
        let bodies = try world.bodies([
            "/api/chatrooms/\(Self.bob)?limit=1", "/api/chatrooms/\(Self.bob)/\(Self.alice)",
            "/API/ChatRooms/u\(Self.bob.dropFirst())/?limit=1",
            "/api/chatrooms/u\(Self.alice.dropFirst())/u\(Self.bob.dropFirst())",
        ])
        #expect(
            bodies[0]
                == Envelope.success(
                    #""chats":[{"lastTransaction":\#(head)\#(middle)\#(tail),"participants":\#(participants)}],"#
                        + #""count":\#(count)"#
                )
        )
        let message =
            head + #""requesterPublicKey":null,"# + middle
            + #""signature":\#(member("signature")),"signSignature":null,"#
            + tail
        #expect(
            bodies[1]
                == Envelope.success(
                    #""messages":[\#(message)],"participants":\#(participants),"count":\#(one)"#
                )
        )
        #expect(bodies[2] == bodies[0] && bodies[3] == bodies[1])
    }

    @Test("reads paths as the node does")
    func paths() throws {
        let world = try TestWorld(version: "0.10")
        let invalid = Envelope.refusal("Invalid Request path")
        let expected: [(String, Int, String)] = [
            ("/api/chatrooms/U1", 200, Envelope.success(#""chats":[],"count":0"#)),
            ("/api/chatrooms/u1/", 200, Envelope.success(#""chats":[],"count":0"#)),
            ("/api/chatrooms/U1/U2", 200, Envelope.success(#""messages":[],"participants":[],"count":0"#)),
            ("/api/chatrooms/U1/U2/", 200, invalid), ("/api/chatrooms/Uabc", 200, invalid),
            ("/api/chatrooms/U", 200, invalid), ("/api/chatrooms/U1/Uabc", 200, invalid),
            ("/api/chatrooms/U1/abc", 200, invalid), ("/api/chatrooms/U1U2", 200, invalid),
            ("/api/chatrooms/U1/U2/U3", 200, invalid), ("/api/chatrooms/abc", 500, Envelope.notFound),
            ("/api/chatrooms/", 500, Envelope.notFound), ("/api/chatrooms/1/U2", 500, Envelope.notFound),
            ("/api/chatrooms/U1234567890123456789012", 200, Envelope.success(#""chats":[],"count":0"#)),
            (
                "/api/chatrooms/U1/U1234567890123456789012", 200,
                Envelope.success(#""messages":[],"participants":[],"count":0"#)
            ),
        ]
        for ((path, status, body), answer) in zip(expected, try world.send(expected.map { .get($0.0) })) {
            #expect(answer.status == status && answer.body == body, "\(path)")
        }
    }

    @Test("says what it refuses, and ignores what it does not read")
    func refusals() throws {
        let room = "/api/chatrooms/\(Self.bob)"
        let expected: [(String, String)] = [
            ("limit=101", Self.failed + "Invalid limit. Maximum is 100"),
            ("limit=1000", Self.failed + "Invalid limit. Maximum is 100"),
            ("limit=1001", "Value 1001 is greater than maximum 1000"),
            ("limit=0", "Value 0 is less than minimum 1"),
            ("offset=-1", "Value -1 is less than minimum 0"),
            ("offset=-1&and:offset=1", "Value -1 is less than minimum 0"),
            ("type=11", "Value 11 is greater than maximum 10"),
            ("senderId=X", "Object didn't pass validation for format address: X"),
            ("and:senderId=X", "Object didn't pass validation for format address: X"),
            ("fromHeight=0", "Value 0 is less than minimum 1"),
            ("toHeight=0", "Value 0 is less than minimum 1"),
            ("orderBy=nothing", Self.failed + "error: column \"nothing\" does not exist"),
            ("orderBy=5", "Expected type string but found type integer"),
        ]
        let world = try TestWorld(version: "0.10")
        for path in [room, room + "/" + Self.alice] {
            let bodies = try world.bodies(expected.map { path + "?" + $0.0 })
            for ((query, error), body) in zip(expected, bodies) {
                #expect(body == Envelope.refusal(error), "\(query)")
            }
        }
        let plain = try world.body(room)
        let ignored = try world.bodies(
            ["isIn=U1", "fromHeight=5", "toHeight=5", "minAmount=5", "unknown=x", "userId=U1", "orderBy="]
                .map { room + "?" + $0 }
        )
        #expect(ignored == Array(repeating: plain, count: 7))
    }

    /// Alice sends bob a message and a transfer, bob alice a signal and a message.
    private func world(_ version: String) throws -> (TestWorld, ids: [String]) {
        let world = try TestWorld(version: version, balance: 10_000_000_000)
        func chat(_ from: KeyPair, _ to: String, _ type: Int32, _ text: String) -> Transaction {
            Transaction(
                signing: .chat(message: text, ownMessage: "00", type: type),
                type: Transaction.Kind.chat,
                timestamp: world.state.withLock { Int32($0.now.epochSeconds) },
                recipient: Address(to),
                amount: 0,
                by: from,
                cryptography: SystemCryptography()
            )
        }
        var ids: [String] = []
        for place in 0..<4 {
            world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_060 + 10 * Int64(place)) }
            let transaction =
                switch place {
                case 0: chat(TestWorld.alice, Self.bob, 1, "aa")
                case 1: chat(TestWorld.bob, Self.alice, 2, "bb")
                case 2: chat(TestWorld.bob, Self.alice, 3, "cc")
                default: world.transfer(to: Address(Self.bob)!, amount: 9, secondsAgo: 10)
                }
            ids.append(transaction.id.description)
            _ = try world.send(.post("/api/transactions/process", transaction: transaction))
            world.forge()
        }
        world.state.withLock { $0.now = Timestamp(epochSeconds: 275_000_100) }
        return (world, ids)
    }

    @Test("filters by chat type, direction and transfers", arguments: ["0.9", "0.10"])
    func filters(version: String) throws {
        let (world, ids) = try world(version)
        let room = "/api/chatrooms/\(Self.alice)/\(Self.bob)"
        let (first, second, signal, transfer) = (ids[0], ids[1], ids[2], ids[3])
        let ignoresIncluding = version == "0.9"
        let expected: [(String, [String])] = [
            ("", [transfer, second, first]), ("?type=1", [first]), ("?type=3", [signal]),
            ("?type=1&includeDirectTransfers=1", [first]), ("?withoutDirectTransfers=1", [second, first]),
            ("?withoutDirectTransfers=0", [transfer, second, first]),
            ("?withoutDirectTransfers=false", [second, first]),
            ("?includeDirectTransfers=0", ignoresIncluding ? [transfer, second, first] : [second, first]),
            ("?includeDirectTransfers=0&withoutDirectTransfers=0", [transfer, second, first]),
            ("?senderId=U1", [transfer, first]), ("?recipientId=U1", [second]),
            ("?senderId=U1&recipientId=U1", []), ("?orderBy=timestamp:asc", [first, second, transfer]),
            ("?orderBy=timestamp", [transfer, second, first]), ("?limit=1&offset=1", [second]),
        ]
        for ((query, ids), body) in zip(expected, try world.bodies(expected.map { room + $0.0 })) {
            let found = try JSONValue(parsing: body)["messages"]?.arrayValue?.map { $0["id"]?.stringValue }
            #expect(found == ids, "\(query)")
        }
        let rooms: [(String, [String])] = [
            ("", [transfer]), ("?type=2", [second]), ("?type=3", []), ("?withoutDirectTransfers=1", [second]),
            ("?recipientId=U1", [second]), ("?senderId=U1&type=1", [first]),
        ]
        for ((query, ids), body) in zip(
            rooms,
            try world.bodies(rooms.map { "/api/chatrooms/\(Self.bob)" + $0.0 })
        ) {
            let expected = query.contains("recipientId") ? [transfer] : query.contains("senderId") ? [] : ids
            let found = try JSONValue(parsing: body)["chats"]?.arrayValue?
                .filter { $0["participants"]?.text.contains(Self.alice) ?? false }
                .map { $0["lastTransaction"]?["id"]?.stringValue }
            #expect(found == expected, "\(query)")
        }
    }

    @Test("joins waiting transactions where the version can")
    func unconfirmed() throws {
        for version in ["0.9", "0.10"] {
            let (world, _) = try world(version)
            let waiting = world.chat("{}", secondsAgo: 0)
            _ = try world.send(.post("/api/chats/process", transaction: waiting))
            world.state.withLock { $0.ledger.fillPools(now: $0.now) }
            let path = "/api/chatrooms/\(Self.bob)/\(Self.ans)?returnUnconfirmed=1"
            let messages = try JSONValue(parsing: world.body(path))
            let rooms = try JSONValue(
                parsing: world.body("/api/chatrooms/\(Self.bob)?returnUnconfirmed=1&or:toHeight=9")
            )
            #expect(messages["messages"]?.arrayValue?.count == (version == "0.9" ? 0 : 1))
            #expect(rooms["chats"]?.arrayValue?.count == 2)
        }
    }
}
