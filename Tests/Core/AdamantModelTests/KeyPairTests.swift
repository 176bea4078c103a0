import AdamantModel
import JSONValue
import SystemCryptography
import TestSupport
import Testing

@Suite("Keys and addresses")
struct KeyPairTests {
    let cryptography = SystemCryptography()

    @Test("a phrase gives seed, keys and address of the vectors")
    func phrases() throws {
        for vector in try Vectors().list("keypairs", count: 24) {
            let phrase = try vector.text("phrase")
            let seed = cryptography.bip39Seed(phrase: phrase)
            #expect(try seed == vector.hex("bip39SeedHex"))
            #expect(try cryptography.sha256(seed) == vector.hex("ed25519SeedHex"))
            let pair = try #require(KeyPair(phrase: phrase, cryptography: cryptography))
            #expect(try pair.publicKey == vector.hex("publicKey"))
            #expect(try pair.privateKey == vector.hex("privateKey"))
            #expect(try pair.address(cryptography: cryptography).text == vector.text("address"))
            #expect(try cryptography.keyPair(seed: vector.hex("ed25519SeedHex")) == pair)
        }
    }

    @Test("text is an address where the node takes it for one")
    func addressFormat() throws {
        for vector in try Vectors().list("addresses", count: 26) {
            guard let input = vector["input"]?.stringValue else { continue }
            #expect(Address.isValid(input) == vector["nodeAddressFormat"]?.boolValue, "\(input)")
            #expect(Address(input)?.text == (Address.isValid(input) ? input : nil))
        }
    }

    @Test("an address in lower case is told from its usual form, which can be asked for")
    func addressCase() throws {
        let address = try #require(Address("u123456"))
        #expect(address.description == "u123456")
        #expect(address.uppercased.text == "U123456")
        #expect(address.transactionBytes == address.uppercased.transactionBytes)
        #expect(address != address.uppercased)
    }

    @Test(
        "an address becomes eight bytes, big-endian",
        arguments: [
            ("U1", "0000000000000001"), ("U0", "0000000000000000"),
            ("U00000000000000000001", "0000000000000001"),
            ("U18446744073709551615", "ffffffffffffffff"), ("U18446744073709551616", "0000000000000001"),
            ("U123456789012345678901", "0000000000000006"), ("U7468527212785589781", "67a589ee196c5e15"),
        ]
    )
    func addressBytes(text: String, expected: String) throws {
        let number = try #require(Address(text)).transactionBytes
        #expect(Hex.encode(number) == expected)
    }

    @Test(
        "hexadecimal is read leniently as Node reads it, and strictly",
        arguments: [
            ("", "", true), ("0aFf", "0aff", true), ("abc", "ab", false), ("zz", "", false),
            ("12zz34", "12", false),
            ("1z34", "", false), ("é0", "", false),
        ]
    )
    func hexadecimal(text: String, lenient: String, isStrict: Bool) {
        #expect(Hex.encode(Hex.decodeLeniently(text)) == lenient)
        #expect(Hex.lenientCount(text) == lenient.utf8.count / 2)
        #expect((Hex.decode(text) != nil) == isStrict)
        #expect(Hex.encodes(text, bytes: lenient.utf8.count / 2) == isStrict)
        #expect(!Hex.encodes(text, bytes: text.utf8.count + 1))
    }

    @Test(
        "an identifier is digits that fit",
        arguments: [
            ("0", 0), ("18446744073709551615", UInt64.max), ("18446744073709551616", nil), ("", nil),
            ("-1", nil),
            ("+1", nil), ("1 ", nil), ("0x1", nil), ("007", 7),
        ] as [(String, UInt64?)]
    )
    func identifiers(text: String, number: UInt64?) {
        #expect(Identifier(text)?.number == number)
    }
}
