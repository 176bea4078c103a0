import FaultRules
import JSONValue
import ScenarioModel
import Testing
import TestSupport
import WorldRuntime

@testable import CommandLineInterface

@Suite("Command line: settings")
struct SettingsTests {
    private func read(_ words: [String] = [], environment: [String: String] = [:], file: String? = nil)
        throws -> ConfiguredWorld
    {
        let arguments = try ParsedArguments(words, for: UpCommand.command)
        return try ConfiguredWorld(arguments, environment: { environment[$0] }) {
            name throws(CommandFailure) in
            name == "mocknet.yml" ? file.map { Array($0.utf8) } : nil
        }
    }

    private func failure(_ words: [String] = [], environment: [String: String] = [:], file: String? = nil)
        -> String?
    {
        do {
            _ = try read(words, environment: environment, file: file)
            return nil
        } catch {
            let failure = error as? CommandFailure
            #expect(failure?.exitCode == 64)
            return failure?.message
        }
    }

    private static let phrase = Array(repeating: "abandon", count: 11).joined(separator: " ") + " about"

    @Test("stand in the documentation with key, flag and variable, and its file is read")
    func documentation() throws {
        let text = String(decoding: try Fixture.bytes("../Docs/configuration.md"), as: UTF8.self)
        for setting in WorldSettingsTable.all {
            let row = "| `\(setting.key)` | `\(setting.flag)` | `\(setting.variable)` |"
            #expect(text.contains(row), "\(setting.key)")
            if let value = setting.defaultText { #expect(text.contains(value), "\(value)") }
        }
        let parts = text.split(separator: "```yaml\n", maxSplits: 1)
        let file = try #require(parts.last?.split(separator: "```", maxSplits: 1).first)
        let world = try read(file: String(file)).configuration
        #expect(world.nodeCount == 3 && world.nodeVersions == ["0.9", "0.10", "0.10"])
        #expect(world.extraAccounts.map(\.amountUnits) == [1_250_000_000])
        #expect(world.devices.count == 1 && world.faultRules.count == 1 && world.failureRate == 0.3)
    }

    @Test("are the documented defaults when nothing is said")
    func defaults() throws {
        let world = try read()
        #expect(world.origins.isEmpty)
        #expect(world.configuration.nodeCount == 1)
        #expect(world.configuration.ports == .standard)
        #expect(world.configuration.ans == .none)
        #expect(world.configuration.blockIntervalMilliseconds == 5000)
        #expect(world.configuration.nodeVersion(3) == "0.9")
    }

    @Test("come from flags before variables before the file, and say so")
    func precedence() throws {
        let file = "nodes: 2\nseed: 1\nforging: manual\n"
        let world = try read(
            ["--nodes", "4"],
            environment: ["MOCKNET_NODES": "3", "MOCKNET_SEED": "2"],
            file: file
        )
        #expect(world.configuration.nodeCount == 4)
        #expect(world.configuration.seed == 2)
        #expect(world.configuration.forging == .manual)
        #expect(
            world.origins == [
                .init(key: "forging", value: "manual", source: "mocknet.yml:3"),
                .init(key: "seed", value: "2", source: "MOCKNET_SEED"),
                .init(key: "nodes", value: "4", source: "--nodes"),
            ]
        )
    }

    @Test("take every flag")
    func everyFlag() throws {
        let world = try read([
            "--nodes=3", "--node-version=0.9,0.10", "--failure-rate=0.3", "--relay-delay=1500ms",
            "--node-tls",
            "--apns-key=ABCDE12345:TEAM123456:a:b.p8", "--apns-key=K:T:x",
            "--tls-name=node.example.org", "--tls-name=*.example.com", "--seed=18446744073709551615",
            "--port-base=40000", "--listen=127.0.0.1", "--listen=::1", "--control-token=secret-token",
            "--forging=instant", "--block-interval=250ms", "--start-height=50000000",
            "--account=\(Self.phrase)=12.5", "--ans-account=\(Self.phrase)", "--foreign-ans=U123",
            "--data=/tmp/x", "--state-dir=/tmp/y", "--ans=ordered", "--ans-poll=1s", "--timestamp-checks=off",
            "--ready-file=ready.json",
        ])
        let configuration = world.configuration
        #expect(configuration.nodeVersions == ["0.9", "0.10", "0.10"])
        #expect(configuration.failureRate == 0.3)
        #expect(configuration.relayMilliseconds == 1500)
        #expect(configuration.nodeTLS)
        #expect(configuration.tlsNames == ["node.example.org", "*.example.com"])
        #expect(
            configuration.apnsKeys == [
                .init(keyId: "ABCDE12345", teamId: "TEAM123456", path: "a:b.p8"),
                .init(keyId: "K", teamId: "T", path: "x"),
            ]
        )
        #expect(configuration.seed == .max)
        #expect(configuration.ports == .base(40_000))
        #expect(configuration.listenHosts == ["127.0.0.1", "::1"])
        #expect(configuration.controlToken == "secret-token")
        #expect(configuration.forging == .instant)
        #expect(configuration.blockIntervalMilliseconds == 250)
        #expect(configuration.startHeight == 50_000_000)
        #expect(configuration.extraAccounts == [.init(passphrase: Self.phrase, amountUnits: 1_250_000_000)])
        #expect(configuration.ansPassphrase == Self.phrase)
        #expect(configuration.foreignANSAddress == "U123")
        #expect(configuration.dataDirectory == "/tmp/x")
        #expect(configuration.stateDirectory == "/tmp/y")
        #expect(configuration.ans == .ordered)
        #expect(configuration.ansPollMilliseconds == 1000)
        #expect(configuration.timestampChecks == .off)
        #expect(configuration.readyFile == "ready.json")
        #expect(
            world.origins.allSatisfy { !($0.value ?? "").contains("abandon") && $0.value != "secret-token" }
        )
        #expect(try read(["--port-base", "0"]).configuration.ports == .free)
    }

    @Test("set the version of single nodes by name")
    func nodeVersions() throws {
        let world = try read(["--nodes=3", "--node-version=beta=0.10.3"])
        #expect(world.configuration.nodeVersions == ["0.9", "0.10.3", "0.9"])
        let exact = try read(["--nodes=2", "--node-version=beta=0.10.0-beta,alpha=1.0.0"])
        #expect(exact.configuration.nodeVersions == ["1.0.0", "0.10.0-beta"])
        let yaml = try read(file: "nodeVersion: [0.10, 0.9]\nnodes: 2\n")
        #expect(yaml.configuration.nodeVersions == ["0.10", "0.9"])
    }

    @Test("take accounts, devices, faults and the mix from the file")
    func file() throws {
        let text = """
            accounts:
              - passphrase: \(Self.phrase)
                name: mallory
                balance: 0.00000001
            devices:
              - {name: phone, owner: alice}
            faults:
              - match: {node: beta, chatType: 3}
                limit: 1
                effect: {kind: reset, when: after}
            failureMix: {status503: 0.25, timeout: 0.75}
            nodes: 2

            """
        let configuration = try read(file: text).configuration
        #expect(
            configuration.extraAccounts == [.init(passphrase: Self.phrase, name: "mallory", amountUnits: 1)]
        )
        #expect(configuration.devices == [["name": "phone", "owner": "alice"]])
        #expect(
            configuration.faultRules.first?.text
                == #"{"match":{"node":"beta","chatType":3},"limit":1,"effect":{"kind":"reset","when":"after"}}"#
        )
        #expect(configuration.failureMix?.timeout == 0.75)
    }

    @Test(
        "name the flag at fault",
        arguments: [
            ("--nodes=25", "--nodes: must be an integer from 1 to 24, not '25'"),
            ("--nodes=three", "--nodes: must be an integer from 1 to 24, not 'three'"),
            ("--failure-rate=1.5", "--failure-rate: must be a number from 0 to 1, not '1.5'"),
            ("--failure-rate=nan", "--failure-rate: must be a number from 0 to 1, not 'nan'"),
            ("--seed=-1", "--seed: must be an integer from 0 to 18446744073709551615, not '-1'"),
            ("--port-base=65001", "--port-base: must be an integer from 0 to 65000, not '65001'"),
            ("--forging=fast", "--forging: must be one of interval, instant, manual, not 'fast'"),
            ("--block-interval=49ms", "--block-interval: must be a duration from 50ms to 24h, not '49ms'"),
            ("--block-interval=5", "--block-interval: must be a duration such as 250ms, 5s or 2m, not '5'"),
            (
                "--node-version=v0.11",
                "--node-version: must be 0.9, 0.10 or an exact version such as 0.8.3, not 'v0.11'"
            ),
            ("--node-version=beta=0.9", "--node-version: 'beta=0.9' names no node; there are alpha"),
            ("--node-version=0.9,0.9", "--node-version: gives 2 versions for 1 nodes"),
            ("--foreign-ans=alice", "--foreign-ans: must be an address, U and digits, not 'alice'"),
            ("--account=a b c", "--account: must be PASSPHRASE=ADM"),
            (
                "--account=a b c=1",
                "--account: must be a passphrase of 12 to 24 words with single spaces between them"
            ),
            (
                "--control-token=short",
                "--control-token: must be 8 to 256 printable characters without spaces"
            ),
            ("--ready-file=", "--ready-file: must not be empty"),
            ("--ans=both", "--ans: must be one of none, as-deployed, ordered, not 'both'"),
        ]
    )
    func badFlags(flag: String, message: String) {
        #expect(failure([flag]) == message)
    }

    @Test("name the variable at fault")
    func badVariables() {
        #expect(
            failure(environment: ["MOCKNET_BLOCK_INTERVAL": "x"])
                == "MOCKNET_BLOCK_INTERVAL: must be a duration such as 250ms, 5s or 2m, not 'x'"
        )
        #expect(
            failure(environment: ["MOCKNET_CONFIG": "/none.yml"])
                == "MOCKNET_CONFIG: there is no file /none.yml"
        )
        #expect(failure(environment: ["MOCKNET_NODE_URL": "x", "MOCKNET_SEED": ""]) == nil)
    }

    @Test(
        "name the file and the line at fault",
        arguments: [
            ("nodes: 2\nnodez: 3\n", "mocknet.yml:2: unknown key nodez, did you mean nodes?"),
            ("nodes: 2\nnodes: 3\n", "mocknet.yml:2: the key nodes is there already, in line 1"),
            ("seed: [1\n", "mocknet.yml:2: did not find expected ',' or ']'"),
            ("- nodes\n", "mocknet.yml:1: must be a mapping of settings"),
            ("\nnodes: 99\n", "mocknet.yml:2: nodes: must be an integer from 1 to 24, not '99'"),
            ("nodes: [1]\n", "mocknet.yml:1: nodes: takes a single value"),
            ("accounts: 7\n", "mocknet.yml:1: accounts: must be a sequence"),
            (
                "accounts:\n  - passphrase: a b\n",
                "mocknet.yml:2: passphrase: must be a passphrase of 12 to 24 words with single spaces between them"
            ),
            ("accounts:\n  - name: x\n", "mocknet.yml:2: passphrase: is missing"),
            (
                "accounts:\n  - name: x\n    colour: red\n",
                "mocknet.yml:3: colour: unknown key here; known are passphrase, name, balance"
            ),
            (
                "faults:\n  - effect: {kind: reset}\n  - match: {node: gamma}\n    effect: {kind: reset}\n",
                "mocknet.yml:3: faults: match.node: there is no node gamma; there are alpha"
            ),
            (
                "faults:\n  - preset: one-stream\n  - preset: two-streams\n",
                "mocknet.yml:3: faults: preset: there is no preset two-streams; GET /v1/faults/presets lists them"
            ),
            (
                "failureMix: {timeout: 0.5}\n",
                "mocknet.yml:1: failureMix: the parts must add up to 1, not 0.5"
            ),
        ]
    )
    func badFiles(text: String, message: String) {
        #expect(failure(file: text) == message)
    }

    @Test("read an empty file as nothing said")
    func emptyFile() throws {
        #expect(try read(file: "# nothing\n").origins.isEmpty)
    }

    @Test(
        "read durations and amounts exactly",
        arguments: [("250ms", 250), ("5s", 5000), ("2m", 120_000), ("24h", 86_400_000)]
    )
    func durations(text: String, milliseconds: Int) throws {
        #expect(try Value.milliseconds(text, in: 0...86_400_000) == milliseconds)
        #expect(Quantity.duration(milliseconds) == text)
    }

    @Test(
        "refuse durations that are none",
        arguments: ["", "s", "5", "5 s", "-5s", "1.5s", "99999999999999999999s", "٥s"]
    )
    func badDurations(text: String) {
        #expect(throws: ValueError.self) { try Value.milliseconds(text, in: 0...86_400_000) }
    }

    @Test(
        "read amounts in ADM exactly",
        arguments: [
            ("0", 0), ("1", 100_000_000), ("1.5", 150_000_000), ("0.00000001", 1),
            ("100000000", 10_000_000_000_000_000),
        ]
            as [(String, UInt64)]
    )
    func amounts(text: String, units: UInt64) throws {
        #expect(try Value.amountUnits(text) == units)
        #expect(Quantity.adm(units) == text)
    }

    @Test(
        "refuse amounts that are none",
        arguments: [
            "", ".", "1.", ".5", "-1", "+1", "1e3", "0.000000001", "100000000.1", "99999999999999999999",
            "1,5",
        ]
    )
    func badAmounts(text: String) {
        #expect(throws: ValueError.self) { try Value.amountUnits(text) }
    }

    @Test("a switch is on by its flag, and on or off by a variable and the file")
    func switches() throws {
        #expect(
            try read(["--node-tls"]).origins == [.init(key: "nodeTLS", value: "true", source: "--node-tls")]
        )
        #expect(try read(environment: ["MOCKNET_NODE_TLS": "true"]).configuration.nodeTLS)
        #expect(try read(file: "nodeTLS: true\n").configuration.nodeTLS)
        #expect(
            try !read(environment: ["MOCKNET_NODE_TLS": "false"], file: "nodeTLS: true").configuration.nodeTLS
        )
        #expect(
            failure(environment: ["MOCKNET_NODE_TLS": "on"])
                == "MOCKNET_NODE_TLS: must be true or false, not 'on'"
        )
        #expect(failure(["--node-tls=true"]) == "--node-tls: takes no value")
        #expect(
            failure(["--tls-name", "a b"])
                == "--tls-name: must be a host name, *. and a domain, or a numeric address, not 'a b'"
        )
        #expect(failure(["--relay-delay", "2h"]) != nil)
        #expect(
            failure(["--apns-key", "ABCDE12345:key.p8"])
                == "--apns-key: must be KEYID:TEAMID:FILE, not 'ABCDE12345:key.p8'"
        )
    }
}
