import AdamantLedger
import AdamantModel
import APNsRules
import Determinism
import FaultRules
import Files
import Threads
import TraceRules

/// What stays the same when a world is reset: seed, accounts and versions as the flags gave them.
struct WorldSettings: Sendable {
    let configuration: WorldConfiguration
    let seed: UInt64
    let genesis: Genesis
    let profiles: [NodeProfile]
    /// The accounts whose passphrases are known from the start.
    let accounts: AccountBook
    /// The ANS's account; nil with a foreign one, whose key nobody here has.
    let ans: KnownAccount?
    let ansAddress: Address
    /// What `fund` pays from.
    let treasury: KeyPair
    let controlToken: String?
    let certificates: CertificateStore
    /// The keys of providers that the flags gave.
    let providerKeys: [ProviderKey]

    /// Balance of the account that `fund` pays from: most of the supply.
    private static let treasuryBalance: Int64 = 9_000_000_000_000_000

    /// Checks a configuration and derives what it stands for; `keptSeed` is that of the world that is resumed.
    init(
        _ configuration: WorldConfiguration,
        keptSeed: UInt64?,
        cryptography: any Cryptography
    ) throws(WorldError) {
        self.configuration = configuration
        seed = keptSeed ?? configuration.seed ?? UInt64(UInt32.random(in: 1...UInt32.max))
        profiles = try (0..<configuration.nodeCount).map { node throws(WorldError) in
            let version = configuration.nodeVersion(node)
            guard var profile = NodeProfile(version: version) else {
                throw WorldError(
                    "--node-version must be 0.9, 0.10 or an exact one such as 0.10.2, not '\(version)'",
                    exitCode: 64
                )
            }
            profile.situation.relayMilliseconds = configuration.relayMilliseconds
            return profile
        }
        let (book, granted) = try Self.accounts(configuration, cryptography: cryptography)
        guard let treasury = cryptography.keyPair(seed: cryptography.sha256(Array("mocknet treasury".utf8))),
            let holder = TestAccounts.genesis(cryptography: cryptography)
        else { throw WorldError("the genesis keys cannot be made") }
        let treasuryAccount = GenesisAccount(
            name: "treasury",
            address: treasury.address(cryptography: cryptography),
            publicKey: treasury.publicKey,
            balance: Self.treasuryBalance
        )
        self.treasury = treasury
        (ans, ansAddress) = try Self.ans(configuration, in: book)
        accounts = book
        genesis = Genesis(
            accounts: granted + [treasuryAccount],
            holder: holder,
            delegates: TestAccounts.delegates(cryptography: cryptography),
            showsDelegates: true
        )
        controlToken = Self.controlToken(configuration)
        providerKeys = try configuration.apnsKeys.map { file throws(WorldError) in try Self.key(file) }
        certificates = try CertificateStore(
            folder: StateFolder.path(of: configuration),
            furtherNames: configuration.listenHosts.filter { !["localhost", "0.0.0.0", "::"].contains($0) }
                + configuration.tlsNames
        )
    }

    /// The accounts whose passphrases are known, and what the genesis block grants them.
    private static func accounts(
        _ configuration: WorldConfiguration,
        cryptography: any Cryptography
    ) throws(WorldError) -> (AccountBook, [GenesisAccount]) {
        var book = AccountBook()
        var granted: [GenesisAccount] = []
        for test in TestAccounts.all {
            var account = KnownAccount(
                name: test.name,
                passphrase: test.phrase,
                keys: test.keyPair,
                address: test.address
            )
            if test.name == "ans" {
                if configuration.foreignANSAddress != nil { continue }
                if let phrase = configuration.ansPassphrase {
                    account = try Self.account(phrase, "ans", "--ans-account", cryptography: cryptography)
                }
            }
            book.add(account)
            granted.append(account.granted(test.name == "zero" ? 0 : Genesis.testBalance))
        }
        for (index, extra) in configuration.extraAccounts.enumerated() {
            let name = extra.name ?? "account\(index + 1)"
            let account = try Self.account(extra.passphrase, name, "--account", cryptography: cryptography)
            if let other = book.find(name), other.address != account.address {
                throw WorldError("--account: the name '\(name)' is taken by \(other.address)", exitCode: 64)
            }
            book.add(account)
            granted.removeAll { $0.address == account.address }
            granted.append(account.granted(Int64(clamping: extra.amountUnits)))
        }
        return (book, granted)
    }

    /// The state of a world that has just started.
    func freshState(isKept: Bool, cryptography: any Cryptography) -> WorldState {
        let names = WorldConfiguration.nodeNames.prefix(configuration.nodeCount)
        var faults = FaultBook(seed: seed, nodeNames: Array(names), replay: configuration.replay)
        for name in names where configuration.failureRate > 0 {
            faults.setFailureRate(configuration.failureRate, mix: configuration.failureMix, node: name)
        }
        return WorldState(
            ledger: Ledger(
                genesis: genesis,
                profiles: profiles,
                startHeight: configuration.startHeight,
                cryptography: cryptography
            ),
            faults: faults,
            gateway: freshGateway,
            accounts: accounts,
            registry: SignalRegistry(service: ans?.keys, address: ansAddress),
            journal: Journal(),
            pushes: PushArchive(bounds: configuration.pushBounds, folder: configuration.dataDirectory),
            nodes: zip(names, profiles).map { NodeState(name: $0, profile: $1) },
            forging: ForgingSettings(
                mode: configuration.forging,
                intervalMilliseconds: configuration.blockIntervalMilliseconds
            ),
            generator: SeededGenerator(seed: seed, purpose: "world"),
            isKept: isKept
        )
    }

    private var freshGateway: APNsGateway {
        var gateway = APNsGateway()
        addProviderKeys(to: &gateway)
        return gateway
    }

    /// Registers the keys that the flags gave; once there is one, tokens of others are refused.
    func addProviderKeys(to gateway: inout APNsGateway) {
        if !providerKeys.isEmpty { gateway.settings.credentials = .registeredKeys }
        for key in providerKeys { gateway.setKey(key) }
    }

    private static func key(_ file: WorldConfiguration.ProviderKeyFile) throws(WorldError) -> ProviderKey {
        let text: String
        do throws(FileError) {
            text = String(decoding: try Files.read(file.path), as: UTF8.self)
        } catch {
            throw WorldError("--apns-key: \(error)", exitCode: 64)
        }
        guard let half = ProviderKey.publicHalf(ofPEM: text),
            let key = ProviderKey(keyId: file.keyId, teamId: file.teamId, publicKeyPEM: half).readyToVerify
        else {
            throw WorldError("--apns-key: \(file.path) holds no P-256 key in PEM", exitCode: 64)
        }
        return key
    }

    private static func ans(
        _ configuration: WorldConfiguration,
        in book: AccountBook
    ) throws(WorldError) -> (KnownAccount?, Address) {
        if let foreign = configuration.foreignANSAddress {
            guard configuration.ansPassphrase == nil else {
                throw WorldError("--foreign-ans and --ans-account contradict each other", exitCode: 64)
            }
            guard let address = Address(foreign) else {
                throw WorldError(
                    "--foreign-ans must be an address such as U123, not '\(foreign)'",
                    exitCode: 64
                )
            }
            return (nil, address)
        }
        guard let account = book.find("ans") else {
            throw WorldError("--account: an account of the ANS's passphrase is the ANS's own", exitCode: 64)
        }
        return (account, account.address)
    }

    private static func account(
        _ phrase: String,
        _ name: String,
        _ option: String,
        cryptography: any Cryptography
    ) throws(WorldError) -> KnownAccount {
        guard let phrase = Mnemonic(phrase: phrase, cryptography: cryptography)?.phrase,
            let keys = KeyPair(phrase: phrase, cryptography: cryptography)
        else {
            throw WorldError(
                "\(option): the passphrase must be valid BIP-39 English words, as the apps check",
                exitCode: 64
            )
        }
        return KnownAccount(
            name: name,
            passphrase: phrase,
            keys: keys,
            address: keys.address(cryptography: cryptography)
        )
    }

    private static func controlToken(_ configuration: WorldConfiguration) -> String? {
        if let token = configuration.controlToken { return token }
        let isLoopback = configuration.listenHosts.allSatisfy {
            $0 == "localhost" || $0 == "::1" || $0.hasPrefix("127.")
        }
        guard !isLoopback else { return nil }
        return (0..<16).map { _ in Hex.encode([UInt8.random(in: 0...255)]) }.joined()
    }
}

extension KnownAccount {
    /// What the genesis block grants the account.
    fileprivate func granted(_ balance: Int64) -> GenesisAccount {
        GenesisAccount(name: name ?? "", address: address, publicKey: keys.publicKey, balance: balance)
    }
}
