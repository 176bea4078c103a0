import APNsRules
import Testing

@Suite("APNs server: frames and faults")
struct FramingTests {
    @Test("sends a refusal as HEADERS and one DATA frame with END_STREAM")
    func framesRefusals() throws {
        let running = try TestWorld.start()
        let reply = try running.world.python(
            """
            client = Client()
            ok, bad = client.push(), client.push(path='/3/device/zz', extra=[('apns-id', '123e4567-E89B-12d3-a456-426614174000')])
            print(client.answer(ok), client.answer(bad))
            kinds = lambda s: [type(e).__name__ for e in client.events if getattr(e, 'stream_id', None) == s and not isinstance(e, h2.events.WindowUpdated)]
            print(*kinds(ok)); print(*kinds(bad))
            heads = {e.stream_id: dict(e.headers) for e in client.events if isinstance(e, h2.events.ResponseReceived)}
            print(list(heads[ok]), list(heads[bad]), heads[bad][b'apns-id'])
            data = [e for e in client.events if isinstance(e, h2.events.DataReceived)]
            print(len(data), data[0].stream_ended is not None)
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "200 400 BadDeviceToken", "ResponseReceived StreamEnded",
                "ResponseReceived DataReceived StreamEnded",
                "[b':status', b'apns-id'] [b':status', b'content-type', b'apns-id'] b'123e4567-E89B-12d3-a456-426614174000'",
                "1 True",
            ]
        )
    }

    @Test("judges requests that only a bare client can send")
    func judgesOddRequests() throws {
        let running = try TestWorld.start()
        let reply = try running.world.python(
            """
            client = Client()
            print(client.answer(client.push(body=b'')))
            print(client.answer(client.push(extra=[('apns-id', '1'), ('apns-id', '1')])))
            print(client.answer(client.push(auth='bearer ')))
            print(client.answer(client.push(path='/3/device/')))
            stream = client.h2.get_next_available_stream_id()
            client.h2.send_headers(stream, client.headers()); client.h2.send_data(stream, b'{"aps":{}}')
            client.h2.send_headers(stream, [('x-trailer', '1')], end_stream=True); client.flush()
            print(client.answer(stream))
            client.h2.ping(b'12345678'); client.flush()
            print(type(client.until(lambda e: isinstance(e, h2.events.PingAckReceived))).__name__)
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "400 PayloadEmpty", "400 DuplicateHeaders", "403 MissingProviderToken",
                "400 MissingDeviceToken", "200", "PingAckReceived",
            ]
        )
    }

    @Test("records each push with its own header list, whether the list comes again or is among many")
    func tellsHeaderListsApart() throws {
        let running = try TestWorld.start()
        let turns = (0..<11).map { $0 % 3 == 0 ? [0, 1] : [0, $0, $0] }.flatMap(\.self) + Array(0..<11)
        let reply = try running.world.python(
            """
            client = Client()
            for turn in \(turns):
                path = '/3/device/' + '%064x' % turn if turn != 5 else '/3/device/zz'
                print(client.answer(client.push(path=path, extra=[('apns-collapse-id', f'c{turn % 4}')])))
            """
        )
        #expect(
            reply.output.split(separator: "\n").map(String.init)
                == turns.map { $0 == 5 ? "400 BadDeviceToken" : "200" }
        )
        let tokens = turns.map { turn in
            let digits = String(turn, radix: 16)
            return turn == 5 ? "zz" : String(repeating: "0", count: 64 - digits.count) + digits
        }
        #expect(running.world.records.map(\.request.token) == tokens)
        #expect(running.world.records.map(\.collapseId) == turns.map { "c\($0 % 4)" })
        #expect(running.world.records.map { $0.request.headers.fields.count }.allSatisfy { $0 >= 7 })
    }

    @Test("counts a body beyond what it keeps, through flow control")
    func countsLongBodies() throws {
        let running = try TestWorld.start()
        let reply = try running.world.python(
            """
            client = Client()
            stream = client.h2.get_next_available_stream_id()
            client.h2.send_headers(stream, client.headers())
            left = 300000
            while left:
                client.flush()
                room = min(client.h2.local_flow_control_window(stream), 16384, left)
                if not room: client.read(); continue
                left -= room
                client.h2.send_data(stream, b'x' * room, end_stream=not left)
            client.flush()
            print(client.answer(stream))
            """
        )
        #expect(reply.output == "413 PayloadTooLarge\n")
        #expect(running.world.records.map(\.request.bodyCount) == [300_000])
        #expect(running.world.records.map(\.request.body.count) == [8192])
    }

    @Test("rejects as scripted, with the timestamp, and only what matches")
    func rejects() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            """
            {"target":"apns","match":{"topic":"im.example","transactionId":"7"},"limit":1,
             "effect":{"kind":"reject","status":410,"reason":"Unregistered","timestamp":1790000000000}}
            """
        )
        let reply = try running.world.python(
            """
            client = Client()
            print(client.answer(client.push()))
            body = b'{"txn-id":"7","aps":{}}'
            print(client.answer(client.push(body=body)))
            print([e.data for e in client.events if isinstance(e, h2.events.DataReceived)][-1].decode())
            print(client.answer(client.push(body=body)))
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "200", "410 Unregistered", #"{"reason":"Unregistered","timestamp":1790000000000}"#, "200",
            ]
        )
        #expect(running.world.records.map(\.faultId) == [nil, "f1", nil])
    }

    @Test("resets by a real RST, before or after processing", arguments: ["before", "after"])
    func resets(when: String) throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{},"skip":1,"limit":1,"effect":{"kind":"reset","when":"\#(when)"}}"#
        )
        let reply = try running.world.python(
            """
            client = Client()
            print(client.answer(client.push()))
            client.push()
            print(client.ending())
            other = Client(); print(other.answer(other.push()))
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200", "RST", "200"])
        #expect(running.world.records.map(\.status) == [200, nil, 200])
        #expect(running.world.records.map(\.isAccepted) == [true, when == "after", true])
    }

    @Test("delays one answer without holding up others")
    func delays() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{},"limit":1,"effect":{"kind":"delay","milliseconds":400}}"#
        )
        let reply = try running.world.python(
            """
            client = Client()
            start = time.time()
            slow, quick = client.push(), client.push()
            print(client.answer(quick), time.time() - start < 0.4)
            print(client.answer(slow), time.time() - start >= 0.4)
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200 True", "200 True"])
    }

    @Test(
        "never answers a timed-out push and ends the connection after its time",
        arguments: ["before", "after"]
    )
    func timesOut(when: String) throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{},"limit":1,"effect":{"kind":"timeout","when":"\#(when)","seconds":1}}"#
        )
        let reply = try running.world.python(
            """
            client = Client()
            start = time.time()
            lost, other = client.push(), client.push()
            print(client.answer(other))
            while client.read(): pass
            print(time.time() - start >= 1, [e for e in client.events if isinstance(e, h2.events.ResponseReceived) and e.stream_id == lost])
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200", "True []"])
        #expect(running.world.records.map(\.status) == [nil, 200])
        #expect(running.world.records.map(\.isAccepted) == [when == "after", true])
    }

    @Test("answers what is open after a GOAWAY, then closes")
    func goesAwayAnswering() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{},"limit":1,"effect":{"kind":"delay","milliseconds":300}}"#
        )
        try running.world.addFault(
            #"{"target":"apns","match":{},"skip":1,"limit":1,"effect":{"kind":"goaway","reason":"Shutdown","code":0}}"#
        )
        let reply = try running.world.python(
            """
            client = Client()
            slow, last = client.push(), client.push()
            seen = bytearray()
            while True:
                data = client.socket.recv(65536)
                if not data: break
                seen += data
            # Read by hand: h2 takes a GOAWAY for the end of the connection.
            at, frames = 0, []
            while at < len(seen):
                length = int.from_bytes(seen[at:at+3], 'big'); kind, flags = seen[at+3], seen[at+4]
                stream = int.from_bytes(seen[at+5:at+9], 'big'); frames.append((kind, stream, bytes(seen[at+9:at+9+length]))); at += 9 + length
            print([s for k, s, d in frames if k == 1] == [last, slow])
            print([(int.from_bytes(d[:4], 'big') == last, int.from_bytes(d[4:8], 'big'), d[8:]) for k, s, d in frames if k == 7])
            """
        )
        #expect(reply.output.split(separator: "\n") == ["True", #"[(True, 0, b'{"reason":"Shutdown"}')]"#])
        #expect(running.world.records.map(\.status) == [200, 200])
    }

    @Test("leaves streams unprocessed by a GOAWAY before them")
    func goesAwayLeaving() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            """
            {"target":"apns","match":{},"skip":1,"limit":1,
             "effect":{"kind":"goaway","when":"before","reason":"InternalServerError","code":2}}
            """
        )
        let reply = try running.world.python(
            """
            client = Client()
            print(client.answer(client.push()))
            client.push()
            away = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
            print(int(away.error_code), away.last_stream_id, away.additional_data)
            print(client.ending())
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "200", #"2 1 b'{"reason":"InternalServerError"}'"#, "EOF",
            ]
        )
        #expect(running.world.records.map(\.status) == [200, nil])
        #expect(running.world.records.map(\.isProcessed) == [true, false])
    }

    @Test("names the last stream it is told to name")
    func goesAwayBelow() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            """
            {"target":"apns","match":{},"skip":2,"limit":1,
             "effect":{"kind":"goaway","when":"before","code":1,"lastStream":1}}
            """
        )
        let reply = try running.world.python(
            """
            client = Client()
            print(client.answer(client.push()), client.answer(client.push()))
            client.push()
            away = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
            print(int(away.error_code), away.last_stream_id, away.additional_data)
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200 200", "1 1 None"])
    }

    @Test("goes on answering after the client's own GOAWAY")
    func outlastsClientGoAway() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{},"limit":1,"effect":{"kind":"delay","milliseconds":200}}"#
        )
        let reply = try running.world.python(
            """
            client = Client()
            client.push()
            client.socket.sendall(bytes([0, 0, 8, 7, 0, 0, 0, 0, 0]) + bytes(8))
            seen = b''
            while True:
                data = client.socket.recv(65536)
                if not data: break
                seen += data
            at, kinds = 0, []
            while at < len(seen): kinds.append((seen[at + 3], seen[at + 8])); at += 9 + int.from_bytes(seen[at:at+3], 'big')
            print((1, 1) in kinds)
            """
        )
        #expect(reply.output == "True\n")
    }
}
