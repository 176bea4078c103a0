import AdamantModel
import HTTPClient
import JSONValue
import TestSupport
import Testing
import Threads
import WorldRuntime

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A world on free ports whose blocks are forged on demand, unless told otherwise, with a client for all its ports.
final class RunningWorld: Sendable {
    /// What a port answered.
    struct Answer: Sendable {
        let status: Int
        let json: JSONValue
        let text: String
        let headers: [(name: String, value: String)]
    }

    /// One authority for all tests: making one takes a while.
    private static let state = Result { try TemporaryFolder() }

    let world: World
    let control: String
    private let client = HTTPClient(options: .init(timeoutMilliseconds: 30_000))

    init(_ change: (inout WorldConfiguration) -> Void = { _ in }) throws {
        var configuration = WorldConfiguration()
        configuration.ports = .free
        configuration.seed = 7
        configuration.forging = .manual
        configuration.stateDirectory = try Self.state.get().path
        change(&configuration)
        world = try World(configuration)
        try world.start()
        control = try #require(world.description["control"]?.stringValue)
    }

    /// A length of blocks with which no pool moves by itself while a test lasts, not even in a world forged by hand.
    static let longBlock = 86_400_000

    deinit { world.stop() }

    var caFile: String { world.description["caFile"]?.stringValue ?? "" }

    func node(_ index: Int = 0) -> String {
        world.description["nodes"]?.arrayValue?[index]["url"]?.stringValue ?? ""
    }

    /// Calls any URL, or a path of the control API.
    func call(
        _ method: String,
        _ target: String,
        _ body: JSONValue? = nil,
        headers: [(name: String, value: String)] = []
    ) throws -> Answer {
        let response = try client.send(
            HTTPClientRequest(
                method: method,
                url: target.hasPrefix("/") ? control + target : target,
                headers: body == nil ? headers : headers + [("Content-Type", "application/json")],
                body: body?.bytes,
                usesFreshConnection: method != "GET"
            )
        )
        return Answer(
            status: response.status,
            json: (try? JSONValue(parsing: response.body)) ?? .null,
            text: String(decoding: response.body, as: UTF8.self),
            headers: response.headers
        )
    }

    /// The document that a call answers with success.
    @discardableResult
    func ok(
        _ method: String,
        _ target: String,
        _ body: JSONValue? = nil,
        status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        let answer = try call(method, target, body)
        #expect(
            answer.status == status,
            "\(method) \(target): \(answer.text.prefix(300))",
            sourceLocation: sourceLocation
        )
        return answer.json
    }

    func get(_ path: String, sourceLocation: SourceLocation = #_sourceLocation) throws -> JSONValue {
        try ok("GET", path, sourceLocation: sourceLocation)
    }

    @discardableResult
    func post(
        _ path: String,
        _ body: JSONValue = [:],
        status: Int = 200,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        try ok("POST", path, body, status: status, sourceLocation: sourceLocation)
    }

    @discardableResult
    func patch(
        _ path: String,
        _ body: JSONValue,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> JSONValue {
        try ok("PATCH", path, body, sourceLocation: sourceLocation)
    }

    /// Elements of a list.
    func list(_ name: String, _ path: String) throws -> [JSONValue] {
        try #require(try get(path)[name]?.arrayValue)
    }

    /// Events of a kind, once there are so many, at most ten seconds later.
    func events(_ kind: String, atLeast: Int = 1, after: Int64 = 0) throws -> [JSONValue] {
        try list("events", "/v1/events?kind=\(kind)&after=\(after)&wait=10&atLeast=\(atLeast)&limit=1000")
    }

    /// Asks again and again until something is so, at most ten seconds long.
    func eventually(_ isSo: () throws -> Bool) throws -> Bool {
        let pause = Condition(())
        for _ in 0..<1000 {
            if try isSo() { return true }
            pause.wait(until: MachineClock.monotonicMilliseconds() + 10) { _ -> Void? in nil }
        }
        return false
    }

    func height() throws -> Int64 { try #require(try get("/v1/chain")["height"]?.intValue) }

    func balance(_ account: String) throws -> String {
        try #require(try get("/v1/accounts/\(account)")["balance"]?.stringValue)
    }

    // MARK: - Nodes

    /// The body that a client posts for a transfer between test accounts.
    func transfer(from: String, to: String, amount: Int64 = 100, timestamp: Int64? = nil) throws -> JSONValue
    {
        let sender = try #require(TestAccounts.all.first { $0.name == from })
        let recipient = try #require(TestAccounts.all.first { $0.name == to })
        let second = try timestamp ?? #require(try get("/v1/clock")["epochSeconds"]?.intValue)
        let transaction = Transaction(
            signing: .none,
            type: Transaction.Kind.transfer,
            timestamp: Int32(clamping: second),
            recipient: recipient.address,
            amount: amount,
            by: sender.keyPair,
            cryptography: world.cryptography
        )
        return ["transaction": transaction.postedJSON]
    }

    // MARK: - APNs

    /// A provider token in the form that is checked; its key cannot be known.
    static func providerToken(issuedAt: Int64, team: String = "TEAM000001") -> String {
        let parts = [#"{"alg":"ES256","kid":"KEY0000001"}"#, #"{"iss":"\#(team)","iat":\#(issuedAt)}"#]
        let signature = Data(repeating: 7, count: 64)
        return (parts.map { Data($0.utf8) } + [signature]).map { part in
            part.base64EncodedString().filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
        }.map { String($0) }.joined(separator: ".")
    }

    /// Pushes to a token over HTTP/2 as a provider does.
    func push(
        _ token: String,
        provider providerToken: String? = nil,
        expiration: String? = nil,
        issuedAt: Int64? = nil,
        transaction: String? = nil,
        recipient: String? = nil,
        path: String = "production",
        base: String? = nil,
        topic: String = "im.adamant.adamant-messenger",
        type: String = "alert",
        headers more: [(name: String, value: String)] = [],
        aps: JSONValue = ["alert": ["body": "Hello"]]
    ) throws -> Answer {
        let provider = HTTPClient(
            options: .init(caFile: caFile, timeoutMilliseconds: 30_000, httpVersion: .http2)
        )
        let base = try #require(base ?? world.description["apns"]?[path]?.stringValue)
        let second = issuedAt ?? Int64(Date().timeIntervalSince1970)
        var headers =
            [
                (
                    name: "authorization",
                    value: "bearer " + (providerToken ?? Self.providerToken(issuedAt: second))
                ),
                (name: "apns-topic", value: topic), (name: "apns-push-type", value: type),
            ] + more
        if let expiration { headers.append(("apns-expiration", expiration)) }
        var payload = JSONObject([("aps", aps)])
        if let transaction { payload.append("txn-id", .string(transaction)) }
        if let recipient { payload.append("push-recipient", .string(recipient)) }
        let response = try provider.send(
            HTTPClientRequest(
                method: "POST",
                url: base + "/3/device/" + token,
                headers: headers,
                body: JSONValue.object(payload).bytes
            )
        )
        return Answer(
            status: response.status,
            json: (try? JSONValue(parsing: response.body)) ?? .null,
            text: String(decoding: response.body, as: UTF8.self),
            headers: response.headers
        )
    }
}

extension JSONValue {
    /// The names of an object's members, in order.
    var members: [String] { objectValue?.keys ?? [] }

    /// The text of a member; empty when it is none.
    func text(_ member: String) -> String { self[member]?.stringValue ?? "" }
}

/// A token of 64 digits.
func someToken(_ digit: Character = "a") -> String { String(repeating: digit, count: 64) }

extension JSONValue: ExpressibleByFloatLiteral {
    init(floatLiteral value: Double) {
        self = JSONNumber(value).map(JSONValue.number) ?? .null
    }
}
