import FaultRules
import Testing

/// What a client meets of one preset: what it does, and the lines it prints of it.
struct PresetCase: CustomTestStringConvertible, Sendable {
    let preset: String
    let times: [String: String]
    let script: String
    let lines: [String]

    init(_ preset: String, times: [String: String] = [:], _ script: String, _ lines: [String]) {
        self.preset = preset
        self.times = times
        self.script = script
        self.lines = lines
    }

    var testDescription: String { preset }
}

@Suite("APNs server: presets")
struct PresetTests {
    @Test(
        "reproduce on the wire what was reported",
        arguments: PresetCase.connections + PresetCase.silences + PresetCase.streams + PresetCase.tokens
            + PresetCase.answers
    )
    func presets(of item: PresetCase) throws {
        let running = try TestWorld.start()
        try running.world.addPreset(item.preset, times: item.times)
        let reply = try running.world.python(item.script)
        #expect(reply.output.split(separator: "\n").map(String.init) == item.lines)
    }

    @Test("have a test each")
    func isComplete() {
        let tested =
            PresetCase.connections + PresetCase.silences + PresetCase.streams + PresetCase.tokens
            + PresetCase.answers
        #expect(Set(tested.map(\.preset)).symmetricDifference(FaultPreset.all.map(\.name)).isEmpty)
    }
}

extension PresetCase {
    static let connections = [
        PresetCase(
            "goaway-linger",
            """
            c = Raw(); c.push(3); c.until('GOAWAY'); c.push(); c.until('RST_STREAM')
            print(c.seen('HEADERS', 'GOAWAY', 'RST'), c.quiet())
            """,
            [
                "['HEADERS 1 200 END', 'HEADERS 3 200 END', 'HEADERS 5 200 END', 'GOAWAY 5 0 ', 'RST_STREAM 7 7'] True"
            ]
        ),
        PresetCase(
            "goaway-mid-flight",
            "c = Raw(); c.push(20); l = c.all(); print(len(l), *l[8:], sep='|')",
            ["11|HEADERS 17 200 END|GOAWAY 17 0 |EOF"]
        ),
        PresetCase(
            "goaway-every-few-seconds",
            times: ["2000": "300", "5000": "500"],
            "for _ in 'xx': c = Raw(); c.push(); print(c.all())",
            Array(repeating: "['HEADERS 1 200 END', 'GOAWAY 1 0 ', 'EOF']", count: 2)
        ),
        PresetCase(
            "goaway-below-open-streams",
            "c = Raw(); c.push(20); l = c.all(); print(len(l), *l[18:], sep='|')",
            ["21|HEADERS 37 200 END|GOAWAY 37 0 |EOF"]
        ),
        PresetCase(
            "goaway-over-limit",
            "c = Raw(); print(c.until('SETTINGS')); c.push(3); print(*c.all(), sep='|')",
            [
                "SETTINGS streams=1 window=65535",
                "RST_STREAM 3 7|RST_STREAM 5 7|HEADERS 1 200 END|GOAWAY 1 7 Maximum active streams violated for this endpoint.|EOF",
            ]
        ),
        PresetCase(
            "goaway-double",
            "print(*Raw().all(), sep='|'); c = Raw(); c.push(); print(c.until('HEADERS'))",
            [
                #"GOAWAY 0 0 {"reason":"BadCertificateEnvironment"}|GOAWAY 0 0 |EOF"#, "HEADERS 1 200 END",
            ]
        ),
        PresetCase(
            "close-after-settings",
            "c = Raw(); c.all(); print(c.lines[0], c.lines[-1], c.seen('GOAWAY')); c = Raw(); c.push(); print(c.until('HEADERS'))",
            ["SETTINGS streams=1000 window=65535 EOF []", "HEADERS 1 200 END"]
        ),
        PresetCase(
            "goaway-every-hundred",
            "for _ in 'xx': c = Raw(); c.push(100); l = c.all(); print(len(l), *l[-2:], sep='|')",
            Array(repeating: "102|GOAWAY 199 0 |EOF", count: 2)
        ),
        PresetCase(
            "goaway-kept-open",
            "c = Raw(); c.push(3); print(c.until('GOAWAY')); c.push(); print(c.quiet()); c.ping(); print(c.until('ACK of PING'))",
            ["GOAWAY 5 0 ", "True", "ACK of PING"]
        ),
        PresetCase(
            "goaway-protocol-error",
            "c = Raw(); c.push(2); print(*c.all()[-2:], sep='|')",
            ["GOAWAY 3 1 Stream 5 does not exist|EOF"]
        ),
        PresetCase(
            "goaway-refusing",
            """
            c = Raw(); c.push(3); c.until('GOAWAY')
            for n in (1, 2): c.push(); c.until('RST_STREAM', count=n)
            c.ping(); c.until('ACK of PING'); print(c.seen('GOAWAY', 'RST'))
            """,
            ["['GOAWAY 5 0 ', 'RST_STREAM 7 7', 'RST_STREAM 9 7']"]
        ),
        PresetCase(
            "goaway-every-connection",
            "for _ in 'xxx': print(Raw().all())",
            Array(repeating: #"['GOAWAY 0 0 {"reason":"Shutdown"}', 'EOF']"#, count: 3)
        ),
        PresetCase(
            "goaway-reason",
            "c = Raw(); c.push(); print(*c.all(), sep='|')",
            [#"HEADERS 1 200 END|GOAWAY 1 2 {"reason":"InternalServerError"}|EOF"#]
        ),
        PresetCase(
            "goaway-at-random",
            """
            ends = []
            for _ in range(3): c = Raw(); c.push(900); l = c.all(); ends.append(len(l)); print(l[-2].split()[2:], l[-1])
            print(len(set(ends)) > 1)
            """,
            Array(repeating: #"['0', '{"reason":"Shutdown"}'] EOF"#, count: 3) + ["True"]
        ),
        PresetCase(
            "close-after-streams",
            "c = Raw(); c.push(700); l = c.all(); print(len(l), *l[-2:], sep='|')",
            ["679|HEADERS 1355 200 END|EOF"]
        ),
        PresetCase(
            "close-with-certificate",
            """
            import subprocess, tempfile
            with tempfile.TemporaryDirectory() as folder:
                subprocess.run(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
                                '-subj', '/UID=im.example', '-keyout', folder + '/k', '-out', folder + '/c'], check=True, capture_output=True)
                context = ssl.create_default_context(cafile=ca); context.load_cert_chain(folder + '/c', folder + '/k')
            c = Raw(context=context); c.all(); print(c.lines)
            c = Raw(); c.push(); print(c.until('HEADERS'))
            """,
            ["['EOF']", "HEADERS 1 200 END"]
        ),
    ]

    static let silences = [
        PresetCase(
            "never-answered",
            "c = Raw(); c.push(2); c.until('HEADERS'); c.ping(); c.until('ACK of PING'); print(c.seen('HEADERS'))",
            ["['HEADERS 3 200 END']"]
        ),
        PresetCase(
            "answered-late",
            times: ["5000": "300", "60000": "600"],
            "c = Raw(); start = time.time(); c.push(); print(c.until('HEADERS'), time.time() - start >= 0.3)",
            ["HEADERS 1 200 END True"]
        ),
        PresetCase(
            "answered-beyond-idle",
            times: ["11000": "300"],
            "c = Raw(); start = time.time(); c.push(); print(c.until('HEADERS'), time.time() - start >= 0.3)",
            ["HEADERS 1 200 END True"]
        ),
        PresetCase(
            "every-tenth-unanswered",
            "c = Raw(); c.push(21); c.until('HEADERS 41'); print(len(c.seen('HEADERS')), c.seen('HEADERS 19 ', 'HEADERS 39 '))",
            ["19 []"]
        ),
        PresetCase(
            "rising-latency",
            times: ["8000": "800", "4000": "600", "2000": "400", "1000": "200"],
            """
            c = Raw(); start = time.time(); c.push(40); c.until('HEADERS', count=9); print(c.seen('HEADERS 19 '))
            for stream, least in ((19, 0.2), (39, 0.4), (59, 0.6), (79, 0.8)): c.until(f'HEADERS {stream} '); print(time.time() - start >= least)
            """,
            ["[]", "True", "True", "True", "True"]
        ),
        PresetCase(
            "first-push-unanswered",
            "for _ in 'xx': c = Raw(); c.push(2); c.until('HEADERS'); c.ping(); c.until('ACK of PING'); print(c.seen('HEADERS'))",
            Array(repeating: "['HEADERS 3 200 END']", count: 2)
        ),
        PresetCase(
            "half-open-after-idle",
            times: ["60000": "300"],
            "c = Raw(); c.push(); print(c.until('HEADERS')); time.sleep(0.5); c.push(); c.ping(); print(c.quiet())",
            ["HEADERS 1 200 END", "True"]
        ),
        PresetCase(
            "reset-after-idle",
            times: ["60000": "300"],
            "c = Raw(); c.push(); print(c.until('HEADERS')); time.sleep(0.4); c.push(); print(c.all()[1:])",
            ["HEADERS 1 200 END", "['RST']"]
        ),
        PresetCase(
            "error-after-idle",
            times: ["60000": "300"],
            "c = Raw(); c.push(); c.until('HEADERS 1'); time.sleep(0.4); c.push(); print(c.until('DATA')); c.push(); print(c.until('HEADERS 5'))",
            [#"DATA 3 {"reason":"InternalServerError"} END"#, "HEADERS 5 200 END"]
        ),
        PresetCase(
            "stalled-handshake",
            """
            try: Raw(patience=0.5)
            except Stalled: print('stalled')
            c = Raw(); c.push(); print(c.until('HEADERS'))
            """,
            ["stalled", "HEADERS 1 200 END"]
        ),
        PresetCase(
            "stalled-reconnect",
            """
            c = Raw(); c.push(); print(c.all())
            try: Raw(patience=0.5)
            except Stalled: print('stalled')
            c = Raw(); c.push(); print(c.until('HEADERS'))
            """,
            ["['EOF']", "stalled", "HEADERS 1 200 END"]
        ),
        PresetCase(
            "close-after-handshake",
            "c = Raw(); c.all(); print(c.lines); c = Raw(); c.push(); print(c.until('HEADERS'))",
            ["['EOF']", "HEADERS 1 200 END"]
        ),
    ]
}
