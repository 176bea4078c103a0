import APNsRules
import APNsServer
import Determinism
import Foundation
import Synchronization
import Testing

@Suite("APNs server: connections")
struct ConnectionSettingsTests {
    /// Tells the SETTINGS that were read, and answers a push with the limit of streams that then holds.
    private static let limits = """
        def limit(client, value):
            code = h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS
            changed = lambda e: isinstance(e, h2.events.RemoteSettingsChanged) and e.changed_settings[code].new_value == value
            client.until(changed); client.events = [e for e in client.events if not changed(e)]
            print('limit', value)
        def ignore_limit(client):
            client.h2.remote_settings._settings[h2.settings.SettingCodes.MAX_CONCURRENT_STREAMS] = __import__('collections').deque([1000])

        """

    @Test("allows one stream before the first accepted push, then many, as Apple does with provider tokens")
    func raisesLimit() throws {
        let running = try TestWorld.start()
        running.world.set {
            $0.streams = .apple
            $0.dropsStreams = true
        }
        let reply = try running.world.python(
            Self.limits + """
                client = Client(); limit(client, 1)
                print(client.answer(client.push(path='/3/device/zz')))
                print(client.answer(client.push())); limit(client, 1000)
                print(client.answer(client.push(path='/3/device/zz'))); limit(client, 1)
                print(client.answer(client.push())); limit(client, 1000)
                """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "limit 1", "400 BadDeviceToken", "200", "limit 1000", "400 BadDeviceToken", "limit 1", "200",
                "limit 1000",
            ]
        )
    }

    @Test("leaves the limit where it is after a 410, and with the usual settings")
    func leavesLimit() throws {
        let running = try TestWorld.start()
        running.world.set { $0.dropsStreams = true }
        running.world.setState(DeviceTokenState(.unregistered, since: .epoch), ofToken: deviceToken)
        let reply = try running.world.python(
            Self.limits + """
                client = Client(); limit(client, 1000)
                print(client.answer(client.push())); client.h2.ping(b'12345678'); client.flush()
                client.until(lambda e: isinstance(e, h2.events.PingAckReceived))
                print(sum(isinstance(e, h2.events.RemoteSettingsChanged) for e in client.events))
                """
        )
        #expect(reply.output.split(separator: "\n") == ["limit 1000", "410 Unregistered", "0"])
    }

    @Test("allows many streams at once to a client with a certificate")
    func trustsCertificates() throws {
        let running = try TestWorld.start()
        running.world.set { $0.streams = .apple }
        let reply = try running.world.python(
            Self.limits + certificates
                + "client = Client(context=provider('im.example')); limit(client, 1000)"
        )
        #expect(reply.output == "limit 1000\n")
    }

    @Test(
        "refuses a stream above the limit alone, whether the client knew the limit or not",
        arguments: [true, false]
    )
    func refusesStreams(knewLimit: Bool) throws {
        let running = try TestWorld.start()
        running.world.set { $0.streams = .apple }
        let reply = try running.world.python(
            Self.limits + """
                client = Client()
                if \(knewLimit ? "True" : "False"): limit(client, 1)
                ignore_limit(client)
                streams = [client.push(end=False), client.push(), client.push()]
                print(*[client.answer(s) for s in streams[1:]])
                client.h2.end_stream(streams[0]); client.flush()
                print(client.answer(streams[0]))
                print(client.answer(client.push()))
                """
        )
        let answers = reply.output.split(separator: "\n").filter { $0 != "limit 1" }
        #expect(answers == ["RST 7 RST 7", "200", "200"])
    }

    @Test("ends a connection that goes above the limit it knew, as Apple was seen to do, where told to")
    func endsAboveLimit() throws {
        let running = try TestWorld.start()
        running.world.set {
            $0.streams = .apple
            $0.overLimit = .goAway
        }
        let reply = try running.world.python(
            Self.limits + """
                client = Client(); limit(client, 1)
                client.h2.ping(b'12345678'); client.flush(); client.until(lambda e: isinstance(e, h2.events.PingAckReceived))
                ignore_limit(client)
                first = client.push(end=False); client.push()
                e = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
                print(e.error_code, e.last_stream_id, e.additional_data.decode())
                """
        )
        #expect(reply.output == "limit 1\n7 1 Maximum active streams violated for this endpoint.\n")
    }

    @Test("turns away a client without ALPN where it is required, and tells why")
    func requiresALPN() throws {
        let running = try TestWorld.start()
        running.world.set { $0.alpn = .required }
        let reply = try running.world.python(
            """
            client = Client(alpn=()); client.push()
            e = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
            print(e.error_code, e.additional_data.decode())
            client = Client(); print(client.answer(client.push()))
            """
        )
        #expect(reply.output.split(separator: "\n") == ["12 ALPN is required: offer h2", "200"])
        #expect(running.world.records.count == 1)
        #expect(running.world.refusals == ["production: ALPN is required: offer h2"])
    }

    @Test("tells its clients that it shuts down")
    func tellsShutdown() throws {
        let running = try TestWorld.start()
        let world = running.world
        let output = Mutex<String?>(nil)
        // Nothing here gives its thread back: those of the pool may all wait for programs of other tests.
        Thread.detachNewThread {
            let result = try? world.python(
                """
                client = Client(); client.answer(client.push())
                e = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
                print(e.error_code, e.last_stream_id, e.additional_data.decode())
                """
            )
            output.withLock { $0 = result?.output ?? "nothing" }
        }
        wait { !world.records.isEmpty }
        running.server.stop()
        wait { output.withLock { $0 != nil } }
        #expect(output.withLock { $0 } == "0 1 {\"reason\":\"Shutdown\"}\n")
    }

    /// Waits for a condition, with a limit.
    private func wait(_ condition: () -> Bool) {
        let clock = ContinuousClock()
        let end = clock.now + .seconds(60)
        while !condition(), clock.now < end { Thread.sleep(forTimeInterval: 0.005) }
    }

    @Test("ends a connection that is idle for too long with its reason, and no other")
    func endsIdle() throws {
        let running = try TestWorld.start()
        running.world.set { $0.idleSeconds = 1 }
        let reply = try running.world.python(
            """
            client = Client(); print(client.answer(client.push()))
            e = client.until(lambda e: isinstance(e, h2.events.ConnectionTerminated))
            print(e.error_code, e.last_stream_id, e.additional_data.decode())
            """
        )
        #expect(reply.output.split(separator: "\n") == ["200", #"0 1 {"reason":"IdleTimeout"}"#])
    }

    @Test("ends a connection after too many refusals, sooner for bad device tokens, and never for a 410")
    func endsAfterErrors() throws {
        let running = try TestWorld.start()
        running.world.set { $0.errorLimit = 4 }
        running.world.setState(
            DeviceTokenState(.unregistered, since: .epoch),
            ofToken: String(repeating: "1", count: 64)
        )
        let reply = try running.world.python(
            """
            ended = lambda e: isinstance(e, h2.events.ConnectionTerminated)
            def tries(**bad):
                client = Client()
                for number in range(1, 7):
                    assert client.answer(client.push(path='/3/device/' + '1' * 64)).startswith('410')
                    client.answer(client.push(**bad))
                    # What follows the answer is there before the one to a PING, if it comes.
                    try: client.h2.ping(b'%08d' % number)
                    except h2.exceptions.ProtocolError: pass
                    client.flush()
                    client.until(lambda e: ended(e) or isinstance(e, h2.events.PingAckReceived) and e.ping_data == b'%08d' % number)
                    if any(ended(e) for e in client.events): return number
            print(tries(path='/3/device/zz'), tries(extra=[('apns-priority', '7')]))
            """
        )
        #expect(reply.output == "2 4\n")
    }

    @Test("reads of a client certificate what it is for, and whose it is")
    func readsCertificates() throws {
        let running = try TestWorld.start()
        let reply = try running.world.python(
            certificates + """
                def answer(context):
                    client = Client(context=context)
                    return client.answer(client.push(auth='bearer ignored'))
                print(answer(provider('im.example', ['im.example', 'im.example.voip'], [1])))
                print(answer(provider('im.example')))
                print(answer(provider('im.example', trusted=False)))
                """
        )
        #expect(
            reply.output.split(separator: "\n") == [
                "403 BadCertificateEnvironment", "200", "403 BadCertificate",
            ]
        )
        let read = running.world.records.compactMap(\.request.transport.clientCertificate)
        #expect(read.map(\.commonName) == Array(repeating: "Apple Push Services: im.example", count: 3))
        #expect(read.map(\.topics) == [["im.example", "im.example.voip"], ["im.example"], ["im.example"]])
        #expect(read.map(\.environments) == [[.sandbox], [.production, .sandbox], [.production, .sandbox]])
        #expect(read.map(\.isTrusted) == [true, true, false])
        #expect(running.world.records.allSatisfy { $0.provider.kind == .certificate })
    }
}

/// `provider`: a TLS context with a client certificate made by the cryptography package.
let certificates = """
    import datetime
    from cryptography import x509
    from cryptography.hazmat.primitives import hashes, serialization
    from cryptography.hazmat.primitives.asymmetric import ec
    def provider(bundle, topics=(), environments=(), trusted=True):
        own = ec.generate_private_key(ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, 'Apple Push Services: ' + bundle), x509.NameAttribute(x509.NameOID.USER_ID, bundle)])
        issuer, signer = name, own
        if trusted:
            issuer = x509.load_pem_x509_certificate(open(ca, 'rb').read()).subject
            signer = serialization.load_pem_private_key(open(ca.replace('ca.pem', 'ca-key.pem'), 'rb').read(), None)
        now = datetime.datetime.now(datetime.timezone.utc)
        made = x509.CertificateBuilder().subject_name(name).issuer_name(issuer).public_key(own.public_key()).serial_number(5).not_valid_before(now - datetime.timedelta(hours=1)).not_valid_after(now + datetime.timedelta(hours=1))
        tlv = lambda tag, content: bytes([tag, len(content)]) + content
        values = [(n, tlv(5, b'')) for n in environments]
        if topics: values.append((6, tlv(0x30, b''.join(tlv(12, t.encode()) + tlv(0x30, tlv(12, b'app')) for t in topics))))
        for number, value in values:
            made = made.add_extension(x509.UnrecognizedExtension(x509.ObjectIdentifier('1.2.840.113635.100.6.3.%d' % number), value), False)
        made = made.sign(signer, hashes.SHA256())
        folder = os.path.dirname(ca) + '/%d' % time.time_ns()
        with open(folder, 'wb') as file:
            file.write(made.public_bytes(serialization.Encoding.PEM))
            file.write(own.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()))
        context = ssl.create_default_context(cafile=ca)
        context.load_cert_chain(folder)
        return context

    """
