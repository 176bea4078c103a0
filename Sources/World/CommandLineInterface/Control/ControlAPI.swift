import Files
import HTTPClient
import JSONValue

/// Calls the control API of a running world.
struct ControlAPI: Sendable {
    /// Where a world's control API is by default.
    static let defaultBase = "http://127.0.0.1:36600"
    /// Time that a call may take beyond what it was told to wait.
    static let timeoutMilliseconds = 30_000

    /// So many elements of a list are asked for at once.
    private static let page = 1000

    /// The options by which a command finds its world.
    static let options = [
        OptionSpec(
            "--control",
            "URL",
            help: "control API of the world; also MOCKNET_CONTROL_URL",
            default: defaultBase
        ),
        OptionSpec("--control-token", "TOKEN", help: "its bearer token; also MOCKNET_CONTROL_TOKEN"),
    ]
    /// The options of a command that prints data.
    static let printingOptions =
        options + [OptionSpec("--json", help: "prints what the control API answered")]

    /// For example `http://127.0.0.1:36600`.
    let base: String
    private let token: String?
    private let client: HTTPClient

    /// The world that a command's options or the environment name.
    init(_ context: CommandContext) throws(CommandFailure) {
        let named = context.arguments["--control"] ?? context.environment("MOCKNET_CONTROL_URL")
        let token = context.arguments["--control-token"] ?? context.environment("MOCKNET_CONTROL_TOKEN")
        var base = named.flatMap { $0.isEmpty ? nil : $0 } ?? Self.defaultBase
        guard base.hasPrefix("http://") || base.hasPrefix("https://") else {
            throw .usage("--control: must be a URL such as \(Self.defaultBase), not '\(base)'")
        }
        while base.hasSuffix("/") { base.removeLast() }
        self.init(base: base, token: token.flatMap { $0.isEmpty ? nil : $0 })
    }

    /// The world at a URL.
    init(base: String, token: String?) {
        self.base = base
        self.token = token
        client = HTTPClient(options: HTTPClient.Options(timeoutMilliseconds: Self.timeoutMilliseconds))
    }

    /// Reads; a `wait` in the query prolongs the time the call may take.
    func get(_ path: String, _ query: [(String, String)] = []) throws(CommandFailure) -> JSONValue {
        let pairs = query.map { "\(PercentEncoding.encode($0))=\(PercentEncoding.encode($1))" }.joined(
            separator: "&"
        )
        let seconds = query.first { $0.0 == "wait" }.flatMap { Int($0.1) } ?? 0
        let waiting = min(max(0, seconds), 86_400) * 1000
        let target = pairs.isEmpty ? path : "\(path)?\(pairs)"
        return try call("GET", target, nil, timeoutMilliseconds: Self.timeoutMilliseconds + waiting)
    }

    /// Reads a list page by page up to so many elements, and answers what one call would that takes them all.
    ///
    /// A `wait` in the query is for the first page.
    func list(_ path: String, _ name: String, _ query: [(String, String)] = [], limit: Int = .max)
        throws(CommandFailure) -> JSONValue
    {
        var elements: [JSONValue] = []
        var query = query
        while true {
            let wanted = min(Self.page, limit - elements.count)
            let answer = try get(path, query + [("limit", String(wanted))])
            let found = answer[name]?.arrayValue ?? []
            elements += found
            guard found.count == wanted, elements.count < limit, let next = answer["next"]?.text else {
                var whole = answer.objectValue ?? JSONObject()
                whole[name] = .array(elements)
                return .object(whole)
            }
            query.removeAll { ["after", "wait", "atLeast"].contains($0.0) }
            query.append(("after", next))
        }
    }

    /// Makes or does something, which may be told to wait.
    @discardableResult
    func post(_ path: String, _ body: JSONValue = [:], waitingSeconds: Int = 0) throws(CommandFailure)
        -> JSONValue
    {
        let waiting = min(max(0, waitingSeconds), 86_400) * 1000
        return try call("POST", path, body, timeoutMilliseconds: Self.timeoutMilliseconds + waiting)
    }

    /// Changes something.
    @discardableResult
    func patch(_ path: String, _ body: JSONValue) throws(CommandFailure) -> JSONValue {
        try call("PATCH", path, body)
    }

    /// Removes something.
    func delete(_ path: String) throws(CommandFailure) {
        _ = try call("DELETE", path, nil)
    }

    /// Whether the world says that every port answers.
    func isHealthy() -> Bool {
        (try? send("GET", "/v1/health", nil, timeoutMilliseconds: 2000))?.status == 200
    }

    /// The address of an account that is named by it or by its name.
    func address(of account: String) throws(CommandFailure) -> String {
        if Value.isAddress(account) { return account }
        let accounts = try get("/v1/accounts")["accounts"]?.arrayValue ?? []
        guard
            let found = accounts.first(where: { $0["name"]?.stringValue == account })?["address"]?.stringValue
        else { throw CommandFailure(message: "\(account): there is no account of this name", exitCode: 1) }
        return found
    }

    private func call(
        _ method: String,
        _ target: String,
        _ body: JSONValue?,
        timeoutMilliseconds: Int = timeoutMilliseconds
    ) throws(CommandFailure) -> JSONValue {
        let response: HTTPClientResponse
        do throws(HTTPClientError) {
            response = try send(method, target, body, timeoutMilliseconds: timeoutMilliseconds)
        } catch {
            throw CommandFailure(message: Self.text(error, base: base), exitCode: ExitCode.world)
        }
        let json = response.body.isEmpty ? nil : try? JSONValue(parsing: response.body)
        guard (200...299).contains(response.status) else { throw Self.refusal(response.status, json) }
        return json ?? [:]
    }

    /// Reads a document of any length into a file that only its owner may read, whole or not at all.
    func download(_ path: String, to file: String) throws(CommandFailure) {
        let draft = try Self.writing { () throws(FileError) in try FileDraft(path: file, isPrivate: true) }
        var refused: [UInt8] = []
        var failure: FileError?
        let answer: HTTPClientResponse
        do throws(HTTPClientError) {
            answer = try client.stream(request("GET", path, nil)) { status, bytes in
                guard status == 200 else {
                    refused += bytes
                    return true
                }
                do throws(FileError) { try draft.append(bytes) } catch { failure = error }
                return failure == nil
            }
        } catch {
            let message = failure.map { "\($0)" } ?? Self.text(error, base: base)
            throw CommandFailure(message: message, exitCode: ExitCode.world)
        }
        guard answer.status == 200 else {
            throw Self.refusal(answer.status, try? JSONValue(parsing: refused))
        }
        try Self.writing { () throws(FileError) in try draft.finish() }
    }

    private static func writing<Result>(_ body: () throws(FileError) -> Result) throws(CommandFailure)
        -> Result
    {
        do throws(FileError) {
            return try body()
        } catch {
            throw CommandFailure(message: "\(error)", exitCode: ExitCode.world)
        }
    }

    private func send(_ method: String, _ target: String, _ body: JSONValue?, timeoutMilliseconds: Int)
        throws(HTTPClientError) -> HTTPClientResponse
    {
        try client.send(request(method, target, body, timeoutMilliseconds: timeoutMilliseconds))
    }

    private func request(
        _ method: String,
        _ target: String,
        _ body: JSONValue?,
        timeoutMilliseconds: Int? = nil
    ) -> HTTPClientRequest {
        var headers: [(name: String, value: String)] = []
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        return HTTPClientRequest(
            method: method,
            url: base + target,
            headers: headers,
            body: body?.bytes,
            timeoutMilliseconds: timeoutMilliseconds
        )
    }

    private static func text(_ error: HTTPClientError, base: String) -> String {
        guard case .connectionRefused = error else { return "the world at \(base): \(error)" }
        return "no world answers at \(base); start one with mocknet up, or name another with --control"
    }

    private static func refusal(_ status: Int, _ json: JSONValue?) -> CommandFailure {
        let message = json?["error"]?["message"]?.stringValue ?? "the world answered HTTP \(status)"
        let field = json?["error"]?["field"]?.stringValue
        let text = field.map { message.hasPrefix($0) ? message : "\($0): \(message)" } ?? message
        let code =
            switch status {
            case 400, 401, 422: ExitCode.usage
            case 404, 409: ExitCode.failed
            default: ExitCode.world
            }
        return CommandFailure(message: text, exitCode: code, field: field)
    }
}
