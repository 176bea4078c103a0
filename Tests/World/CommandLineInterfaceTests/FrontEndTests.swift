import HTTPClient
import JSONValue
import TestSupport
import Testing
import WorldRuntime

@testable import CommandLineInterface

@Suite("Command line: front ends against a world")
struct FrontEndTests {
    /// A world with a phone, which refused calls leave as it is.
    private final class Shared: Sendable {
        let control: String
        private let folder: TemporaryFolder
        private let world: World

        init() throws {
            folder = try TemporaryFolder()
            var configuration = WorldConfiguration()
            configuration.ports = .free
            configuration.stateDirectory = folder.path
            configuration.devices = [["name": "phone"]]
            world = try World(configuration)
            try world.start()
            control = world.description["control"]?.stringValue ?? ""
        }
    }

    private static let shared = Result { try Shared() }

    /// A world that was pushed to so often.
    private func withPushes(_ count: Int, _ body: (_ control: String) throws -> Void) throws {
        let folder = try TemporaryFolder()
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.forging = .manual
        configuration.stateDirectory = folder.path
        let world = try World(configuration)
        defer { world.stop() }
        try world.start()
        let description = world.description
        let provider = HTTPClient(
            options: .init(
                caFile: description["caFile"]?.stringValue ?? "",
                timeoutMilliseconds: 30_000,
                httpVersion: .http2
            )
        )
        let base = try #require(description["apns"]?["production"]?.stringValue)
        for _ in 0..<count {
            // Refused for want of a provider token, and on record all the same.
            let answer = try provider.send(
                HTTPClientRequest(
                    method: "POST",
                    url: base + "/3/device/" + String(repeating: "a", count: 64),
                    headers: [("apns-topic", "im.adamant.adamant-messenger")],
                    body: Array(#"{"aps":{}}"#.utf8)
                )
            )
            #expect(answer.status == 403)
        }
        try body(description["control"]?.stringValue ?? "")
    }

    private func pushes(_ control: String, _ words: [String], status: Int32 = 0) throws -> [Int64?] {
        let capture = Capture()
        #expect(capture.run(["push", "list", "--control", control, "--json"] + words) == status)
        let document = try JSONValue(parsing: capture.output.text)
        let found = try #require(document["pushes"]?.arrayValue).map { $0["seq"]?.intValue }
        #expect(document["next"]?.intValue == found.last ?? 0)
        return found
    }

    @Test("push prints all of them, the oldest so many, and waits for more than a page of the API holds")
    func all() throws {
        try withPushes(130) { control in
            let all = try pushes(control, [])
            #expect(all.count == 130)
            let words = Capture()
            #expect(words.run(["push", "--control", control]) == 0)
            #expect(words.output.text.split(separator: "\n").count == 131)
            #expect(try pushes(control, ["--limit", "7"]) == Array(all.prefix(7)))
            #expect(
                try pushes(control, ["--limit", "110", "--after", String(all[1] ?? 0)]) == Array(all[2..<112])
            )
            #expect(try pushes(control, ["--wait", "20s", "--at-least", "120"]).count == 130)
            let few = ["--wait", "20s", "--at-least", "120", "--limit", "7"]
            #expect(try pushes(control, few) == Array(all.prefix(7)))
            #expect(try pushes(control, ["--wait", "1s", "--at-least", "131"], status: 1).count == 130)
            let followed = Capture()
            #expect(followed.run(["push", "--control", control, "--follow", "--limit", "120"]) == 0)
            #expect(followed.output.text.split(separator: "\n").count == 120)
            for wrong in [["--limit", "0"], ["--limit", "x"], ["--wait", "1s", "--at-least", "10001"]] {
                let capture = Capture()
                #expect(capture.run(["push", "list", "--control", control] + wrong) == 64)
                #expect(capture.error.text.contains(wrong[wrong.count - 2]), "\(capture.error.text)")
            }
        }
    }

    @Test(
        "a refusal names the option or operand at fault, not the member of the call",
        arguments: [
            (["device", "quiet", "phone"], "mocknet: --from is required"),
            (["device", "quiet", "phone", "--from", "1", "--to", "2"], "mocknet: --from and to must be"),
            (["device", "sign-in", "phone"], "mocknet: --account is required"),
            (["chain", "mode", "foo"], "mocknet: MODE must be one of"),
            (["chain", "mode", "interval", "--interval", "1ms"], "mocknet: --interval must be"),
            (["device", "new", "--behaviour", "x"], "mocknet: --behaviour must be one of"),
            (["device", "new", "--node", "omega"], "mocknet: --node: there is no node"),
            (["device", "new", "--extension-time", "2h"], "mocknet: --extension-time must be"),
            (["account", "new", "ans"], "mocknet: NAME must be"),
            (["send", "alice", "xyz", "Hello"], "mocknet: TO: 'xyz' is neither"),
            (["push", "list", "--status", "x"], "mocknet: --status must be"),
        ]
    )
    func names(words: [String], told: String) throws {
        let control = try Self.shared.get().control
        let capture = Capture()
        #expect(capture.run(words + ["--control", control]) == 64)
        #expect(capture.error.text.hasPrefix(told), "\(capture.error.text)")
    }

    @Test("device new takes what the call takes")
    func device() throws {
        try withPushes(0) { control in
            let api = ControlAPI(base: control, token: nil)
            func signals(of owner: String, _ options: [String]) throws -> Int? {
                let words = ["device", "new", owner, "--owner", owner, "--control", control]
                #expect(Capture().run(words + ["--sound", "alert.caf"] + options) == 0)
                for action in ["notifications-off", "notifications-push"] {
                    try api.post("/v1/devices/\(owner)/\(action)")
                }
                let sent = try api.get("/v1/transactions", [("kind", "signal"), ("sender", owner)])
                return sent["transactions"]?.arrayValue?.count
            }
            let kept = try signals(of: "alice", [])
            let cleared = try signals(of: "bob", ["--off-clears-cache"])
            #expect(kept == 1)
            #expect(cleared == 2, "it has registered anew")
        }
    }

    @Test("a list is read page by page to its end, or to so many")
    func pages() throws {
        try withPushes(0) { control in
            let api = ControlAPI(base: control, token: nil)
            try api.post("/v1/chain/forge", ["blocks": 2499])
            let whole = try api.list("/v1/blocks", "blocks")
            #expect(whole["blocks"]?.arrayValue?.compactMap { $0["height"]?.intValue } == Array(1...2500))
            #expect(whole["next"] == 2500)
            let some = try api.list("/v1/blocks", "blocks", [("after", "10")], limit: 1500)
            #expect(some["blocks"]?.arrayValue?.compactMap { $0["height"]?.intValue } == Array(11...1510))
            let none = try api.list("/v1/blocks", "blocks", [("after", "2500")])
            #expect(none["blocks"] == [] && none["next"] == 2500)
        }
    }
}
