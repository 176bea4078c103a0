import JSONValue
import Testing

@Suite("The proxy that leads Apple's names to APNs", .timeLimit(.minutes(1)))
struct ProxyTests {
    /// A push by curl, which has Apple's name built in as it were, and is told of the proxy alone.
    private func push(_ world: RunningWorld, to url: String, _ more: [String] = []) async throws -> [String] {
        let proxy = try #require(world.addresses["proxy"]?.stringValue)
        let ending = try await run(
            "curl",
            [
                "-sS", "--max-time", "10", "--http2", "--proxy", proxy,
                "--cacert", world.certificateAuthority,
                "-w", "\n%{http_code} %{http_connect} %{http_version}",
                "--data", #"{"aps":{"alert":"Hello"}}"#, url,
            ] + more
        )
        return ending.output.split(separator: "\n").map(String.init) + [ending.errors]
    }

    @Test("a client with Apple's hosts built in pushes to both environments")
    func tunnels() async throws {
        let world = try await RunningWorld(["--proxy", "0"])
        _ = try await world.call("PATCH", "/v1/apns", ["credentials": "off"])
        let path = "/3/device/" + String(repeating: "ab", count: 32)
        let topic = ["-H", "apns-topic: com.example.app"]
        for host in ["api.push.apple.com", "api.push.apple.com:2197", "api.sandbox.push.apple.com"] {
            #expect(try await push(world, to: "https://\(host)\(path)", topic).first == "200 200 2")
        }
        let pushes = try await world.call("GET", "/v1/pushes")["pushes"]?.arrayValue ?? []
        #expect(
            pushes.map { $0["environment"]?.stringValue } == ["production", "production", "sandbox"]
        )
    }

    @Test("what leads elsewhere is refused with the reason")
    func refusals() async throws {
        let world = try await RunningWorld(["--proxy", "0"])
        let elsewhere = try await push(world, to: "https://fcm.googleapis.com/v1")
        #expect(elsewhere.first == "000 403 0", "\(elsewhere)")
        #expect(try await push(world, to: "https://api.push.apple.com:22/").first == "000 403 0")
        let plain = try await push(world, to: "http://api.push.apple.com/")
        #expect(
            plain.dropLast() == [
                "this proxy makes tunnels (CONNECT) to Apple's push service alone", "405 000 1.1",
            ]
        )
    }

    @Test("a world without one has no proxy")
    func none() async throws {
        let world = try await RunningWorld()
        #expect(world.addresses["proxy"] == .null)
    }
}
