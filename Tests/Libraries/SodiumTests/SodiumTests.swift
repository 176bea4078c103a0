import AdamantModel
import JSONValue
import Sodium
import TestSupport
import Testing

@Suite("libsodium")
struct SodiumTests {
    private func bytes(_ text: String) throws -> [UInt8] { try #require(Hex.decode(text)) }

    @Test("digests are those of the standard's examples")
    func digests() {
        #expect(
            Hex.encode(Sodium.sha256(Array("abc".utf8)))
                == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            Hex.encode(Sodium.sha256([]))
                == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            Hex.encode(Sodium.sha512(Array("abc".utf8)))
                == "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"
        )
    }

    @Test(
        "signatures are those of RFC 8032",
        arguments: [
            (
                "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
                "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "",
                "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bacc61e39701cf9b46b"
                    + "d25bf5f0595bbe24655141438e7a100b"
            ),
            (
                "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
                "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025", "af82",
                "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc659"
                    + "4a7c15e9716ed28dc027beceea1ec40a"
            ),
        ]
    )
    func signatures(seed: String, publicKey: String, message: String, signature: String) throws {
        let pair = try #require(Sodium.signingKeyPair(seed: bytes(seed)))
        #expect(Hex.encode(pair.publicKey) == publicKey)
        let message = try bytes(message)
        let made = try #require(Sodium.sign(message, secretKey: pair.secretKey))
        #expect(Hex.encode(made) == signature)
        #expect(Sodium.verify(signature: made, message: message, publicKey: pair.publicKey))
        #expect(!Sodium.verify(signature: made, message: message + [0], publicKey: pair.publicKey))
        for index in made.indices {
            var changed = made
            changed[index] ^= 0x10
            #expect(!Sodium.verify(signature: changed, message: message, publicKey: pair.publicKey))
        }
    }

    @Test("keys convert to the X25519 keys of the vectors")
    func conversion() throws {
        let messages = try #require(Fixture.json("crypto/adamant-crypto.json")["messages"]?.arrayValue)
        try #require(messages.count == 37)
        for vector in messages {
            let secret = try bytes(#require(vector["sender"]?["privateKey"]?.stringValue))
            let converted = Sodium.boxSecretKey(ofSigningKey: secret).map(Hex.encode)
            #expect(converted == vector["sender"]?["curve25519SecretHex"]?.stringValue)
            let key = try bytes(#require(vector["recipient"]?["publicKey"]?.stringValue))
            let convertedKey = Sodium.boxPublicKey(ofSigningKey: key).map(Hex.encode)
            #expect(convertedKey == vector["recipient"]?["curve25519PublicHex"]?.stringValue)
        }
    }

    @Test(
        "wrong lengths and points of small order are answers, not traps",
        arguments: [0, 1, 23, 31, 33, 63, 65]
    )
    func wrongLengths(count: Int) throws {
        let some = [UInt8](repeating: 1, count: count)
        let (nonce, key) = ([UInt8](repeating: 2, count: 24), [UInt8](repeating: 9, count: 32))
        #expect(Sodium.signingKeyPair(seed: some) == nil)
        #expect(Sodium.sign([], secretKey: some) == nil)
        #expect(!Sodium.verify(signature: some, message: [], publicKey: key))
        #expect(!Sodium.verify(signature: [UInt8](repeating: 1, count: 64), message: [], publicKey: some))
        #expect(Sodium.boxPublicKey(ofSigningKey: some) == nil)
        #expect(Sodium.boxSecretKey(ofSigningKey: some) == nil)
        #expect(Sodium.sealBox([], nonce: some, publicKey: key, secretKey: key) == nil)
        #expect(Sodium.sealBox([], nonce: nonce, publicKey: some, secretKey: key) == nil)
        #expect(Sodium.sealBox([], nonce: nonce, publicKey: key, secretKey: some) == nil)
        #expect(Sodium.openBox(some, nonce: nonce, publicKey: key, secretKey: key) == nil)
        #expect(Sodium.openBox(key, nonce: some, publicKey: key, secretKey: key) == nil)
        #expect(Sodium.sealSecretBox([], nonce: some, key: key) == nil)
        #expect(Sodium.sealSecretBox([], nonce: nonce, key: some) == nil)
        #expect(Sodium.openSecretBox(some, nonce: nonce, key: key) == nil)
        #expect(Sodium.openSecretBox(key, nonce: some, key: key) == nil)
        #expect(Sodium.openSecretBox(key, nonce: nonce, key: some) == nil)
    }

    @Test("points of small order are refused")
    func smallOrder() {
        let zero = [UInt8](repeating: 0, count: 32)
        #expect(Sodium.boxPublicKey(ofSigningKey: zero) == nil)
        #expect(!Sodium.verify(signature: [UInt8](repeating: 0, count: 64), message: [], publicKey: zero))
        let (nonce, key) = ([UInt8](repeating: 2, count: 24), [UInt8](repeating: 9, count: 32))
        #expect(Sodium.sealBox([1], nonce: nonce, publicKey: zero, secretKey: key) == nil)
    }

    @Test("random bytes come in the number asked for and differ")
    func random() {
        #expect(Sodium.randomBytes(0).isEmpty)
        #expect(Sodium.randomBytes(-1).isEmpty)
        let first = Sodium.randomBytes(32)
        #expect(first.count == 32)
        #expect(first != Sodium.randomBytes(32))
    }

    @Test(
        "Base64 is written as RFC 4648 gives it, in each variant",
        arguments: [
            ("", "", ""), ("f", "Zg==", "Zg"), ("fo", "Zm8=", "Zm8"), ("foo", "Zm9v", "Zm9v"),
            ("foob", "Zm9vYg==", "Zm9vYg"), ("fooba", "Zm9vYmE=", "Zm9vYmE"),
            ("foobar", "Zm9vYmFy", "Zm9vYmFy"),
        ]
    )
    func base64(text: String, padded: String, bare: String) {
        let bytes = Array(text.utf8)
        for (variant, expected) in [
            (Sodium.Base64Variant.standard, padded), (.url, padded), (.standardWithoutPadding, bare),
            (.urlWithoutPadding, bare),
        ] {
            #expect(Sodium.base64(bytes, variant: variant) == expected)
            #expect(Sodium.bytes(base64: expected, variant: variant) == bytes)
        }
    }

    @Test("the two alphabets differ in two letters")
    func alphabets() {
        #expect(Sodium.base64([0xFB, 0xFF], variant: .standard) == "+/8=")
        #expect(Sodium.base64([0xFB, 0xFF], variant: .urlWithoutPadding) == "-_8")
        #expect(Sodium.bytes(base64: "+/8=", variant: .url) == nil)
        #expect(Sodium.bytes(base64: "-_8=", variant: .standard) == nil)
    }

    @Test(
        "what is no Base64 is refused",
        arguments: [
            "Z", "Zg=", "Zg", "Zg===", "Zh==", "Zm9", "Z g=", " Zg==", "Zg==\n", "Zg==Zg==", "=", "====",
            "Zm9v!",
            "Zm\u{0}v", "Zé==",
        ]
    )
    func wrongBase64(text: String) {
        #expect(Sodium.bytes(base64: text, variant: .standard) == nil)
    }

    @Test("long texts come back", arguments: Sodium.Base64Variant.allCases)
    func longBase64(variant: Sodium.Base64Variant) {
        for count in 0..<300 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 89 + count) }
            #expect(Sodium.bytes(base64: Sodium.base64(bytes, variant: variant), variant: variant) == bytes)
        }
    }
}
