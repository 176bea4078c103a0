import JSONValue

/// Configurations of the real builds, as each reads them.
enum RealBuilds {
    /// A node's address in parts.
    private struct Origin {
        let scheme: String
        let host: String
        let port: Int64

        init(_ url: String) throws(CommandFailure) {
            let parts = url.split(separator: "/", omittingEmptySubsequences: true).map(String.init)
            guard parts.count >= 2, let colon = parts[1].lastIndex(of: ":"),
                let port = Int64(parts[1][parts[1].index(after: colon)...])
            else {
                throw CommandFailure(message: "the world tells no port in '\(url)'", exitCode: ExitCode.world)
            }
            scheme = String(parts[0].dropLast())
            host = String(parts[1][..<colon])
            self.port = port
        }

        var json: JSONValue { ["ip": .string(host), "protocol": .string(scheme), "port": .int(port)] }
    }

    /// The C# service's `config.json`, complete.
    ///
    /// - Source: adamant-notificationService: `Settings` of both workers
    @Sendable static func ans(_ world: WorldAddresses) throws(CommandFailure) -> String {
        guard !world.ansPrivateKey.isEmpty else { throw noKey }
        let topic: JSONValue = "im.adamant.adamant-messenger"
        let message: JSONValue = [
            "transactionType": 8, "body": "NotificationsService.NewMessage.BodySingle",
            "sound": "notification.mp3",
        ]
        let transfer: JSONValue = [
            "transactionType": 0, "body": "NotificationsService.NewTransfer.BodySingle",
            "sound": "notification.mp3",
        ]
        let document: JSONValue = [
            "ConnectionStrings": ["devices": "Data Source=ans.db"],
            "Database": ["Provider": "sqlite", "ConnectionString": "devices"],
            "Api": ["Server": .array(try origins(world).map(\.json))],
            "PollingWorker": ["Delay": 2000, "Startup": "database", "NlogConfig": "nlog.config"],
            "SignalsRegistration": [
                "Delay": 2000, "Startup": "database", "NlogConfig": "nlog.config",
                "Address": .string(world.ansAddress), "PrivateKey": .string(world.ansPrivateKey),
            ],
            "ApplePusher": [
                "Keys": [
                    "keyId": "MOCKKEY001", "teamId": "MOCKTEAM01", "bundleAppId": topic,
                    "pfxPath": "~/.ans/cert.pfx", "pfxPassword": "",
                ],
                "Payload": [message, transfer],
            ],
        ]
        return document.prettyText + "\n"
    }

    /// What the C# service needs beside its file.
    @Sendable static func ansAdvice(_ world: WorldAddresses) -> String {
        """

        Write it to ~/.ans/config.json; nlog.config must lie in the working directory. Then:
          1. Make the key that signs provider tokens; any P-256 key will do:
             openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 365 -subj /CN=ans \\
               -keyout key.pem -out cert.pem
             openssl pkcs12 -export -inkey key.pem -in cert.pem -passout pass: -out ~/.ans/cert.pfx
          2. The APNs host is built in. Let api.push.apple.com lead here on port 443 (compose does, as a network
             alias), or start mocknet up --proxy 3128 and the service with HTTPS_PROXY=http://127.0.0.1:3128;
             the emulated one is \(world.production).
          3. Let it trust \(world.caFile): SSL_CERT_FILE, or update-ca-certificates in its image.
          4. Start one of its two programs first, alone: both migrate the database.

        """
    }

    /// The TypeScript service's `config.json5`.
    @Sendable static func adamantNS(_ world: WorldAddresses) throws(CommandFailure) -> String {
        guard !world.ansPassphrase.isEmpty else { throw noKey }
        return """
            {
              // PostgreSQL, by Prisma
              database: { url: "postgresql://postgres:postgres@127.0.0.1:5432/adamant_ns" },
              app: { port: 3000 },
              admNodes: \(JSONValue.array(world.nodes.map { .string($0.url) }).text),
              passPhrase: \(JSONValue.string(world.ansPassphrase).text),
              notifyTxTypes: [0, 8],
              chatTxTypeIncludeSubtype: [1, 2],
              notificationService: "FCM",
              notificationExpiryHours: 24,
            }

            """
    }

    /// What the TypeScript service needs beside its file.
    @Sendable static func adamantNSAdvice(_ world: WorldAddresses) -> String {
        """

        Write it to config.json5 in its working directory, beside firebase-credentials.json. It pushes by FCM only:
        its APNS has no implementation.

        """
    }

    /// The steps for the iOS app.
    @Sendable static func iOS(_ world: WorldAddresses) throws(CommandFailure) -> String {
        let steps = try origins(world).map { "     scheme \($0.scheme), host \($0.host), port \($0.port)" }
        return """
            The iOS app, simulator or device:
              1. Settings, Nodes list, add:
            \(steps.joined(separator: "\n"))
            \(secureSteps(world).joined(separator: "\n"))
                 On a device use the address of this machine, and mocknet up --listen 0.0.0.0.
              2. Switch the built-in nodes off.
              3. Sign in with a passphrase of mocknet account list.
              4. A build from source: set ansAddress and ansPublicKey in CommonKit/AdamantResources.swift to
                 \(world.ansAddress)
                 \(world.ansPublicKey)
                 A store build seals its signals for Adamant's own service, and nobody here can read them:
                 mocknet up --foreign-ans ADDRESS then names that service.
              5. Let the simulator trust the authority: xcrun simctl keychain booted add-root-cert \(world.caFile)

            """
    }

    /// How its notification extension reaches the nodes.
    private static func secureSteps(_ world: WorldAddresses) -> [String] {
        let urls = world.nodes.map(\.tlsURL).filter { !$0.isEmpty }
        guard !urls.isEmpty else {
            return ["     The notification extension reaches https nodes alone: mocknet up --node-tls."]
        }
        return ["     The notification extension reaches https nodes alone; add these as well:"]
            + urls.map { "     " + $0 }
    }

    /// The web app's nodes.
    @Sendable static func pwa(_ world: WorldAddresses) throws(CommandFailure) -> String {
        let nodes = world.nodes.map { node -> JSONValue in ["url": .string(node.url)] }
        let health: JSONValue = [
            "normalUpdateInterval": 300_000, "crucialUpdateInterval": 30_000,
            "onScreenUpdateInterval": 10_000,
            "threshold": 10,
        ]
        let document: JSONValue = [
            "adm": ["nodes": ["list": .array(nodes), "healthCheck": health, "minVersion": "0.8.0"]]
        ]
        return document.prettyText + "\n"
    }

    /// What the web app needs beside its nodes.
    @Sendable static func pwaAdvice(_ world: WorldAddresses) -> String {
        let urls = world.nodes.map(\.tlsURL).filter { !$0.isEmpty }
        let secure = urls.isEmpty ? "mocknet up --node-tls gives it others." : urls.joined(separator: ", ")
        return """

            Put adm.nodes into src/config/development.json and run npm run dev. The page must be http: a https page
            does not call http nodes. For a https page, in a browser that trusts \(world.caFile):
            \(secure)

            """
    }

    /// A snippet for adamant-api.
    @Sendable static func apiJS(_ world: WorldAddresses) throws(CommandFailure) -> String {
        let passphrase = world.document["accounts"]?.arrayValue?.first?["passphrase"]?.stringValue ?? ""
        return """
            import { AdamantApi } from 'adamant-api';

            const api = new AdamantApi({
              nodes: \(JSONValue.array(world.nodes.map { .string($0.url) }).text),
              checkHealthAtStartup: true,
            });
            // An account with funds of this world.
            const passphrase = \(JSONValue.string(passphrase).text);
            await api.sendMessage(passphrase, \(JSONValue.string(world.ansAddress).text), 'Hello');

            """
    }

    /// The console's `config.jsonc`.
    @Sendable static func console(_ world: WorldAddresses) throws(CommandFailure) -> String {
        let passphrase = world.document["accounts"]?.arrayValue?.first?["passphrase"]?.stringValue ?? ""
        let document: JSONValue = [
            "passphrase": .string(passphrase),
            "network": "testnet",
            "networks": ["testnet": ["nodes": .array(try origins(world).map(\.json))]],
            "rpc": ["port": 5080],
        ]
        return "// ~/.adm/config.jsonc, or the file that ADM_CONFIG_PATH names\n" + document.prettyText + "\n"
    }

    /// Shell exports.
    @Sendable static func env(_ world: WorldAddresses) throws(CommandFailure) -> String {
        (world.variables + [(name: "NODE_EXTRA_CA_CERTS", value: world.caFile)])
            .map { "export \($0.name)=\(ShellWord.quoted($0.value))\n" }.joined()
    }

    /// What the shell's programs need beside the variables.
    @Sendable static func envAdvice(_ world: WorldAddresses) -> String {
        """

        SSL_CERT_FILE is not among them: it replaces the system's authorities, and mocknet exec makes a bundle of
        both for it. For programs that are to trust this world alone: export SSL_CERT_FILE=\(ShellWord.quoted(world.caFile))

        """
    }

    private static let noKey = CommandFailure(
        message: "this world does not have the notification service's passphrase",
        exitCode: ExitCode.failed
    )

    private static func origins(_ world: WorldAddresses) throws(CommandFailure) -> [Origin] {
        var origins: [Origin] = []
        for node in world.nodes { origins.append(try Origin(node.url)) }
        return origins
    }
}
