import AdamantLedger
import FaultRules
import Files
import JSONValue
import WorldRuntime

/// All choices about a world, in the order of the help.
enum WorldSettingsTable {
    /// What `up` and `exec` take.
    static let all: [Setting] = nodes + chain + accounts + service + audit + process

    private static let longestMilliseconds = 86_400_000

    private static let nodes = [
        Setting("nodes", "--nodes", "N", "nodes over one ledger: alpha, beta, gamma, …", default: "1") {
            draft,
            text throws(ValueError) in
            draft.world.nodeCount = try Value.integer(text, in: 1...WorldConfiguration.maximumNodes)
        },
        Setting(
            list: "nodeVersion",
            "--node-version",
            "V",
            "node version, 0.9 or 0.10, or an exact one; several in turn, or NAME=V, are for single nodes",
            default: "0.9"
        ) { draft, texts throws(ValueError) in
            draft.nodeVersions = try texts.map { text throws(ValueError) in try version(text) }
        },
        Setting(
            "failureRate",
            "--failure-rate",
            "RATE",
            "share of calls to the nodes that fail, 0 to 1",
            default: "0"
        ) { draft, text throws(ValueError) in draft.world.failureRate = try Value.fraction(text) },
        Setting("seed", "--seed", "N", "seed of all draws", default: "drawn, and printed") {
            draft,
            text throws(ValueError) in draft.world.seed = try Value.integer(text, in: 0...UInt64.max)
        },
        Setting(
            "portBase",
            "--port-base",
            "P",
            "control API at P, nodes at P+66, P+76, …, APNs at P+20 and P+21; 0 takes free ports",
            default: "36600, APNs 2197 and 2198"
        ) { draft, text throws(ValueError) in
            let base = try Value.integer(text, in: UInt16(0)...65_000)
            draft.world.ports = base == 0 ? .free : .base(base)
        },
        Setting(
            "relayDelay",
            "--relay-delay",
            "TIME",
            "how long a node keeps a transaction before it relays it; the real one bundles every 1500ms",
            default: "0ms"
        ) { draft, text throws(ValueError) in
            draft.world.relayMilliseconds = try Value.milliseconds(
                text,
                in: 0...WorldConfiguration.maximumRelayMilliseconds
            )
        },
        Setting(
            switch: "nodeTLS",
            "--node-tls",
            "https and wss beside http, at the node's port + 3, by the authority of mocknet ca"
        ) { draft, isOn in draft.world.nodeTLS = isOn },
        Setting(
            list: "tlsName",
            "--tls-name",
            "NAME",
            "a further name or address for the certificate of APNs and the nodes, *.example.org too"
        ) { draft, texts throws(ValueError) in
            draft.world.tlsNames = try texts.map { text throws(ValueError) in try Value.certificateName(text)
            }
        },
        Setting(
            "apnsPort",
            "--apns-port",
            "P",
            "one more port of APNs, for services that have Apple's 443 built in; the TLS name tells the environment"
        ) { draft, text throws(ValueError) in
            draft.world.furtherAPNsPort = try Value.integer(text, in: UInt16(1)...UInt16.max)
        },
        Setting(
            "proxy",
            "--proxy",
            "P",
            "a proxy (HTTPS_PROXY) that leads Apple's names to APNs, for services that have them built in; 0 takes a free port"
        ) { draft, text throws(ValueError) in
            draft.world.proxyPort = try Value.integer(text, in: UInt16(0)...UInt16.max)
        },
        Setting(
            list: "apnsKey",
            "--apns-key",
            "KEYID:TEAMID:FILE",
            "a provider's key (.p8 or its public half); provider tokens must then be signed by such a one"
        ) { draft, texts throws(ValueError) in
            draft.world.apnsKeys = try texts.map { text throws(ValueError) in try Value.providerKey(text) }
        },
        Setting(list: "listen", "--listen", "HOST", "address to listen at", default: "localhost") {
            draft,
            texts throws(ValueError) in
            draft.world.listenHosts = try texts.map { text throws(ValueError) in try Value.text(text) }
        },
        Setting(
            "controlToken",
            "--control-token",
            "TOKEN",
            "bearer token of the control API; beyond loopback one is made when none is given",
            isSecret: true
        ) { draft, text throws(ValueError) in draft.world.controlToken = try token(text) },
    ]

    private static let chain = [
        Setting(
            "forging",
            "--forging",
            "MODE",
            "when blocks are forged: interval, instant or manual",
            default: "interval"
        ) { draft, text throws(ValueError) in draft.world.forging = try Value.word(text) },
        Setting("blockInterval", "--block-interval", "TIME", "time between blocks, from 50ms", default: "5s")
        {
            draft,
            text throws(ValueError) in
            let shortest = WorldConfiguration.minimumBlockIntervalMilliseconds
            draft.world.blockIntervalMilliseconds = try Value.milliseconds(
                text,
                in: shortest...longestMilliseconds
            )
        },
        Setting("startHeight", "--start-height", "N", "height of the first block", default: "1") {
            draft,
            text throws(ValueError) in
            draft.world.startHeight = try Value.integer(text, in: 1...WorldConfiguration.maximumStartHeight)
        },
        Setting(
            "timestampChecks",
            "--timestamp-checks",
            "CLOCK",
            "by which clock nodes check timestamps: world, machine or off",
            default: "world"
        ) { draft, text throws(ValueError) in draft.world.timestampChecks = try Value.word(text) },
    ]

    private static let accounts = [
        Setting(
            list: "accounts",
            "--account",
            "PASSPHRASE=ADM",
            "a further funded account",
            isSecret: true
        ) { draft, texts throws(ValueError) in
            for text in texts { draft.world.extraAccounts.append(try account(text)) }
        },
        Setting(
            "ansAccount",
            "--ans-account",
            "PASSPHRASE",
            "the notification service's account in place of ours",
            isSecret: true
        ) { draft, text throws(ValueError) in draft.world.ansPassphrase = try passphrase(text) },
        Setting(
            "foreignAns",
            "--foreign-ans",
            "ADDRESS",
            "a notification service whose key nobody here has"
        ) { draft, text throws(ValueError) in draft.world.foreignANSAddress = try Value.address(text) },
    ]

    private static let service = [
        Setting(
            "ans",
            "--ans",
            "BEHAVIOUR",
            "runs the reference notification service: none, as-deployed or ordered",
            default: "none"
        ) { draft, text throws(ValueError) in draft.world.ans = try Value.word(text) },
        Setting(
            "replay",
            "--replay",
            "FILE",
            "repeats the decisions of fault rules that mocknet fault decisions wrote, whatever the seed"
        ) { draft, text throws(ValueError) in draft.world.replay = try replay(text) },
        Setting("ansPoll", "--ans-poll", "TIME", "time between its polls", default: "2s") {
            draft,
            text throws(ValueError) in
            draft.world.ansPollMilliseconds = try Value.milliseconds(text, in: 10...longestMilliseconds)
        },
    ]

    private static let audit = [
        Setting(
            "pushLimit",
            "--push-limit",
            "TIME",
            "how long after its block a message's push may come, by the world's clock",
            default: "30s"
        ) { draft, text throws(ValueError) in
            draft.world.pushLimitMilliseconds = try Value.milliseconds(text, in: 1...longestMilliseconds)
        },
        Setting(
            "orphanAfter",
            "--orphan-after",
            "TIME",
            "how long an address may be without a push until its tokens are orphans",
            default: "720h"
        ) { draft, text throws(ValueError) in
            draft.world.orphanMilliseconds = try Value.milliseconds(text, in: 1...366 * longestMilliseconds)
        },
        Setting(
            list: "tripwire",
            "--tripwire",
            "PORT",
            "a port that stands for the notification service's own host: whatever connects to it is found"
        ) { draft, texts throws(ValueError) in
            draft.world.tripwirePorts = try texts.map { text throws(ValueError) in
                try Value.integer(text, in: UInt16(0)...UInt16.max)
            }
        },
    ]

    private static let process = [
        Setting(
            "data",
            "--data",
            "DIR",
            "keeps the world in a folder and resumes it there",
            default: "memory"
        ) {
            draft,
            text throws(ValueError) in draft.world.dataDirectory = try Value.text(text)
        },
        Setting(
            "import",
            "--import",
            "FILE",
            "begins with a world that mocknet chain export wrote"
        ) { draft, text throws(ValueError) in draft.world.importFile = try Value.text(text) },
        Setting(
            "stateDir",
            "--state-dir",
            "DIR",
            "folder of the certificate authority",
            default: "the user's"
        ) {
            draft,
            text throws(ValueError) in draft.world.stateDirectory = try Value.text(text)
        },
        Setting(
            "readyFile",
            "--ready-file",
            "FILE",
            "file for the world's addresses, written once every port answers"
        ) { draft, text throws(ValueError) in draft.world.readyFile = try Value.text(text) },
    ]

    private static func version(_ text: String) throws(ValueError) -> String {
        let number = text.split(separator: "=", maxSplits: 1).last.map(String.init) ?? ""
        guard NodeProfile(version: number) != nil else {
            throw ValueError("must be 0.9, 0.10 or an exact version such as 0.8.3, not '\(text)'")
        }
        return text
    }

    /// The decisions that a file holds.
    static func replay(_ path: String) throws(ValueError) -> FaultReplay {
        do {
            return try FaultReplay(try JSONValue(parsing: try Files.read(path)))
        } catch let error as FileError {
            throw ValueError("\(error)")
        } catch {
            throw ValueError("\(path) holds no decisions of fault rules: \(error)")
        }
    }

    private static func token(_ text: String) throws(ValueError) -> String {
        guard (8...256).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ValueError("must be 8 to 256 printable characters without spaces")
        }
        return text
    }

    private static func account(_ text: String) throws(ValueError) -> WorldConfiguration.Account {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init
        )
        guard parts.count == 2 else { throw ValueError("must be PASSPHRASE=ADM") }
        return WorldConfiguration.Account(
            passphrase: try passphrase(parts[0]),
            amountUnits: try Value.amountUnits(parts[1])
        )
    }

    /// A phrase of as many words as BIP-39 has; the world checks the words.
    fileprivate static func passphrase(_ text: String) throws(ValueError) -> String {
        let words = text.split(separator: " ", omittingEmptySubsequences: false)
        guard [12, 15, 18, 21, 24].contains(words.count), words.allSatisfy({ !$0.isEmpty }) else {
            throw ValueError("must be a passphrase of 12 to 24 words with single spaces between them")
        }
        return text
    }
}

extension WorldConfiguration.Account {
    /// Sets one of the members that an account of the configuration file has.
    mutating func set(_ key: String, _ text: String) throws(ValueError) {
        switch key {
        case "passphrase": passphrase = try WorldSettingsTable.passphrase(text)
        case "name": name = try Value.text(text)
        case "balance": amountUnits = try Value.amountUnits(text)
        default: throw ValueError("unknown key here; known are passphrase, name, balance")
        }
    }
}
