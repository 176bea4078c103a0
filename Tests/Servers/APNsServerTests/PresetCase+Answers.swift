extension PresetCase {
    static let streams = [
        PresetCase(
            "one-stream",
            "c = Raw(); print(c.until('SETTINGS')); c.push(3); c.until('RST_STREAM 5'); print(sorted(c.seen('HEADERS', 'RST')))",
            [
                "SETTINGS streams=1 window=65535",
                "['HEADERS 1 200 END', 'RST_STREAM 3 7', 'RST_STREAM 5 7']",
            ]
        ),
        PresetCase(
            "ten-streams",
            "c = Raw(); print(c.until('SETTINGS')); c.push(12); c.until('HEADERS 19'); c.until('RST', count=2); print(len(c.seen('HEADERS')), c.seen('RST'))",
            ["SETTINGS streams=10 window=65535", "10 ['RST_STREAM 21 7', 'RST_STREAM 23 7']"]
        ),
        PresetCase(
            "no-streams-then-close",
            times: ["3000": "600"],
            "c = Raw(); c.push(); c.until('HEADERS'); print(c.until('SETTINGS', count=2)); c.push(); print(c.all())",
            ["SETTINGS streams=0 window=None", "['HEADERS 1 200 END', 'RST_STREAM 3 7', 'EOF']"]
        ),
        PresetCase(
            "no-stream-limit",
            "c = Raw(); print(c.until('SETTINGS')); c.push(); print(c.until('HEADERS'))",
            ["SETTINGS streams=None window=65535", "HEADERS 1 200 END"]
        ),
        PresetCase(
            "limit-lowered",
            """
            c = Raw(); c.push(5); c.until('HEADERS', count=5); print(c.until('SETTINGS', count=2))
            c.push(2); c.until('HEADERS 11'); print(c.until('RST'))
            """,
            ["SETTINGS streams=1 window=None", "RST_STREAM 13 7"]
        ),
        PresetCase(
            "streams-reset",
            """
            c = Raw(); c.push(300); c.until('HEADERS', 'RST', count=300)
            codes = [l.split()[2] for l in c.seen('RST')]
            print(all(10 < codes.count(code) < 60 for code in '27'), set(codes) == {'2', '7'})
            """,
            ["True True"]
        ),
        PresetCase(
            "small-windows",
            """
            c = Raw(); print(c.until('SETTINGS')); c.until('ACK of SETTINGS')
            head, stream = c.start(); begun = time.time()
            c.send(head + hf.DataFrame(stream, b'{"aps":{}' + b' ' * 1015).serialize())
            print(c.until('WindowUpdate'), time.time() - begun >= 0.2)
            c.send(hf.DataFrame(stream, b'}', flags=['END_STREAM']).serialize()); print(c.until('HEADERS'))
            """,
            ["SETTINGS streams=1000 window=1024", "WindowUpdateFrame 1 True", "HEADERS 1 200 END"]
        ),
    ]

    /// A preset that answers every push the same.
    private static func constant(_ preset: String, _ status: Int, _ reason: String) -> PresetCase {
        PresetCase(
            preset,
            "c = Raw(); c.push(2); c.until('DATA 3'); print(*c.seen('HEADERS', 'DATA'), sep='|')",
            [
                #"HEADERS 1 \#(status)|HEADERS 3 \#(status)|DATA 1 {"reason":"\#(reason)"} END|"#
                    + #"DATA 3 {"reason":"\#(reason)"} END"#
            ]
        )
    }

    /// A preset of 410, whose timestamp an expression tells.
    private static func gone(
        _ preset: String,
        _ check: String,
        _ result: String = "True",
        reason: String = "Unregistered"
    ) -> PresetCase {
        PresetCase(
            preset,
            """
            c = Raw(); c.push(); print(c.until('HEADERS')); answer = json.loads(c.until('DATA').split(' ', 2)[2].removesuffix(' END'))
            now, t = time.time() * 1000, answer.get('timestamp', 'none'); print(answer['reason'], \(check))
            """,
            ["HEADERS 1 410", "\(reason) \(result)"]
        )
    }

    static let tokens = [
        constant("provider-token-expired", 403, "ExpiredProviderToken"),
        PresetCase(
            "provider-token-updates",
            """
            c = Raw(); c.push(31); c.until('DATA 59'); c.ping(); c.until('ACK of PING')
            print([l.split()[2] for l in c.seen('HEADERS')] == ['200'] * 10 + ['429'] * 20, c.seen('DATA')[0])
            c = Raw(); c.push(); print(c.until('HEADERS'))
            """,
            [#"True DATA 21 {"reason":"TooManyProviderTokenUpdates"} END"#, "HEADERS 1 200 END"]
        ),
        gone("unregistered", "abs(now - t) < 60000"),
        gone("unregistered-early", "abs(now - 2592000000 - t) < 60000"),
        gone("unregistered-without-timestamp", "t", "none"),
        gone("unregistered-at-zero", "t", "0"),
        gone("unregistered-in-seconds", "abs(now / 1000 - t) < 60 and type(t) is int"),
        gone("unregistered-as-text", "type(t) is str and abs(now - int(t)) < 60000"),
        gone("token-expired", "abs(now - t) < 60000", reason: "ExpiredToken"),
        PresetCase(
            "bad-token-in-batch",
            "c = Raw(); c.push(10); c.until('DATA 19'); print([l for l in c.seen('HEADERS') if ' 200' not in l], c.seen('DATA')[0])",
            [#"['HEADERS 9 400', 'HEADERS 19 400'] DATA 9 {"reason":"BadDeviceToken"} END"#]
        ),
        constant("bad-tokens", 400, "BadDeviceToken"),
        PresetCase(
            "lost-pushes",
            """
            ends = []
            for _ in range(60): c = Raw(); c.push(); ends.append(c.until('HEADERS', 'RST').split()[-1].replace('END', '200'))
            print(sorted(set(ends)), sum(end != '200' for end in ends) > 5)
            """,
            ["['200', '429', '503', 'RST'] True"]
        ),
    ]

    /// A preset of one refusal, of which the frames are shown.
    private static func refusal(_ preset: String, _ lines: String...) -> PresetCase {
        PresetCase(
            preset,
            """
            c = Raw(); c.push()
            while not [l for l in c.lines if l.endswith('END')]: c.read()
            print(*c.seen('HEADERS', 'DATA'), sep='|')
            """,
            [lines.joined(separator: "|")]
        )
    }

    static let answers = [
        PresetCase(
            "error-without-end",
            times: ["5000": "300"],
            "c = Raw(); c.push(); c.until('RST_STREAM'); print(*c.seen('HEADERS', 'DATA', 'RST'), sep='|')",
            [#"HEADERS 1 400|DATA 1 {"reason":"BadDeviceToken"}|RST_STREAM 1 2"#]
        ),
        PresetCase(
            "stall-then-reset",
            times: ["5000": "300"],
            "c = Raw(); c.push(20); l = c.all(); print(len(l), *l[-2:], sep='|')",
            ["20|HEADERS 37 200 END|RST"]
        ),
        PresetCase(
            "id-missing",
            "c = Raw(); c.push(extra=[('apns-id', '123e4567-e89b-12d3-a456-426614174000')]); c.until('HEADERS'); print(c.heads[1])",
            ["[{b':status': b'200'}]"]
        ),
        PresetCase(
            "id-changed",
            "c = Raw(); c.push(extra=[('apns-id', '123e4567-e89b-12d3-a456-426614174000')]); c.until('HEADERS'); print(c.heads[1][0][b'apns-id'].decode())",
            ["023e4567-e89b-12d3-a456-426614174000"]
        ),
        PresetCase(
            "answers-reordered",
            "c = Raw(); s = c.push(20); c.until('HEADERS', count=20); o = [int(l.split()[1]) for l in c.seen('HEADERS')]; print(o != s, sorted(o) == s)",
            ["True True"]
        ),
        refusal("empty-body", "HEADERS 1 400 END"),
        PresetCase(
            "html-body",
            "c = Raw(); c.push(); print(c.until('HEADERS'), c.until('DATA'), c.heads[1][0][b'content-type'])",
            ["HEADERS 1 502 DATA 1 <html><body>502 Bad Gateway</body></html> END b'text/html'"]
        ),
        PresetCase(
            "wrong-content-type",
            "c = Raw(); c.push(); print(c.until('DATA'), c.heads[1][0][b'content-type'])",
            [#"DATA 1 {"reason":"BadDeviceToken"} END b'text/plain'"#]
        ),
        refusal("unknown-reason", "HEADERS 1 400", #"DATA 1 {"reason":"SolarFlare"} END"#),
        refusal("reason-number", "HEADERS 1 400", #"DATA 1 {"reason":7} END"#),
        refusal("reason-null", "HEADERS 1 400", #"DATA 1 {"reason":null} END"#),
        PresetCase(
            "long-body",
            "c = Raw(); c.push(); body = c.until('DATA').split(' ', 2)[2].removesuffix(' END'); print(len(body) > 1024, json.loads(body)['reason'])",
            ["True BadDeviceToken"]
        ),
        refusal("split-body", "HEADERS 1 400", #"DATA 1 {"reason":"Bad"#, #"DATA 1 DeviceToken"} END"#),
        refusal("end-on-empty-frame", "HEADERS 1 400", #"DATA 1 {"reason":"BadDeviceToken"}"#, "DATA 1  END"),
        refusal("error-in-headers", "HEADERS 1 400 END"),
        refusal(
            "trailers",
            "HEADERS 1 400",
            #"DATA 1 {"reason":"BadDeviceToken"}"#,
            "HEADERS 1 trailers END"
        ),
        refusal("success-with-body", "HEADERS 1 200", "DATA 1 {} END"),
        refusal("informational-first", "HEADERS 1 103", "HEADERS 1 200 END"),
    ]
}
