import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("The world's cryptography")
struct SystemCryptographyTests {
    @Test("phrases give the keys of the vectors, asked once or again")
    func phrases() throws {
        let cryptography = SystemCryptography()
        let vectors = try #require(Fixture.json("crypto/adamant-crypto.json")["keypairs"]?.arrayValue)
        try #require(vectors.count == 24)
        for vector in vectors + vectors {
            let phrase = try #require(vector["phrase"]?.stringValue)
            #expect(Hex.encode(cryptography.bip39Seed(phrase: phrase)) == vector["bip39SeedHex"]?.stringValue)
            let pair = try #require(KeyPair(phrase: phrase, cryptography: cryptography))
            #expect(Hex.encode(pair.privateKey) == vector["privateKey"]?.stringValue)
            #expect(pair.address(cryptography: cryptography).text == vector["address"]?.stringValue)
        }
    }

    @Test("messages open from both sides")
    func messages() throws {
        let cryptography = SystemCryptography()
        let vector = try #require(Fixture.json("crypto/adamant-crypto.json")["messages"]?.arrayValue?.first)
        let hex = { (party: String, key: String) in
            try #require(Hex.decode(vector[party]?[key]?.stringValue ?? "-"))
        }
        let box = MessageBox(
            message: try #require(vector["message"]?.stringValue),
            nonce: try #require(vector["own_message"]?.stringValue)
        )
        for (key, own) in [("sender", "recipient"), ("recipient", "sender")] {
            let text = try box.open(
                publicKey: hex(key, "publicKey"),
                privateKey: hex(own, "privateKey"),
                cryptography: cryptography
            )
            #expect(text == vector["plaintext"]?.stringValue)
        }
    }
}
