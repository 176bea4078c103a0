import APNsRules
import Testing

@Suite("APNs server: faults of the connection")
struct ConnectionFaultTests {
    /// What a client prints that meets a rule, given by its matcher and its effect.
    private func lines(
        _ effect: String,
        match: String = "{}",
        limit: Int = 1,
        _ script: String
    ) throws -> (lines: [String], world: TestWorld) {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":\#(match),"limit":\#(limit),"effect":\#(effect)}"#
        )
        let output = try running.world.python(script).output
        return (output.split(separator: "\n").map(String.init), running.world)
    }

    @Test(
        "sends GOAWAY in each of its forms",
        arguments: [
            (#""last":"max""#, "HEADERS 1 200 END|HEADERS 3 200 END|GOAWAY 2147483647 0 |EOF"),
            (#""last":"processed""#, "HEADERS 1 200 END|GOAWAY 1 0 |EOF"),
            (#""last":"lower""#, "GOAWAY 0 0 |EOF"),
            (#""lastStream":0"#, "GOAWAY 0 0 |EOF"),
            (#""lastStream":9,"code":2"#, "HEADERS 1 200 END|HEADERS 3 200 END|GOAWAY 9 2 |EOF"),
            (#""reason":"IdleTimeout""#, #"HEADERS 1 200 END|GOAWAY 1 0 {"reason":"IdleTimeout"}|EOF"#),
            (#""text":"plain \"text\"""#, #"HEADERS 1 200 END|GOAWAY 1 0 plain "text"|EOF"#),
            (#""double":true,"text":"x""#, "HEADERS 1 200 END|GOAWAY 1 0 x|GOAWAY 1 0 |EOF"),
            (#""then":"reset""#, "HEADERS 1 200 END|GOAWAY 1 0 |RST"),
            (#""then":"reset","lingerMilliseconds":200"#, "HEADERS 1 200 END|GOAWAY 1 0 |RST"),
            (#""when":"before""#, "GOAWAY 0 0 |EOF"),
            (#""when":"before","then":"reset""#, "GOAWAY 0 0 |RST"),
            (#""newStreams":"refuse""#, "RST_STREAM 3 7|HEADERS 1 200 END|GOAWAY 1 0 |EOF"),
        ]
    )
    func goesAway(members: String, expected: String) throws {
        let result = try lines(
            #"{"kind":"goaway",\#(members)}"#,
            "c = Raw(); c.push(2); print(*c.all(), sep='|')"
        )
        #expect(result.lines == [expected])
        let isAnswered = expected.contains("HEADERS 1")
        #expect((result.world.records.first?.status == 200) == isAnswered)
    }

    @Test("answers below a GOAWAY while it lingers, and nothing above")
    func lingers() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{"request":1},"effect":{"kind":"delay","milliseconds":300}}"#
        )
        try running.world.addFault(
            #"{"target":"apns","match":{"request":3},"effect":{"kind":"goaway","last":"lower","lingerMilliseconds":200}}"#
        )
        let output = try running.world.python("c = Raw(); c.push(4); print(*c.all(), sep='|')").output
        #expect(output == "HEADERS 3 200 END|GOAWAY 3 0 |HEADERS 1 200 END|EOF\n")
        #expect(running.world.records.map(\.status) == [200, 200, nil])
        #expect(running.world.records.map(\.isAccepted) == [true, true, true])
    }

    @Test("resets a stream before or after its push is processed", arguments: ["before", "after"])
    func resetsStreams(when: String) throws {
        let result = try lines(
            #"{"kind":"rst-stream","code":2,"when":"\#(when)"}"#,
            "c = Raw(); c.push(2); c.until('HEADERS'); c.until('RST'); print(sorted(c.seen('HEADERS', 'RST')))"
        )
        #expect(result.lines == ["['HEADERS 3 200 END', 'RST_STREAM 1 2']"])
        #expect(result.world.records.map(\.isAccepted) == [when == "after", true])
        #expect(result.world.records.map(\.status) == [nil, 200])
    }

    @Test("refuses a stream that was not processed")
    func refusesStreams() throws {
        let result = try lines(#"{"kind":"refused-stream"}"#, "c = Raw(); c.push(); print(c.until('RST'))")
        #expect(result.lines == ["RST_STREAM 1 7"])
        #expect(result.world.records.map(\.isProcessed) == [false])
    }

    @Test("answers 200 and delivers nothing")
    func drops() throws {
        let result = try lines(
            #"{"kind":"drop"}"#,
            "c = Raw(); c.push(2); print(c.until('HEADERS', count=2))"
        )
        #expect(result.lines == ["HEADERS 3 200 END"])
        #expect(result.world.records.map(\.status) == [200, 200])
        #expect(result.world.records.map(\.isAccepted) == [false, true])
        #expect(result.world.records.first?.delivery?.state == .notDelivered)
    }

    @Test(
        "closes or resets at a push or at a new connection",
        arguments: [
            (#"{"kind":"close","when":"before"}"#, "EOF"), (#"{"kind":"close","at":"connection"}"#, "EOF"),
            (#"{"kind":"reset","at":"connection"}"#, "RST"),
            (#"{"kind":"reset","at":"connection","milliseconds":50}"#, "RST"),
            (
                #"{"kind":"reset","at":"connection","afterSettings":true}"#,
                "SETTINGS streams=1000 window=65535|RST"
            ),
        ]
    )
    func ends(effect: String, expected: String) throws {
        let isPush = !effect.contains("connection")
        let script =
            isPush
            ? "c.push(); print(*c.all())" : "c.all(); print(*[l for l in c.lines if l[:3] != 'ACK'], sep='|')"
        let result = try lines(effect, "c = Raw(); " + script)
        #expect(result.lines == [expected])
        #expect(result.world.records.map(\.isProcessed) == (isPush ? [false] : []))
    }

    @Test("sends no SETTINGS, and serves all the same")
    func sendsNoSettings() throws {
        let result = try lines(
            #"{"kind":"no-settings"}"#,
            "c = Raw(); c.push(); c.until('HEADERS'); c.ping(); c.until('ACK of PING'); print(c.lines)"
        )
        #expect(result.lines == ["['HEADERS 1 200 END', 'ACK of PING']"])
    }

    @Test("answers no PING, and serves all the same")
    func answersNoPing() throws {
        let result = try lines(
            #"{"kind":"silent-ping"}"#,
            "c = Raw(); c.ping(); c.push(); c.until('HEADERS'); print(c.lines)"
        )
        #expect(
            result.lines == ["['SETTINGS streams=1000 window=65535', 'ACK of SETTINGS', 'HEADERS 1 200 END']"]
        )
    }

    @Test(
        "falls silent at once or at a push, and ends with a RST in the end",
        arguments: [
            (#"{"kind":"black-hole","at":"connection","seconds":1}"#, "[] True ['RST']", []),
            (
                #"{"kind":"black-hole","seconds":1}"#,
                "['SETTINGS streams=1000 window=65535', 'ACK of SETTINGS'] True ['RST']", [false]
            ),
            (
                #"{"kind":"black-hole","when":"after","seconds":1}"#,
                "['SETTINGS streams=1000 window=65535', 'ACK of SETTINGS'] True ['RST']", [true]
            ),
        ] as [(String, String, [Bool])]
    )
    func fallsSilent(effect: String, expected: String, accepted: [Bool]) throws {
        let result = try lines(
            effect,
            "c = Raw(); c.quiet(0.2); c.push(3); c.ping(); l = list(c.lines); q = c.quiet(0.3); print(l, q, c.all())"
        )
        #expect(result.lines == [expected])
        #expect(result.world.records.map(\.isAccepted) == accepted)
    }

    @Test("never opens a window again when told so")
    func keepsWindowsShut() throws {
        let result = try lines(
            #"{"kind":"window","initialBytes":100}"#,
            """
            c = Raw(); print(c.until('SETTINGS')); c.until('ACK of SETTINGS')
            head, stream = c.start(); c.send(head + hf.DataFrame(stream, b' ' * 100).serialize())
            c.ping(); c.until('ACK of PING'); print(c.seen('WindowUpdate'))
            """
        )
        #expect(result.lines == ["SETTINGS streams=1000 window=100", "[]"])
    }

    @Test(
        "minds a limit of streams as it is told",
        arguments: [
            ("refuse", "HEADERS 1 200 END|HEADERS 3 200 END|RST_STREAM 5 7|RST_STREAM 7 7"),
            ("allow", "HEADERS 1 200 END|HEADERS 3 200 END|HEADERS 5 200 END|HEADERS 7 200 END"),
        ]
    )
    func mindsLimits(overLimit: String, expected: String) throws {
        let result = try lines(
            #"{"kind":"settings","at":"connection","maxConcurrentStreams":2,"overLimit":"\#(overLimit)"}"#,
            "c = Raw(); c.push(4); c.until('HEADERS', 'RST', count=4); print(*sorted(c.seen('HEADERS', 'RST')), sep='|')"
        )
        #expect(result.lines == [expected])
    }

    @Test("raises a limit in flight")
    func raisesLimits() throws {
        let running = try TestWorld.start()
        for rule in [
            #"{"effect":{"kind":"settings","at":"connection","maxConcurrentStreams":1}}"#,
            #"{"match":{"request":1},"effect":{"kind":"settings","maxConcurrentStreams":3}}"#,
        ] {
            try running.world.addFault(#"{"target":"apns","# + rule.dropFirst())
        }
        let output = try running.world.python(
            "c = Raw(); c.push(); c.until('HEADERS'); print(c.seen('SETTINGS')); c.push(3); print(c.until('HEADERS', count=4))"
        ).output
        #expect(
            output.split(separator: "\n") == [
                "['SETTINGS streams=1 window=65535', 'SETTINGS streams=3 window=None']", "HEADERS 7 200 END",
            ]
        )
    }

    @Test(
        "gives an accepted push another form",
        arguments: [
            (#""apnsId":"swap-case""#, "123E4567-E89B-12D3-A456-42661417400A HEADERS 1 200 END"),
            (
                #""body":"{}","endStream":"empty-data""#,
                "123e4567-e89b-12d3-a456-42661417400a HEADERS 1 200|DATA 1 {}|DATA 1  END"
            ),
            (
                #""trailers":true"#,
                "123e4567-e89b-12d3-a456-42661417400a HEADERS 1 200|HEADERS 1 trailers END"
            ),
            (
                #""body":"abcdef","dataFrames":3"#,
                "123e4567-e89b-12d3-a456-42661417400a HEADERS 1 200|DATA 1 ab|DATA 1 cd|DATA 1 ef END"
            ),
        ]
    )
    func reshapes(members: String, expected: String) throws {
        let result = try lines(
            #"{"kind":"answer",\#(members)}"#,
            """
            c = Raw(); c.push(extra=[('apns-id', '123e4567-e89b-12d3-a456-42661417400a')])
            while not [l for l in c.lines if l.endswith('END')]: c.read()
            print(c.heads[1][0][b'apns-id'].decode(), '|'.join(c.seen('HEADERS', 'DATA')))
            """
        )
        #expect(result.lines == [expected])
        #expect(result.world.records.map(\.isAccepted) == [true])
    }

    @Test("leaves a stream of HEADERS open where an answer has no body and no end")
    func leavesOpen() throws {
        let result = try lines(
            #"{"kind":"answer","endStream":"never"}"#,
            "c = Raw(); c.push(2); c.until('HEADERS 3'); c.ping(); c.until('ACK of PING'); print(c.seen('HEADERS', 'DATA'))"
        )
        #expect(result.lines == ["['HEADERS 1 200', 'HEADERS 3 200 END']"])
    }

    @Test("strikes the connection and the push that a matcher names")
    func matches() throws {
        let running = try TestWorld.start()
        try running.world.addFault(
            #"{"target":"apns","match":{"connection":2,"request":2},"effect":{"kind":"reject","status":500,"reason":"x"}}"#
        )
        let output = try running.world.python(
            "for _ in 'xxx': c = Raw(); c.push(3); c.until('HEADERS', count=3); print([l.split()[2] for l in c.seen('HEADERS')])"
        ).output
        let fine = "['200', '200', '200']"
        #expect(output.split(separator: "\n").map(String.init) == [fine, "['200', '500', '200']", fine])
    }

    @Test("lets httpx meet a refused stream as an error, and go on")
    func httpxMeets() throws {
        let result = try lines(
            #"{"kind":"refused-stream"}"#,
            """
            import httpx
            with httpx.Client(http2=True, verify=ssl.create_default_context(cafile=ca)) as client:
                for _ in 'xx':
                    try: print(client.post(f'https://localhost:{port}/3/device/{token}', headers={'authorization': bearer(), 'apns-topic': 'x'}, content='{}').status_code)
                    except httpx.RemoteProtocolError: print('error')
            """
        )
        #expect(result.lines == ["error", "200"])
    }
}
