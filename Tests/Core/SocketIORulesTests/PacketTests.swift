import JSONValue
import Testing

@testable import SocketIORules

@Suite("Engine.IO packets and payloads")
struct PacketTests {
    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    // The examples of the protocol's documentation, revisions 4 and 3.
    @Test("are separated in revision 4")
    func separated() {
        let packets: [EnginePacket] = [.message(bytes("hello")), .ping([]), .message(bytes("world"))]
        #expect(EnginePayload.encode(packets, revision: .four) == bytes("4hello\u{1e}2\u{1e}4world"))
        #expect(
            EnginePayload.decode(bytes("4hello\u{1e}2\u{1e}4world"), revision: .four, isBinary: false)
                == packets
        )
        #expect(
            EnginePayload.decode(bytes("4hello\u{1e}bAQIDBA=="), revision: .four, isBinary: false)
                == [.message(bytes("hello")), .binary]
        )
    }

    @Test("are counted in UTF-16 code units in revision 3")
    func counted() {
        let packets: [EnginePacket] = [.message(bytes("hello")), .message(bytes("€")), .message(bytes("🙂"))]
        let text = bytes("6:4hello2:4€3:4🙂")
        #expect(EnginePayload.encode(packets, revision: .three) == text)
        #expect(EnginePayload.decode(text, revision: .three, isBinary: false) == packets)
    }

    @Test("are framed in the binary payloads of revision 3")
    func framed() {
        let body: [UInt8] =
            [0, 6, 255] + bytes("4hello") + [0, 1, 2, 255] + bytes("4abcdefghijk") + [1, 3, 255, 4, 1, 2]
        #expect(
            EnginePayload.decode(body, revision: .three, isBinary: true)
                == [.message(bytes("hello")), .message(bytes("abcdefghijk")), .binary]
        )
    }

    @Test(
        "end where something is no packet",
        arguments: [
            ("", EngineRevision.four), ("4a\u{1e}", .four), ("9", .four), ("4a\u{1e}x\u{1e}4b", .four),
            ("", .three), ("4a", .three), ("2:4", .three), ("x:4a", .three), (":4a", .three),
            ("99999999999999999999:4a", .three), ("1:9", .three), ("-1:4", .three), ("1:4garbage", .three),
        ]
    )
    func broken(body: String, revision: EngineRevision) {
        let packets = EnginePayload.decode(bytes(body), revision: revision, isBinary: false)
        #expect(packets.last == .some(nil), "\(packets)")
        #expect(packets.dropLast().allSatisfy { $0 != nil })
    }

    @Test(
        "end where a binary payload is none",
        arguments: [
            [], [0], [2, 1, 255, 52], [0, 255], [0, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 255, 52], [0, 5, 255, 52],
            [0, 1], [1, 1, 255, 9], [0, 1, 255, 57],
        ] as [[UInt8]]
    )
    func brokenFrames(body: [UInt8]) {
        #expect(EnginePayload.decode(body, revision: .three, isBinary: true).last == .some(nil))
    }

    @Test("read every type and nothing else")
    func types() {
        for type in UInt8.min...UInt8.max {
            let packet = EnginePacket(text: [type, 120])
            #expect((packet != nil) == ("0123456b".utf8.contains(type)))
            if let packet, case .message = packet { #expect(packet.text == [type, 120]) }
        }
    }
}

@Suite("Socket.IO packets")
struct SocketPacketTests {
    @Test("carry an event and its argument")
    func event() throws {
        let packet = try #require(SocketPacket(Array(#"2["address","U1","more"]"#.utf8)))
        #expect(packet.kind == .event && packet.namespace == "/")
        #expect(packet.event?.name == "address" && packet.event?.argument == "U1")
        let asking = try #require(SocketPacket(Array(#"213["types",[0,8]]"#.utf8)))
        #expect(asking.event?.argument == [0, 8])
        #expect(SocketPacket.event("newTrans", Array("{}".utf8)) == Array(#"2["newTrans",{}]"#.utf8))
    }

    @Test("name a namespace")
    func namespace() throws {
        #expect(try #require(SocketPacket(Array("0/admin,".utf8))).namespace == "/admin")
        #expect(try #require(SocketPacket(Array("0/admin".utf8))).namespace == "/admin")
        let packet = try #require(SocketPacket(Array(#"2/admin,5["x"]"#.utf8)))
        #expect(packet.namespace == "/admin" && packet.event?.name == "x")
    }

    @Test("tell their attachments")
    func attachments() throws {
        let packet = try #require(SocketPacket(Array(#"52-["x",{"_placeholder":true,"num":0}]"#.utf8)))
        #expect(packet.kind == .binaryEvent && packet.attachments == 2 && packet.event == nil)
    }

    @Test(
        "are refused when malformed",
        arguments: [
            "", "7", "x", "2", "2{}", "2[]", "2[null]", "2[{}]", "2[", #"2["connect"]"#,
            #"2["disconnecting"]"#,
            "0[]", #"0"a""#, "1{}", "3{}", "3", "4", "51", "5-[]", "511-[\"x\"]",
            "599999999999999999-[\"x\"]",
            "5999999999999999999999999999999-", "2[\"a\"]x", "6", "2/a",
        ]
    )
    func malformed(text: String) {
        #expect(SocketPacket(Array(text.utf8)) == nil)
    }
}
