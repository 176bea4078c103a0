import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Pass phrases and test accounts")
struct MnemonicTests {
    let cryptography = SystemCryptography()

    @Test("the word list is that of BIP-39")
    func wordList() {
        #expect(Mnemonic.words.count == 2048)
        let digest = cryptography.sha256(Array((Mnemonic.words.joined(separator: "\n") + "\n").utf8))
        #expect(Hex.encode(digest) == "2f5eed53a4727b4bf8880d8f3f199efc90e58503646d9ff8eff3a2ed3b24dbda")
    }

    @Test(
        "entropy gives the published phrase and comes back from it",
        arguments: [
            (
                "00000000000000000000000000000000",
                "abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon abandon about"
            ),
            (
                "7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f7f",
                "legal winner thank year wave sausage worth useful legal winner thank yellow"
            ),
            ("ffffffffffffffffffffffffffffffff", "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong"),
            (
                "808080808080808080808080808080808080808080808080",
                "letter advice cage absurd amount doctor acoustic avoid letter advice cage absurd amount doctor "
                    + "acoustic avoid letter always"
            ),
            (
                "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff",
                "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo vote"
            ),
        ]
    )
    func published(entropy: String, phrase: String) throws {
        let bytes = try #require(Hex.decode(entropy))
        #expect(Mnemonic(entropy: bytes, cryptography: cryptography)?.phrase == phrase)
        #expect(Mnemonic(phrase: phrase, cryptography: cryptography)?.entropy == bytes)
    }

    @Test("the phrases of the vectors are valid")
    func vectors() throws {
        for vector in try Vectors().list("keypairs", count: 24) {
            let phrase = try vector.text("phrase")
            #expect(Mnemonic(phrase: phrase, cryptography: cryptography) != nil, "\(phrase)")
        }
    }

    @Test(
        "what is no phrase is refused",
        arguments: [
            "", " ", "abandon", "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong ",
            " zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
            "zoo  zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
            "Zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrongly",
            "zoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong",
            "abandon abandon about", "zoo\tzoo zoo zoo zoo zoo zoo zoo zoo zoo zoo wrong", "ZOO zoö",
        ]
    )
    func refused(phrase: String) {
        #expect(Mnemonic(phrase: phrase, cryptography: cryptography) == nil)
    }

    @Test("entropy of another length has no phrase", arguments: [0, 12, 15, 17, 33, 36])
    func wrongEntropy(count: Int) {
        let bytes = [UInt8](repeating: 1, count: count)
        #expect(Mnemonic(entropy: bytes, cryptography: cryptography) == nil)
    }

    @Test("the constants of all test accounts come out of their names again")
    func testAccounts() throws {
        #expect(
            TestAccounts.all.map(\.name) == [
                "alice", "bob", "carol", "dave", "erin", "frank", "grace", "heidi", "ivan", "judy", "zero",
                "ans",
            ]
        )
        #expect(TestAccounts.funded.map(\.name) == TestAccounts.all.map(\.name).dropLast(2))
        for account in TestAccounts.all {
            let digest = cryptography.sha256(Array("mocknet test account \(account.name)".utf8))
            let mnemonic = try #require(
                Mnemonic(entropy: Array(digest.prefix(16)), cryptography: cryptography)
            )
            #expect(mnemonic.phrase == account.phrase)
            #expect(Mnemonic(phrase: account.phrase, cryptography: cryptography) == mnemonic)
            let pair = KeyPair(phrase: account.phrase, cryptography: cryptography)
            #expect(pair == account.keyPair)
            #expect(pair?.address(cryptography: cryptography) == account.address)
            #expect(TestAccounts.account(account.name) == account)
        }
        #expect(TestAccounts.account("mallory") == nil)
    }

    @Test("genesis and delegates have keys of their own")
    func genesisKeys() throws {
        let genesis = try #require(TestAccounts.genesis(cryptography: cryptography))
        let delegates = TestAccounts.delegates(cryptography: cryptography)
        #expect(delegates.count == 101)
        let all = delegates + [genesis] + TestAccounts.all.map(\.keyPair)
        #expect(Set(all.map(\.publicKey)).count == all.count)
        let seed = cryptography.sha256(Array("mocknet delegate 101".utf8))
        #expect(Array(delegates[100].privateKey.prefix(32)) == seed)
    }
}
