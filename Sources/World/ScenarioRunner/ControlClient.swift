import HTTPClient
import JSONValue

/// A call of the control API that was refused or could not be made.
struct ControlFailure: Error {
    let message: String
    /// Whether no answer came in the time that was given.
    var isTimeout = false
    /// Whether the world itself did not answer, or cannot go on.
    var isFatal = false
}

/// Calls the control API of a world over HTTP.
final class ControlClient: Sendable {
    private static let timeoutMilliseconds = 60_000
    /// The largest page that lists give.
    private static let pageSize = 10_000

    private let base: String
    private let token: String?
    private let client: HTTPClient

    /// - Parameters:
    ///   - base: for example `http://127.0.0.1:36600`.
    ///   - token: its bearer token; nil for none.
    init(base: String, token: String? = nil) {
        self.base = base
        self.token = token
        client = HTTPClient(options: HTTPClient.Options(timeoutMilliseconds: Self.timeoutMilliseconds))
    }

    /// Reads.
    func get(_ path: String, timeoutMilliseconds: Int? = nil) throws(ControlFailure) -> JSONValue {
        try call("GET", path, nil, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// The elements of a list, which answers under its plural.
    func list(_ path: String, _ plural: String) throws(ControlFailure) -> [JSONValue] {
        try get(path)[plural]?.arrayValue ?? []
    }

    /// All elements of a list of things that appear, behind a number, page after page.
    func all(_ path: String, _ plural: String, after: Int) throws(ControlFailure) -> [JSONValue] {
        var elements: [JSONValue] = []
        var next = after
        while true {
            let page = try get("\(path)?limit=\(Self.pageSize)&after=\(next)")
            let more = page[plural]?.arrayValue ?? []
            elements += more
            guard more.count == Self.pageSize, let last = page["next"]?.intValue, last > next else {
                return elements
            }
            next = Int(last)
        }
    }

    /// Makes or does something.
    @discardableResult
    func post(_ path: String, _ body: JSONValue = [:], timeoutMilliseconds: Int? = nil) throws(ControlFailure)
        -> JSONValue
    {
        try call("POST", path, body, timeoutMilliseconds: timeoutMilliseconds)
    }

    /// Makes any call; an answer without a body is an empty object.
    func call(_ method: String, _ path: String, _ body: JSONValue?, timeoutMilliseconds: Int? = nil)
        throws(ControlFailure) -> JSONValue
    {
        var headers: [(name: String, value: String)] = []
        if let token { headers.append(("Authorization", "Bearer \(token)")) }
        if body != nil { headers.append(("Content-Type", "application/json")) }
        let response: HTTPClientResponse
        do {
            response = try client.send(
                HTTPClientRequest(
                    method: method,
                    url: base + path,
                    headers: headers,
                    body: body?.bytes ?? [],
                    timeoutMilliseconds: timeoutMilliseconds
                )
            )
        } catch {
            throw ControlFailure(
                message: "\(method) \(path): \(error)",
                isTimeout: error == .timedOut,
                isFatal: error != .timedOut
            )
        }
        let json = response.body.isEmpty ? nil : try? JSONValue(parsing: response.body)
        guard (200...299).contains(response.status) else {
            throw ControlFailure(
                message: json?["error"]?["message"]?.stringValue
                    ?? "\(method) \(path): HTTP \(response.status)",
                isFatal: response.status == 503
            )
        }
        return json ?? [:]
    }
}
