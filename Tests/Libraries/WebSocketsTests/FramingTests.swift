import Testing

@testable import WebSockets

@Suite("WebSocket framing")
struct FramingTests {
    /// The longest message that these connections take.
    private static let limit = 1000

    private let mask: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]

    private func framing() throws -> WebSocketFraming {
        try #require(WebSocketFraming(maximumMessageBytes: Self.limit))
    }

    /// A frame of a client.
    private func frame(_ opcode: UInt8, _ payload: [UInt8], isLast: Bool = true) -> [UInt8] {
        var bytes = [(isLast ? 0x80 : 0) | opcode]
        if payload.count < 126 {
            bytes.append(0x80 | UInt8(payload.count))
        } else {
            bytes += [0x80 | 126, UInt8(payload.count >> 8), UInt8(payload.count & 255)]
        }
        return bytes + mask + payload.enumerated().map { $0.element ^ mask[$0.offset % 4] }
    }

    private func output(_ framing: WebSocketFraming) -> [UInt8] {
        var bytes: [UInt8] = []
        #expect(framing.write(to: &bytes))
        return bytes
    }

    // RFC 6455, section 5.7.
    @Test("reads a masked text and writes an unmasked one")
    func hello() throws {
        let framing = try framing()
        let sent: [UInt8] = [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
        #expect(framing.receive(sent) == [.text(Array("Hello".utf8))])
        framing.send(text: Array("Hello".utf8))
        #expect(output(framing) == [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F])
    }

    @Test("reads a message that comes byte by byte")
    func trickle() throws {
        let framing = try framing()
        var messages: [WebSocketMessage] = []
        for byte in frame(1, Array("Hello".utf8)) { messages += framing.receive([byte]) ?? [] }
        #expect(messages == [.text(Array("Hello".utf8))])
    }

    @Test("joins fragments, and answers a ping between them")
    func fragments() throws {
        let framing = try framing()
        let bytes =
            frame(2, [1], isLast: false) + frame(9, [7]) + frame(0, [2], isLast: false) + frame(0, [3])
        #expect(framing.receive(bytes) == [.binary([1, 2, 3])])
        #expect(output(framing) == [0x8A, 0x01, 0x07])
    }

    @Test("answers a close frame and is closed")
    func closing() throws {
        let framing = try framing()
        #expect(framing.receive(frame(8, [0x03, 0xE8])) == [])
        #expect(output(framing) == [0x88, 0x02, 0x03, 0xE8])
        #expect(framing.isClosed)
    }

    @Test("sends its own close frame behind what was sent before, and nothing after it")
    func ownClosing() throws {
        let framing = try framing()
        framing.send(text: [65])
        framing.close(code: 1001)
        framing.send(text: [66])
        #expect(output(framing) == [0x81, 0x01, 65, 0x88, 0x02, 0x03, 0xE9])
        #expect(framing.isClosing && !framing.isClosed)
        let wordless = try self.framing()
        wordless.close(code: nil)
        #expect(output(wordless) == [0x88, 0x00])
    }

    @Test(
        "closes with the code that says what is wrong",
        arguments: [
            ("not masked", [0x81, 0x01, 65], 1002), ("a reserved bit", [0xC1, 0x80, 0, 0, 0, 0], 1002),
            ("a reserved kind", [0x83, 0x80, 0, 0, 0, 0], 1002),
            ("a fragmented ping", [0x09, 0x80, 0, 0, 0, 0], 1002),
            ("a continuation of nothing", [0x80, 0x80, 0, 0, 0, 0], 1002),
            ("no UTF-8", [0x81, 0x81, 0, 0, 0, 0, 0xFF], 1007),
            ("a code that nobody may send", [0x88, 0x82, 0, 0, 0, 0, 0x03, 0xED], 1002),
            ("too long a message", [0x82, 0xFE, 0x03, 0xE9, 0, 0, 0, 0, 1], 1009),
            (
                "an endless message", [0x82, 0xFF, 0x7F, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 1],
                1009
            ),
        ] as [(String, [UInt8], UInt16)]
    )
    func broken(what: String, bytes: [UInt8], code: UInt16) throws {
        let framing = try framing()
        let messages = framing.receive(bytes)
        #expect(messages == nil || messages == [], "\(what)")
        var answer: [UInt8] = []
        #expect(framing.write(to: &answer) == (messages != nil))
        #expect(answer.first == 0x88, "\(what): \(answer)")
        #expect(
            answer.dropFirst(2).prefix(2) == [UInt8(code >> 8), UInt8(code & 255)],
            "\(what): \(answer)"
        )
    }

    @Test("closes when fragments add up to too much")
    func tooManyFragments() throws {
        let framing = try framing()
        let half = [UInt8](repeating: 1, count: 600)
        #expect(framing.receive(frame(2, half, isLast: false) + frame(0, half)) == [])
        #expect(output(framing).prefix(4) == [0x88, 0x02, 0x03, 0xF1])
    }

    @Test("never ends the process, whatever comes")
    func noise() throws {
        var state: UInt64 = 88
        func byte() -> UInt8 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 33)
        }
        for _ in 0..<2000 {
            let framing = try framing()
            let bytes = (0..<Int(byte())).map { _ in byte() }
            _ = framing.receive(bytes)
            var answer: [UInt8] = []
            _ = framing.write(to: &answer)
        }
    }
}
