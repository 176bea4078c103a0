import JSONValue
import Testing
import YAMLEvents

@testable import CommandLineInterface

@Suite("Command line: configurations of real builds")
struct RealBuildsTests {
    // The BIP-39 test phrase; its key is in no use.
    private static let phrase = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    private let world = WorldAddresses([
        "nodes": [
            [
                "name": "alpha", "url": "http://127.0.0.1:36666", "socketUrl": "http://127.0.0.1:36668",
                "version": "0.9.0",
            ],
            [
                "name": "beta", "url": "http://127.0.0.1:36676", "socketUrl": "http://127.0.0.1:36678",
                "version": "0.9.0",
            ],
        ],
        "apns": ["production": "https://127.0.0.1:2197", "sandbox": "https://127.0.0.1:2198"],
        "control": "http://127.0.0.1:36600", "caFile": "/state/it's/ca.pem",
        "ans": ["address": "U1", "publicKey": "00ff", "passphrase": .string(phrase)],
        "accounts": [["name": "alice", "address": "U2", "passphrase": "a b c", "balance": "1"]],
    ])

    @Test("give the C# service all it reads")
    func ans() throws {
        let config = try JSONValue(parsing: RealBuilds.ans(world))
        #expect(config["Database"]?["Provider"] == "sqlite")
        #expect(config["Database"]?["ConnectionString"] == "devices")
        #expect(config["ConnectionStrings"]?["devices"]?.stringValue?.isEmpty == false)
        #expect(
            config["Api"]?["Server"]?.text
                == #"[{"ip":"127.0.0.1","protocol":"http","port":36666},{"ip":"127.0.0.1","protocol":"http","port":36676}]"#
        )
        #expect(config["SignalsRegistration"]?["Address"] == "U1")
        #expect(config["SignalsRegistration"]?["PrivateKey"]?.stringValue?.count == 128)
        for key in ["keyId", "teamId", "bundleAppId", "pfxPath", "pfxPassword"] {
            #expect(config["ApplePusher"]?["Keys"]?[key]?.stringValue != nil)
        }
        let types = config["ApplePusher"]?["Payload"]?.arrayValue?.compactMap {
            $0["transactionType"]?.intValue
        }
        #expect(types == [8, 0])
        for worker in ["PollingWorker", "SignalsRegistration"] {
            #expect(config[worker]?["Startup"] == "database")
            #expect(config[worker]?["Delay"]?.intValue != nil)
        }
    }

    @Test("name another host where loopback is another machine")
    func host() throws {
        let config = try JSONValue(parsing: RealBuilds.ans(world.reached(by: "mocknet")))
        let servers = config["Api"]?["Server"]?.arrayValue ?? []
        #expect(servers.map { $0["ip"]?.stringValue } == ["mocknet", "mocknet"])
        let other = world.reached(by: "fd00::1")
        #expect(other.nodes.map(\.url) == ["http://[fd00::1]:36666", "http://[fd00::1]:36676"])
        #expect(other.production == "https://[fd00::1]:2197")
        #expect(other.caFile == "/state/it's/ca.pem")
    }

    @Test("refuse the services where nobody has the key")
    func noKey() {
        let foreign = WorldAddresses(["ans": ["address": "U1"], "nodes": []])
        #expect(throws: CommandFailure.self) { try RealBuilds.ans(foreign) }
        #expect(throws: CommandFailure.self) { try RealBuilds.adamantNS(foreign) }
    }

    @Test("give the TypeScript service its nodes and phrase; JSON5 of this kind is YAML but for its comment")
    func adamantNS() throws {
        let text = try RealBuilds.adamantNS(world).split(separator: "\n").filter {
            !$0.contains("//  ") && !$0.hasPrefix("  // ")
        }
        let config = try YAMLNode(parsing: Array(text.joined(separator: "\n").utf8))
        #expect(config["passPhrase"]?.scalarText == Self.phrase)
        guard case .sequence(let nodes)? = config["admNodes"]?.content else {
            Issue.record("no nodes")
            return
        }
        #expect(nodes.map(\.scalarText) == ["http://127.0.0.1:36666", "http://127.0.0.1:36676"])
        #expect(config["database"]?["url"]?.scalarText?.hasPrefix("postgresql://") == true)
    }

    @Test("tell the iOS app's steps")
    func iOS() throws {
        let text = try RealBuilds.iOS(world)
        for part in ["scheme http, host 127.0.0.1, port 36666", "port 36676", "ansPublicKey", "00ff", "U1"] {
            #expect(text.contains(part))
        }
    }

    @Test("tell the https nodes to those that need them, or how to get some")
    func secure() throws {
        let secure = WorldAddresses([
            "nodes": [
                ["name": "alpha", "url": "http://127.0.0.1:36666", "tlsUrl": "https://127.0.0.1:36669"]
            ]
        ])
        for text in [try RealBuilds.iOS(secure), RealBuilds.pwaAdvice(secure)] {
            #expect(text.contains("https://127.0.0.1:36669"))
        }
        for text in [try RealBuilds.iOS(world), RealBuilds.pwaAdvice(world)] {
            #expect(text.contains("mocknet up --node-tls"))
        }
        #expect(try RealBuilds.env(secure).contains("MOCKNET_NODE_TLS_URLS='https://127.0.0.1:36669'"))
    }

    @Test("give the web app and the console their nodes")
    func nodes() throws {
        let pwa = try JSONValue(parsing: RealBuilds.pwa(world))
        let list = pwa["adm"]?["nodes"]?["list"]?.arrayValue
        #expect(list?.compactMap { $0["url"]?.stringValue } == world.nodes.map(\.url))
        let lines = try RealBuilds.console(world).split(separator: "\n")
        #expect(lines.first?.hasPrefix("//") == true)
        let console = try JSONValue(parsing: lines.dropFirst().joined(separator: "\n"))
        #expect(console["networks"]?["testnet"]?["nodes"]?.arrayValue?.count == 2)
        #expect(console["passphrase"] == "a b c")
    }

    @Test("give adamant-api a snippet")
    func apiJS() throws {
        let text = try RealBuilds.apiJS(world)
        #expect(text.contains(#"nodes: ["http://127.0.0.1:36666","http://127.0.0.1:36676"]"#))
        #expect(text.contains(#"passphrase = "a b c""#))
    }

    @Test("tell why one variable of exec is not exported, and how to")
    func envAdvice() {
        #expect(RealBuilds.envAdvice(world).contains(#"export SSL_CERT_FILE='/state/it'\''s/ca.pem'"#))
    }

    @Test("export every variable of exec but one, quoted for a shell")
    func env() throws {
        let text = try RealBuilds.env(world)
        for name in [
            "NODE_URL", "NODE_URLS", "SOCKET_URL", "APNS_URL", "APNS_SANDBOX_URL", "CONTROL_URL", "CA_FILE",
            "ANS_ADDRESS", "ANS_PUBLIC_KEY", "ANS_PASSPHRASE", "ANS_PRIVATE_KEY",
        ] {
            #expect(text.contains("export MOCKNET_\(name)='"))
        }
        #expect(text.contains(#"MOCKNET_CA_FILE='/state/it'\''s/ca.pem'"#))
        #expect(text.contains("MOCKNET_NODE_URLS='http://127.0.0.1:36666,http://127.0.0.1:36676'"))
    }
}
