import APNsRules
import Determinism
import JSONValue
import Testing

@Suite("APNs server: clients")
struct ClientTests {
    @Test("serves curl, and refuses it as Apple does")
    func servesCurl() throws {
        let running = try TestWorld.start()
        let world = running.world
        let accepted = try world.curl(world.push()).output
        #expect(accepted.hasPrefix("HTTP/2 200"))
        #expect(accepted.contains("apns-id: "))
        #expect(!accepted.contains("content-type"))
        let base = "https://localhost:\(world.production)"
        let noCredential = try world.curl([
            "-i", "-H", "apns-topic: x", "-d", payload, base + "/3/device/\(deviceToken)",
        ])
        #expect(noCredential.output.hasPrefix("HTTP/2 403"))
        #expect(noCredential.output.contains("content-type: application/json"))
        #expect(noCredential.output.hasSuffix(#"{"reason":"MissingProviderToken"}"#))
        #expect(try world.curl([base + "/"]).output == #"{"reason":"MethodNotAllowed"}"#)
        #expect(try world.curl(["-d", "{}", base + "/"]).output == #"{"reason":"BadPath"}"#)
        #expect(world.records.map(\.status) == [200, 403, 405, 404])
        let record = try #require(world.records.first)
        #expect(record.recipient == "U1")
        #expect(record.request.transport.alpn == "h2")
        #expect(record.request.transport.serverName == "localhost")
        #expect(record.request.transport.tlsVersion == "TLSv1.3")
        #expect(record.provider.keyId == "ABCDE12345")
    }

    @Test("selects the sandbox by port or by name")
    func selectsEnvironment() throws {
        let running = try TestWorld.start()
        let world = running.world
        for (host, port) in [
            ("localhost", world.sandbox), ("api.sandbox.push.apple.com", world.production),
            ("api.development.push.apple.com", world.production), ("api.push.apple.com", world.production),
        ] {
            let reply = try world.curl([
                "-i", "--connect-to", "::127.0.0.1:\(port)", "-d", "{}",
                "https://\(host)/3/device/\(deviceToken)",
            ])
            #expect(reply.output.contains("apns-unique-id: ") == (host != "api.push.apple.com"))
        }
        #expect(world.records.map(\.request.environment) == [.sandbox, .sandbox, .sandbox, .production])
    }

    @Test("refuses HTTP/1.1 clearly, with and without ALPN", arguments: [[], ["--no-alpn"]])
    func refusesHTTP1(options: [String]) throws {
        let running = try TestWorld.start()
        let world = running.world
        let reply = try run(
            "/usr/bin/curl",
            ["-sSi", "--http1.1", "--cacert", world.authorityFile, "https://localhost:\(world.production)/"]
                + options
        )
        #expect(reply.status == 0)
        #expect(reply.output.hasPrefix("HTTP/1.1 505 HTTP Version Not Supported"))
        #expect(running.world.refusals == ["production: HTTP/1.1 is not spoken here: use HTTP/2"])
        #expect(reply.output.hasSuffix("APNs speaks HTTP/2 only.\n"))
        #expect(world.records.isEmpty)
    }

    @Test("speaks TLS 1.2 and 1.3, nothing older, and answers no other protocol")
    func speaksTLS() throws {
        let running = try TestWorld.start()
        let world = running.world
        let openssl = [
            "s_client", "-connect", "127.0.0.1:\(world.production)", "-CAfile", world.authorityFile,
        ]
        for (option, text) in [("-tls1_2", "Protocol  : TLSv1.2"), ("-tls1_3", "New, TLSv1.3")] {
            let reply = try run("/usr/bin/openssl", openssl + [option, "-alpn", "h2"])
            #expect(reply.output.contains(text))
            #expect(reply.output.contains("ALPN protocol: h2"))
            #expect(reply.output.contains("Verify return code: 0 (ok)"))
        }
        let old = try run("/usr/bin/openssl", openssl + ["-tls1_1", "-cipher", "DEFAULT@SECLEVEL=0"])
        #expect(old.status != 0)
        let other = try run("/usr/bin/openssl", openssl + ["-alpn", "spdy/3"])
        #expect(other.output.contains("no application protocol"))
        #expect(
            world.refusals == [
                "production: the client offers no TLS version above 1.1: use 1.2 or newer",
                "production: the client offers neither h2 nor http/1.1 by ALPN: offer h2",
            ]
        )
    }

    @Test("sends the settings of a steady connection and ends the stream on HEADERS")
    func servesNghttp() throws {
        let running = try TestWorld.start()
        let world = running.world
        let body = try world.file("body.json", payload)
        let reply = try run(
            "/usr/bin/nghttp",
            [
                "-nv", "-d", body, "-H", "authorization: bearer \(try world.providerToken())", "-H",
                "apns-topic: im.example",
                "https://127.0.0.1:\(world.production)/3/device/\(deviceToken)",
            ]
        )
        for text in [
            "[SETTINGS_HEADER_TABLE_SIZE(0x01):4096]", "[SETTINGS_MAX_CONCURRENT_STREAMS(0x03):1000]",
            "[SETTINGS_INITIAL_WINDOW_SIZE(0x04):65535]", "[SETTINGS_MAX_FRAME_SIZE(0x05):16384]",
            "[SETTINGS_MAX_HEADER_LIST_SIZE(0x06):8000]", ":status: 200", "; END_STREAM | END_HEADERS",
        ] {
            #expect(reply.output.contains(text))
        }
        #expect(!reply.output.contains("recv DATA"))
        #expect(world.records.map(\.status) == [200])
    }

    @Test("answers and records every one of many pushes", arguments: [false, true])
    func servesH2load(answersFromElsewhere: Bool) throws {
        let running = try TestWorld.start(answersFromElsewhere: answersFromElsewhere)
        let world = running.world
        let body = try world.file("body.json", payload)
        let reply = try run(
            "/usr/bin/h2load",
            [
                "-n", "3000", "-c", "7", "-m", "50", "-d", body, "-H",
                "authorization: bearer \(try world.providerToken())", "-H", "apns-topic: im.example",
                "https://127.0.0.1:\(world.production)/3/device/\(deviceToken)",
            ]
        )
        #expect(reply.output.contains("3000 succeeded, 0 failed, 0 errored"))
        #expect(reply.output.contains("status codes: 3000 2xx"))
        #expect(world.records.count == 3000)
        #expect(world.records.allSatisfy { $0.status == 200 })
        #expect(Set(world.records.map(\.request.transport.connection)).count == 7)
    }

    @Test("serves aioapns: no ALPN, no authority, the exact apns-id, and every refusal")
    func servesAioapns() throws {
        let running = try TestWorld.start()
        let world = running.world
        let since = Timestamp(unixMilliseconds: 1_700_000_000_000)
        world.setState(
            DeviceTokenState(.unregistered, since: since),
            ofToken: String(repeating: "1", count: 64)
        )
        world.setState(DeviceTokenState(.bad, since: since), ofToken: String(repeating: "2", count: 64))
        let reply = try world.python(
            """
            import asyncio, aioapns, aioapns.connection as c
            c.APNsProductionClientProtocol.APNS_SERVER = 'localhost'
            c.APNsTLSClientProtocol.APNS_PORT = port
            async def main():
                client = aioapns.APNs(key=key, key_id='ABCDE12345', team_id='TEAM123456', topic='im.example',
                                      ssl_context=ssl.create_default_context(cafile=ca))
                async def push(to, n=0):
                    id = '123E4567-E89B-12d3-a456-%012d' % n
                    r = await client.send_notification(aioapns.NotificationRequest(device_token=to, message={'aps': {'alert': 'x'}}, notification_id=id))
                    assert r.notification_id == id, r
                    return r
                start = time.time()
                print((await push(token)).status)
                assert time.time() - start < 5
                for to in ['1' * 64, '2' * 64, 'zz']:
                    r = await push(to); print(r.status, r.description, r.timestamp)
                print(sum(r.is_successful for r in await asyncio.gather(*[push(token, n) for n in range(200)])))
            asyncio.run(asyncio.wait_for(main(), 60))
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "200", "410 Unregistered 1700000000000", "400 BadDeviceToken None", "400 BadDeviceToken None",
                "200",
            ]
        )
        let record = try #require(world.records.first)
        #expect(record.request.transport.alpn == nil)
        #expect(record.json["headers"]?[":authority"] == nil)
        #expect(record.json["headers"]?["host"] != nil)
    }

    @Test("serves httpx")
    func servesHttpx() throws {
        let running = try TestWorld.start()
        let world = running.world
        let reply = try world.python(
            """
            import httpx, asyncio
            async def main():
                async with httpx.AsyncClient(http2=True, verify=ssl.create_default_context(cafile=ca)) as client:
                    def push(**h): return client.post('https://localhost:%d/3/device/%s' % (port, token), headers={'authorization': bearer(), 'apns-topic': 'im.example', **h}, json={'aps': {}})
                    r = await push(); print(r.http_version, r.status_code, r.content, 'apns-id' in r.headers)
                    r = await push(**{'apns-priority': '7'}); print(r.status_code, r.json(), r.headers['content-type'])
                    print({r.status_code for r in await asyncio.gather(*[push() for _ in range(100)])})
            asyncio.run(main())
            """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "HTTP/2 200 b'' True", "400 {'reason': 'BadPriority'} application/json", "{200}",
            ]
        )
    }

    @Test("asks for a client certificate, takes any, and resumes sessions")
    func takesCertificates() throws {
        let running = try TestWorld.start()
        let world = running.world
        world.set { $0.certificates = .any }
        let made = try run(
            "/usr/bin/openssl",
            [
                "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
                "/CN=Apple Push Services: im.example/UID=im.example", "-keyout",
                try world.file("key.pem", ""), "-out",
                try world.file("cert.pem", ""),
            ]
        )
        #expect(made.status == 0)
        let folder = world.authorityFile.dropLast("ca.pem".count)
        let reply = try world.python(
            """
            context = ssl.create_default_context(cafile=ca)
            context.load_cert_chain('\(folder)cert.pem', '\(folder)key.pem')
            client = Client(context=context)
            stream = client.h2.get_next_available_stream_id()
            client.h2.send_headers(stream, [h for h in client.headers() if h[0] != 'authorization'])
            client.h2.send_data(stream, b'{"aps":{}}', end_stream=True); client.flush()
            print(client.answer(stream))
            again = Client(context=context, session=client.socket.session)
            print(again.socket.session_reused, again.answer(again.push()))
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200", "True 200"])
        #expect(world.records.map(\.provider.kind) == [.certificate, .certificate])
        #expect(world.records.last?.request.transport.isResumed == true)
        let request = try run(
            "/usr/bin/openssl",
            ["s_client", "-connect", "127.0.0.1:\(world.production)", "-tls1_2", "-msg"]
        )
        #expect(request.output.contains("CertificateRequest"))
    }
}
