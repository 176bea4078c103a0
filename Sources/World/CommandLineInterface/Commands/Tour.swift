import HTTPClient
import JSONValue
import POSIX
import ScenarioRunner
import Threads
import WorldRuntime

/// Plays the first push through a running world and tells what happens, as a timeline.
struct Tour: Sendable {
    private static let text = "Hello Bob, this is your first push."
    /// How long each step may take; a block comes every five seconds.
    private static let stepMilliseconds: Int64 = 60_000
    private static let pauseMilliseconds = 100

    let api: ControlAPI
    let output: @Sendable (String) -> Void
    private let start = MachineClock.monotonicMilliseconds()

    init(api: ControlAPI, output: @escaping @Sendable (String) -> Void) {
        self.api = api
        self.output = output
    }

    /// What `up --tour` starts from: the service as it is deployed, unless flags say otherwise.
    static var configuration: WorldConfiguration {
        var configuration = WorldConfiguration()
        configuration.ans = .asDeployed
        return configuration
    }

    /// Plays all steps; one that fails is told, and the world stays.
    func play() {
        output("\nThe first push, from alice to bob:\n")
        do throws(CommandFailure) {
            let device = try registerDevice()
            let transaction = try sendMessage()
            try followPush(of: transaction)
            try showBanner(of: transaction, on: device)
            output("\nThe world stays until Ctrl-C.\n")
        } catch {
            tell("tour", "did not go through: \(error.message)")
        }
    }

    private func registerDevice() throws(CommandFailure) -> String {
        let device = try api.post(
            "/v1/devices",
            ["name": "bob's phone", "owner": "bob", "behaviour": "as-deployed"]
        )
        let id = device["id"]?.stringValue ?? ""
        let token = device["token"]?.stringValue ?? ""
        tell(
            "device",
            "bob's phone signs in and posts a signal that adds its token \(TextTable.short(token))"
        )
        _ = try wait("a block with the signal") { () throws(CommandFailure) -> Bool? in
            try forgeIfManual()
            let rows = try api.get("/v1/registry")["rows"]?.arrayValue ?? []
            return rows.contains { $0["token"]?.stringValue == token } ? true : nil
        }
        tell("ledger", "a block holds the signal: the token is registered for bob")
        // The service reads it before the message can be forged.
        try api.post("/v1/ans/poll")
        tell("ANS", "polls a node, decrypts the signal and notes the token")
        return id
    }

    private func sendMessage() throws(CommandFailure) -> String {
        let posted = try api.post(
            "/v1/transactions",
            ["from": "alice", "to": "bob", "message": .string(Self.text), "kind": "message"]
        )
        let id = posted["transactionId"]?.stringValue ?? ""
        tell("alice", "sends bob an encrypted message, transaction \(id)")
        return id
    }

    private func followPush(of transaction: String) throws(CommandFailure) {
        let push = try wait("the push") { () throws(CommandFailure) -> JSONValue? in
            try forgeIfManual()
            let query = [("transactionId", transaction), ("wait", "1"), ("atLeast", "1")]
            return try api.get("/v1/pushes", query)["pushes"]?.arrayValue?.first
        }
        let status = push["status"]?.text ?? "no answer"
        tell("APNs", "receives the push over HTTP/2 and answers \(status)")
        tell("", "payload \(push["payload"]?.text ?? "-")")
    }

    private func showBanner(of transaction: String, on device: String) throws(CommandFailure) {
        let banner = try wait("the banner") { () throws(CommandFailure) -> JSONValue? in
            let banners =
                try api.get("/v1/devices/\(PercentEncoding.encode(device))")["banners"]?.arrayValue ?? []
            return banners.first { $0["transactionId"]?.stringValue == transaction }
        }
        let title = banner["title"]?.stringValue ?? ""
        let body = banner["body"]?.stringValue ?? ""
        tell("device", "fetches the transaction, decrypts it and shows: \(title): \(body)")
    }

    private func forgeIfManual() throws(CommandFailure) {
        if try api.get("/v1/chain")["forging"]?.stringValue == "manual" { try api.post("/v1/chain/forge") }
    }

    private func wait<Result>(_ what: String, for look: () throws(CommandFailure) -> Result?)
        throws(CommandFailure) -> Result
    {
        let deadline = MachineClock.monotonicMilliseconds() + Self.stepMilliseconds
        while true {
            if let result = try look() { return result }
            guard MachineClock.monotonicMilliseconds() < deadline else {
                throw CommandFailure(
                    message: "\(what) did not come within \(Self.stepMilliseconds / 1000) s",
                    exitCode: 1
                )
            }
            CurrentThread.pause(milliseconds: Self.pauseMilliseconds)
        }
    }

    private func tell(_ who: String, _ what: String) {
        let elapsed = MachineClock.monotonicMilliseconds() - start
        output(Timeline.line(milliseconds: elapsed, lane: who, what) + "\n")
    }
}
