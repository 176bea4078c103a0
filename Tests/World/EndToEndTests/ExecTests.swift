import Foundation
import JSONValue
import Testing

@Suite("Binary: exec, demo, ca and config", .timeLimit(.minutes(3)))
struct ExecTests {
    @Test("exec runs the command against a fresh world that is in its environment")
    func environment() async throws {
        let script = """
            set -e
            unset CURL_CA_BUNDLE SSL_CERT_DIR
            curl -sf "$MOCKNET_NODE_URL/api/node/status" >/dev/null
            curl -sf "$MOCKNET_CONTROL_URL/v1/health" >/dev/null
            curl -s --http2-prior-knowledge --cacert "$MOCKNET_CA_FILE" "$MOCKNET_APNS_URL/3/device/x" >/dev/null
            curl -s --http2-prior-knowledge "$MOCKNET_APNS_SANDBOX_URL/3/device/x" >/dev/null
            grep -qF "$(sed -n 2p "$MOCKNET_CA_FILE")" "$NODE_EXTRA_CA_CERTS"
            test "$(echo "$MOCKNET_NODE_URLS" | tr , '\\n' | wc -l)" = 2
            test ${#MOCKNET_ANS_PRIVATE_KEY} = 128
            test ${#MOCKNET_ANS_PUBLIC_KEY} = 64
            test "$(echo "$MOCKNET_ANS_PASSPHRASE" | wc -w)" -ge 12
            case $MOCKNET_ANS_ADDRESS in U*) ;; *) exit 1 ;; esac
            curl -sf "$MOCKNET_SOCKET_URL/socket.io/?EIO=3&transport=polling" >/dev/null
            trusted=$(grep -c "BEGIN CERT" "$SYSTEM" || true)
            test "$(grep -c "BEGIN CERT" "$SSL_CERT_FILE")" -gt "${trusted:-0}"
            grep -qF "$(sed -n 2p "$MOCKNET_CA_FILE")" "$SSL_CERT_FILE"
            test -z "$MOCKNET_NODE_TLS_URL"
            echo ended
            """
        let ending = try await Mocknet.run(
            ["exec", "--nodes", "2", "--", "sh", "-c", script],
            environment: ["SYSTEM": "/etc/ssl/certs/ca-certificates.crt"]
        )
        #expect(ending.status == 0, "\(ending.errors)")
        #expect(ending.output == "ended\n")
    }

    @Test(
        "exec passes on how the command ended",
        arguments: [
            ("exit 0", 0), ("exit 7", 7), ("kill -TERM $$", 143), ("kill -KILL $$", 137),
        ]
    )
    func status(command: String, status: Int32) async throws {
        #expect(try await Mocknet.run(["exec", "--", "sh", "-c", command]).status == status)
    }

    @Test("exec answers 127 for what cannot be started")
    func notStarted() async throws {
        #expect(try await Mocknet.run(["exec", "--", "/none/such"]).status == 127)
    }

    @Test("exec forwards signals to the command", arguments: [SIGHUP, SIGINT, SIGTERM, SIGUSR1])
    func forwardsSignals(signal: Int32) async throws {
        let folder = try Folder()
        let script = "trap 'exit 9' \(signal); echo started; while :; do sleep 0.05; done"
        let program = try Program(Mocknet.binary, ["exec", "--", "sh", "-c", script], in: folder)
        try await waitUntil("the command runs", within: 20) { program.output.contains("started") }
        program.signal(signal)
        #expect(try await program.ending(within: Program.stopSeconds).status == 9)
    }

    @Test("exec leaves nothing of an earlier ready file when its world cannot start")
    func staleReadyFile() async throws {
        let folder = try Folder()
        let file = try folder.write("{}", to: "ready.json")
        let ending = try await Mocknet.run(
            ["exec", "--ready-file", file, "--state-dir", "/dev/null/x", "--", "true"]
        )
        #expect(ending.status == 2, "\(ending.errors)")
        #expect(!FileManager.default.fileExists(atPath: file))
    }

    @Test("health finds a world that becomes ready while it waits")
    func healthFinds() async throws {
        let world = try await RunningWorld()
        let health = try Program(
            Mocknet.binary,
            ["health", "--control", world.control + "/worlds/w1", "--wait", "30s"],
            in: world.folder
        )
        try await waitUntil("health runs") { health.isRunning }
        _ = try await world.call("POST", "/v1/worlds", [:], expecting: 201)
        #expect(try await health.ending(within: 20).status == 0)
    }

    @Test("health waits for a world and gives up in time")
    func healthWaits() async throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let none = try await Mocknet.run(["health", "--control", "http://127.0.0.1:9", "--wait", "300ms"])
        #expect(none.status != 0)
        #expect(clock.now - begin >= .milliseconds(250))
        #expect(clock.now - begin < .seconds(60))
    }

    @Test("demo ends its seven steps as stated, within 20 seconds")
    func demo() async throws {
        let clock = ContinuousClock()
        let begin = clock.now
        let ending = try await Mocknet.run(["demo"], within: 60)
        #expect(ending.status == 0, "\(ending.output)\(ending.errors)")
        #expect(clock.now - begin < .seconds(20))
    }

    @Test("ca prints the authority that a client needs to trust, and its path")
    func certificateAuthority() async throws {
        let world = try await RunningWorld()
        let path = try await Mocknet.run(["ca", "--path"])
        #expect(path.output == world.certificateAuthority + "\n", "\(path.errors)")
        let text = try await Mocknet.run(["ca"])
        #expect(text.output.contains("-----BEGIN CERTIFICATE-----"))
        let port = try #require(world.apns.split(separator: ":").last)
        for name in [
            "api.push.apple.com", "api.sandbox.push.apple.com", "api.development.push.apple.com", "localhost",
        ] {
            let checked = try await run(
                "openssl",
                [
                    "s_client", "-connect", "127.0.0.1:\(port)", "-CAfile", world.certificateAuthority,
                    "-verify_hostname", name, "-verify_return_error", "-brief",
                ]
            )
            #expect(checked.errors.contains("Verification: OK"), "\(name): \(checked.errors)")
        }
    }

    @Test(
        "config prints what points a client at the world",
        arguments: [
            "ans", "adamant-ns", "ios", "pwa", "api-js", "console", "env",
        ]
    )
    func config(name: String) async throws {
        let world = try await RunningWorld()
        let ending = try await Mocknet.run(["config", name, "--control", world.control])
        #expect(ending.status == 0, "\(ending.errors)")
        let port = try #require(try world.node().split(separator: ":").last)
        #expect(ending.output.contains(port), "\(ending.output)")
    }
}
