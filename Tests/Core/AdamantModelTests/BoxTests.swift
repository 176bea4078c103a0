import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Sealed messages and values")
struct BoxTests {
    let cryptography = SystemCryptography()

    @Test("a message is sealed to the same bytes and opens from both sides")
    func messages() throws {
        for vector in try Vectors().list("messages", count: 37) {
            let text = try vector.text("plaintext")
            #expect(try Array(text.utf8) == vector.hex("plaintextUtf8Hex"))
            let sender = try #require(vector["sender"])
            let recipient = try #require(vector["recipient"])
            let pair = KeyPair(
                publicKey: try sender.hex("publicKey"),
                privateKey: try sender.hex("privateKey")
            )
            let box = try #require(
                MessageBox(
                    sealing: text,
                    nonce: vector.hex("own_message"),
                    to: recipient.hex("publicKey"),
                    from: pair,
                    cryptography: cryptography
                )
            )
            #expect(try box.message == vector.text("message"))
            #expect(try box.nonce == vector.text("own_message"))
            let opened = try box.open(
                publicKey: sender.hex("publicKey"),
                privateKey: recipient.hex("privateKey"),
                cryptography: cryptography
            )
            #expect(opened == text)
            let openedBySender = try box.open(
                publicKey: recipient.hex("publicKey"),
                privateKey: pair.privateKey,
                cryptography: cryptography
            )
            #expect(openedBySender == text)
        }
    }

    @Test("a tampered message does not open")
    func tampered() throws {
        for vector in try Vectors().list("undecryptableMessages", count: 4) {
            let box = MessageBox(message: try vector.text("message"), nonce: try vector.text("own_message"))
            let opened = try box.open(
                publicKey: vector.hex("senderPublicKey"),
                privateKey: vector.hex("recipientPrivateKey"),
                cryptography: cryptography
            )
            #expect(opened == nil, "\(vector["note"]?.stringValue ?? "")")
        }
    }

    @Test("keys, nonces and texts of a wrong form are refused")
    func wrongForms() throws {
        let pair = try #require(cryptography.keyPair(seed: Array(0..<32)))
        let nonce = [UInt8](repeating: 7, count: 24)
        let seal = { (nonce: [UInt8], key: [UInt8], pair: KeyPair) in
            MessageBox(sealing: "x", nonce: nonce, to: key, from: pair, cryptography: cryptography)
        }
        let box = try #require(seal(nonce, pair.publicKey, pair))
        #expect(seal([1], pair.publicKey, pair) == nil)
        #expect(seal(nonce, [1], pair) == nil)
        #expect(seal(nonce, [UInt8](repeating: 0, count: 32), pair) == nil, "a point of small order")
        #expect(seal(nonce, pair.publicKey, KeyPair(publicKey: [], privateKey: [])) == nil)
        for broken in [
            MessageBox(message: "zz", nonce: box.nonce), MessageBox(message: box.message, nonce: "00"),
            MessageBox(message: box.message + "0", nonce: box.nonce), MessageBox(message: "", nonce: ""),
        ] {
            let opened = broken.open(
                publicKey: pair.publicKey,
                privateKey: pair.privateKey,
                cryptography: cryptography
            )
            #expect(opened == nil)
        }
    }

    @Test("a stored value is sealed to the same bytes and opens to its payload")
    func storedValues() throws {
        for vector in try Vectors().list("kvsEncryptedValues", count: 5) {
            let payload = try #require(vector["payload"])
            let padded = try vector.text("paddedPlaintext")
            let before = String(
                try #require(padded.split(separator: "{", omittingEmptySubsequences: false).first)
            )
            let after = String(
                try #require(padded.split(separator: "}", omittingEmptySubsequences: false).last)
            )
            let privateKey = try vector.hex("privateKey")
            let box = try #require(
                KVSBox(
                    sealing: payload,
                    padding: (before, after),
                    nonce: vector.hex("nonce"),
                    privateKey: privateKey,
                    cryptography: cryptography
                )
            )
            #expect(try box.message == vector.text("message"))
            #expect(try box.nonce == vector.text("nonce"))
            let stored = #"{"message":"\#(box.message)","nonce":"\#(box.nonce)"}"#
            #expect(box.value == stored)
            let read = try #require(KVSBox(value: stored))
            #expect(read.open(privateKey: privateKey, cryptography: cryptography) == payload)
            #expect(read.open(privateKey: privateKey.reversed(), cryptography: cryptography) == nil)
            #expect(read.open(privateKey: [], cryptography: cryptography) == nil)
        }
    }

    @Test(
        "a stored value that is no box is told from one",
        arguments: ["", "{}", "[]", "text", #"{"message":1,"nonce":""}"#, #"{"message":"00"}"#]
    )
    func plainValues(value: String) {
        #expect(KVSBox(value: value) == nil)
    }

    @Test("padding that could be taken for JSON, and a short key, are refused")
    func wrongPadding() {
        for (padding, key) in [("{", 64), ("A", 64), ("", 63)] {
            let box = KVSBox(
                sealing: 1,
                padding: (padding, ""),
                nonce: [UInt8](repeating: 0, count: 24),
                privateKey: [UInt8](repeating: 1, count: key),
                cryptography: cryptography
            )
            #expect(box == nil)
        }
    }
}
