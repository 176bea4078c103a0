import HTTPClient
import JSONValue
import Testing

@testable import CommandLineInterface

@Suite("Command line: what people read")
struct BannerTests {
    @Test("tells addresses, accounts, the service and where choices came from")
    func banner() {
        let world = WorldAddresses([
            "seed": 7, "height": 12,
            "nodes": [
                [
                    "name": "alpha", "url": "http://127.0.0.1:1", "socketUrl": "http://127.0.0.1:5",
                    "version": "0.9.0",
                ]
            ],
            "apns": ["production": "https://127.0.0.1:2", "sandbox": "https://127.0.0.1:3"],
            "control": "http://127.0.0.1:4", "caFile": "/x/ca.pem",
            "ans": ["address": "U1", "publicKey": "00ff", "passphrase": "p q r"],
            "accounts": [["name": "alice", "address": "U2", "passphrase": "a b c", "balance": "150000000"]],
        ])
        let banner = Banner(
            world: world,
            origins: [.init(key: "nodes", value: "3", source: "--nodes")],
            version: "mocknet 1",
            controlToken: nil
        )
        let text = banner.text
        for part in [
            "mocknet 1, seed 7 (drawn), height 12", "node alpha  http://127.0.0.1:1",
            "  sockets   http://127.0.0.1:5", "https://127.0.0.1:2",
            "https://127.0.0.1:3", "http://127.0.0.1:4", "/x/ca.pem", "alice  U2       1.5 ADM  a b c",
            "p q r", "00ff",
            "nodes 3 from --nodes",
        ] {
            #expect(text.contains(part), "\(part) in \(text)")
        }
    }

    @Test("encodes what stands in URLs")
    func encoding() {
        #expect(PercentEncoding.encode("a b/ü?&=~") == "a%20b%2F%C3%BC%3F%26%3D~")
    }
}
