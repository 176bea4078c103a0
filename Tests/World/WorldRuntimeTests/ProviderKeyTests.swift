import JSONValue
import OpenSSLCrypto
import TestSupport
import Testing
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

@Suite("Provider keys")
struct ProviderKeyTests {
    /// A provider token made with a key, in the standard's form.
    private static func token(_ key: P256PrivateKey, keyId: String = "ABCDE12345") throws -> String {
        func text(_ bytes: [UInt8]) -> String {
            Data(bytes).base64EncodedString().filter { $0 != "=" }
                .map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }.map(String.init).joined()
        }
        let claims = #"{"iss":"TEAM123456","iat":\#(Int64(Date().timeIntervalSince1970))}"#
        let signed = text(Array(#"{"alg":"ES256","kid":"\#(keyId)"}"#.utf8)) + "." + text(Array(claims.utf8))
        return signed + "." + text(try key.signature(of: Array(signed.utf8)))
    }

    @Test("are registered, shown, and taken away by the control API, and kept with the world")
    func areRegistered() throws {
        let folder = try TemporaryFolder()
        func start() throws -> RunningWorld { try RunningWorld { $0.dataDirectory = folder.path } }
        var running = try start()
        let key = try P256PrivateKey()
        try running.patch("/v1/apns", ["credentials": "registered-keys"])
        let registered = try running.ok(
            "PUT",
            "/v1/apns/keys/ABCDE12345",
            ["teamId": "TEAM123456", "key": .string(try key.pem()), "topics": ["im.example"]]
        )
        #expect(
            registered == [
                "keyId": "ABCDE12345", "teamId": "TEAM123456",
                "publicKey": .string(try key.publicKey().pem()), "environment": nil,
                "topics": ["im.example"], "relatedKeyId": nil, "state": "active",
            ]
        )
        running.world.stop()
        running = try start()
        #expect(try running.list("keys", "/v1/apns/keys") == [registered])
        #expect(try running.get("/v1/apns")["credentials"] == "registered-keys")
        let good = try running.push(someToken(), provider: try Self.token(key), topic: "im.example")
        #expect(good.status == 200)
        let bad = try running.push(
            someToken(),
            provider: try Self.token(P256PrivateKey()),
            topic: "im.example"
        )
        #expect(bad.json["reason"] == "InvalidProviderToken")
        let record = try #require(try running.list("pushes", "/v1/pushes").last)
        #expect(record["provider"]?["problems"] == ["the signature is not by key ABCDE12345"])
        try running.ok("DELETE", "/v1/apns/keys/ABCDE12345", status: 204)
        #expect(try running.list("keys", "/v1/apns/keys").isEmpty)
    }

    @Test("of a flag are there from the start, after a reset, and when a kept world is opened with them")
    func areGiven() throws {
        let folder = try TemporaryFolder()
        let key = try P256PrivateKey()
        let path = folder.path + "/AuthKey.p8"
        try key.pem().write(toFile: path, atomically: true, encoding: .utf8)
        func start(withKey: Bool) throws -> RunningWorld {
            try RunningWorld {
                $0.dataDirectory = folder.path + "/data"
                guard withKey else { return }
                $0.apnsKeys = [.init(keyId: "ABCDE12345", teamId: "TEAM123456", path: path)]
            }
        }
        var running = try start(withKey: false)
        try running.patch("/v1/apns", ["tokens": "strict"])
        running.world.stop()
        running = try start(withKey: true)
        #expect(try running.get("/v1/apns")["credentials"] == "registered-keys")
        #expect(try running.get("/v1/apns")["tokens"] == "strict")
        try running.post("/v1/reset")
        #expect(try running.list("keys", "/v1/apns/keys").map { $0["keyId"] } == ["ABCDE12345"])
        #expect(try running.push(someToken(), provider: try Self.token(key), topic: "a").status == 200)
        #expect(
            try running.push(someToken(), provider: try Self.token(P256PrivateKey()), topic: "a").status
                == 403
        )
    }

    @Test("of a flag whose file is none are refused")
    func areRefused() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/AuthKey.p8"
        func start() throws -> RunningWorld {
            try RunningWorld { $0.apnsKeys = [.init(keyId: "K", teamId: "T", path: path)] }
        }
        #expect(throws: WorldError.self) { try start() }
        try "nonsense".write(toFile: path, atomically: true, encoding: .utf8)
        do {
            _ = try start()
            Issue.record("it started")
        } catch let error as WorldError {
            #expect(error.exitCode == 64)
            #expect(error.message == "--apns-key: \(path) holds no P-256 key in PEM")
        }
    }
}
