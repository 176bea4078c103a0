/// An account whose keys everybody knows, the same on every machine.
public struct TestAccount: Hashable, Sendable {
    /// A lower-case name.
    public let name: String
    /// Twelve words of BIP-39.
    public let phrase: String
    /// The keys of the phrase.
    public let keyPair: KeyPair
    /// The address of the public key.
    public let address: Address

    /// An account of constants; the private key is the seed followed by the public key.
    fileprivate init?(_ name: String, _ phrase: String, seed: String, publicKey: String, address: String) {
        guard let seed = Hex.decode(seed), let publicKey = Hex.decode(publicKey),
            let address = Address(address)
        else { return nil }
        self.name = name
        self.phrase = phrase
        keyPair = KeyPair(publicKey: publicKey, privateKey: seed + publicKey)
        self.address = address
    }
}

/// The accounts of a new world.
///
/// Each phrase has the entropy of the first 16 bytes of SHA-256 of `mocknet test account NAME`. Deriving keys
/// from a phrase takes milliseconds, so they stand here; a test derives them again.
public enum TestAccounts {
    /// Accounts with a balance, alice to judy.
    public static let funded: [TestAccount] = all.filter { $0.name != "zero" && $0.name != "ans" }

    /// The account of a name; nil when there is none.
    public static func account(_ name: String) -> TestAccount? {
        all.first { $0.name == name }
    }

    /// The pair that hands out the supply in the genesis block; nil when the primitives fail.
    public static func genesis(cryptography: some Cryptography) -> KeyPair? {
        pair(of: "mocknet genesis", cryptography: cryptography)
    }

    /// The pairs of the 101 genesis delegates in order: their seeds are SHA-256 of `mocknet delegate N`.
    public static func delegates(cryptography: some Cryptography) -> [KeyPair] {
        (1...101).compactMap { pair(of: "mocknet delegate \($0)", cryptography: cryptography) }
    }

    private static func pair(of text: String, cryptography: some Cryptography) -> KeyPair? {
        cryptography.keyPair(seed: cryptography.sha256(Array(text.utf8)))
    }

    /// All accounts: alice to judy, zero without a balance, and ans, the notification service's.
    public static let all: [TestAccount] = [
        TestAccount(
            "alice",
            "reveal economy chimney wrist biology truck wave problem clip merry accuse address",
            seed: "a77509ed5ace4db9a585df2a5b22f80f007759f9f1fcb1ced45703192a68f3b2",
            publicKey: "f34b506047ed4bda9c80949944e9d73fddf9ed2bd8dbfeb9d494960b7f599522",
            address: "U6011489040449506951"
        ),
        TestAccount(
            "bob",
            "host tank eye climb latin puzzle pilot hamster protect ignore side salt",
            seed: "220d8786f049e5e00c382da4a7823b58f658c4750813955556e3783896b54813",
            publicKey: "c155458c005d539b629341d692222768fe2db30e4d51cb2e608864804ec54c08",
            address: "U15304720778116819472"
        ),
        TestAccount(
            "carol",
            "wing flip airport oval royal rain kite assume okay suspect equal pigeon",
            seed: "c20bca2c5bceba73bab37c98ccccd5c718883a1ee65ec5678f8e5b2e4631fa6b",
            publicKey: "a8d42d0d61a5617421cf41391bf56d4d65f03bf99f8b4555b17bec525ef3c67a",
            address: "U3474286430131341051"
        ),
        TestAccount(
            "dave",
            "length update write image cook permit object dwarf lobster idle update panda",
            seed: "ae2d2b7aae6d8744f6b4d547f3885f620cacd3de769465ea82d952f28e112f90",
            publicKey: "e5bce2a562d8fb1ba5c2006848233e0f126b79fa4f3a70248d8f95bddc132d7f",
            address: "U15623680432988719811"
        ),
        TestAccount(
            "erin",
            "brown budget decade solution property brisk clerk scan thrive sketch torch once",
            seed: "275d47d9c29d982af4bdd7678e7a21116982767fba7b0381cca59dc69f7b7441",
            publicKey: "c4598082007c47f00be367adba778521a4ae03a3d5c22c55c686ea240ed00799",
            address: "U16972813118543722509"
        ),
        TestAccount(
            "frank",
            "unit brave smoke confirm valid entire unlock robust advice industry believe engine",
            seed: "6ab3f01bd8211752127f66b2e9293c95a106643772ccfcca054244015f363440",
            publicKey: "a9910946f438c52ac7ed630587ce1dfa6ce6767fea85840a21bdaa0ee34c1346",
            address: "U683459390179753862"
        ),
        TestAccount(
            "grace",
            "soldier ride fish spawn fox symptom relief bag once maximum champion junior",
            seed: "5643b877c263bbf1e57fc40c5ff681dca78d6aa52a3d89e387310e846469e75b",
            publicKey: "f7ceb809328b7f723e91833af296eab790c19fcb4ff794230ee4fb115eca3053",
            address: "U8753923232445437702"
        ),
        TestAccount(
            "heidi",
            "dry later avocado airport pair outside shove lock fruit glare nerve swarm",
            seed: "e5571c14477e89500e6d3e434fbd16dfaec4810032c045c6ea006ecb372f6ebd",
            publicKey: "ed363dac2ce6cf1c2a0b5981a92bb3a3c1c2411f6e150c88cd042209d3c763a2",
            address: "U9575449763887825157"
        ),
        TestAccount(
            "ivan",
            "emotion orbit absurd lamp license arm theory normal noble rain weasel trouble",
            seed: "3f16092906038187dc1921ae5e7652502b8e74b16fa7501002bb10ad9b29c9e9",
            publicKey: "63edb952ed72552404298d0852d73bbeb03ca85770c2a1da1bddaf5b64eb643f",
            address: "U17517004971687999163"
        ),
        TestAccount(
            "judy",
            "exchange mutual ancient sign fitness trick goat raise margin cage fever rude",
            seed: "821e48a254652dc4b36c69e1342cfe9e0fac38f414ca1d7d4ecba1ecb589f925",
            publicKey: "41d10240f8d03e92deb2f145236c5c35e0cf564796128bc7520becd4792feef7",
            address: "U15436546148554022199"
        ),
        TestAccount(
            "zero",
            "away stuff barely jaguar bracket push inch alter like require later cruel",
            seed: "d6d904955a272e3aea316900e6a45d46c218d79be75ec6be572a0922b9fa927c",
            publicKey: "22f2b3c64a4e91e4a3014b08776d433bb7859873797c0921b12e929ea90ad2b8",
            address: "U5002801043287585913"
        ),
        TestAccount(
            "ans",
            "jacket inform humble canoe spy wolf rare certain recipe swing vehicle dance",
            seed: "fdec32fa3ee9e76cd0385c27ce024adc8f0c324b0acad1ada11308207b2fc3ff",
            publicKey: "3d3b0b8b82fa1bd2abb32c888e3bb1c27cedb1eb9ee7f86c97e1e48f88c7d36a",
            address: "U14092683936749692570"
        ),
    ].compactMap(\.self)
}
