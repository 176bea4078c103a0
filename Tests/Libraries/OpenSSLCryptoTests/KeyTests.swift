import AdamantModel
import OpenSSLCrypto
import TestSupport
import Testing

@Suite("OpenSSL: derivation, digests and ES256")
struct KeyTests {
    @Test("SHA-256 gives the published values")
    func sha256() throws {
        let digest = { (text: String) in Hex.encode(try SHA256.digest(Array(text.utf8))) }
        #expect(
            try digest("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
        )
        #expect(
            try digest("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        )
        #expect(
            try digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")
                == "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
        )
    }

    @Test("PBKDF2 gives the published values")
    func derivation() {
        let derive = { (password: String, salt: String, rounds: Int) in
            KeyDerivation.pbkdf2SHA512(
                password: Array(password.utf8),
                salt: Array(salt.utf8),
                rounds: rounds,
                length: 64
            ).map(Hex.encode)
        }
        #expect(
            derive("password", "salt", 1)
                == "867f70cf1ade02cff3752599a3a53dc4af34c7a669815ae5d513554e1c8cf252"
                + "c02d470a285a0501bad999bfe943c08f050235d7d68b1da55e63f73b60a57fce"
        )
        #expect(
            derive("password", "salt", 4096)
                == "d197b1b33db0143e018b12f3d1d1479e6cdebdcc97c5c0f87f6902e072f457b5"
                + "143f30602641b3d55cd335988cb36b84376060ecd532e039b742a239434af2d5"
        )
        #expect(derive("", "", 1)?.count == 128)
    }

    @Test(
        "derivation refuses what is not positive",
        arguments: [(0, 64), (-1, 64), (1, 0), (1, -1), (1 << 40, 64)]
    )
    func wrongDerivation(rounds: Int, length: Int) {
        #expect(KeyDerivation.pbkdf2SHA512(password: [1], salt: [1], rounds: rounds, length: length) == nil)
    }

    @Test("SHA-1 gives the standard's examples")
    func sha1() throws {
        #expect(try Hex.encode(SHA1.digest(Array("abc".utf8))) == "a9993e364706816aba3e25717850c26c9cd0d89d")
        #expect(try Hex.encode(SHA1.digest([])) == "da39a3ee5e6b4b0d3255bfef95601890afd80709")
    }

    @Test("the signature of RFC 7515, appendix A.3, is valid, and no other is")
    func publishedSignature() throws {
        let key = try P256PublicKey(pem: publishedKey)
        let message = Array(
            ("eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9p"
                + "c19yb290Ijp0cnVlfQ").utf8
        )
        let right: [UInt8] = [
            14, 209, 33, 83, 121, 99, 108, 72, 60, 47, 127, 21, 88, 7, 212, 2, 163, 178, 40, 3, 58, 249, 124,
            126,
            23, 129, 154, 195, 22, 158, 166, 101, 197, 10, 7, 211, 140, 60, 112, 229, 216, 241, 45, 175, 8,
            74, 84,
            128, 166, 101, 144, 197, 242, 147, 80, 154, 143, 63, 127, 138, 131, 163, 84, 213,
        ]
        #expect(key.isValid(signature: right, message: message))
        #expect(!key.isValid(signature: right, message: message + [0]))
        for index in right.indices {
            var changed = right
            changed[index] ^= 1
            #expect(!key.isValid(signature: changed, message: message))
        }
    }

    /// The key of RFC 7515, appendix A.3, as PEM.
    private let publishedKey = """
        -----BEGIN PUBLIC KEY-----
        MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEf83OJ3D2xF1Bg8vub9tLe1gHMzV7
        6e8Tus9uPHvRVEXH8UTNG72bfocs3+257rn0s2ldbqkLJK2KRiMohYjlrQ==
        -----END PUBLIC KEY-----
        """

    @Test("both encodings of a signature are valid, for their message and key only")
    func encodings() throws {
        let key = try P256PrivateKey()
        let publicKey = try key.publicKey()
        let other = try P256PrivateKey().publicKey()
        let message = Array("header.claims".utf8)
        // Several, since the length of DER varies with the numbers.
        for _ in 0..<50 {
            let (raw, der) = (try key.signature(of: message), try key.derSignature(of: message))
            #expect(raw.count == 64)
            #expect(der.first == 0x30)
            for signature in [raw, der] {
                #expect(publicKey.isValid(signature: signature, message: message))
                #expect(!publicKey.isValid(signature: signature, message: Array("header.claimz".utf8)))
                #expect(!other.isValid(signature: signature, message: message))
                #expect(!publicKey.isValid(signature: signature + [0], message: message))
                #expect(!publicKey.isValid(signature: signature.dropLast(), message: message))
            }
            #expect(publicKey.isValid(rawSignature: raw, message: message))
            #expect(!publicKey.isValid(derSignature: raw, message: message))
            #expect(publicKey.isValid(derSignature: der, message: message))
            #expect(!publicKey.isValid(rawSignature: der, message: message))
        }
    }

    @Test(
        "what is no signature is refused",
        arguments: [
            [], [0x30], [0x30, 0x00], [UInt8](repeating: 0, count: 64), [UInt8](repeating: 255, count: 64),
        ]
    )
    func noSignature(signature: [UInt8]) throws {
        let key = try P256PrivateKey().publicKey()
        #expect(!key.isValid(signature: signature, message: [1]))
    }

    @Test("a key comes back from its PEM, in PKCS#8 form")
    func pem() throws {
        let key = try P256PrivateKey()
        let pem = try key.pem()
        #expect(pem.hasPrefix("-----BEGIN PRIVATE KEY-----\n"))
        let again = try P256PrivateKey(pem: pem)
        #expect(try again.pem() == pem)
        let signature = try again.signature(of: [1])
        #expect(try P256PublicKey(pem: key.publicKey().pem()).isValid(signature: signature, message: [1]))
    }

    @Test("what is no P-256 key is refused with a reason")
    func wrongKeys() throws {
        for text in ["", "nonsense", "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"] {
            #expect(throws: OpenSSLError.self) { try P256PrivateKey(pem: text) }
            #expect(throws: OpenSSLError.self) { try P256PublicKey(pem: text) }
        }
        let error = #expect(throws: OpenSSLError.self) { try P256PrivateKey(pem: ed25519Key) }
        #expect(error?.description == "reading a private key failed: it is not on the curve P-256")
    }

    /// An Ed25519 key made for this test.
    private let ed25519Key = """
        -----BEGIN PRIVATE KEY-----
        MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
        -----END PRIVATE KEY-----
        """
}
