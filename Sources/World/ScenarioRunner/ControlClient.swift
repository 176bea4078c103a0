import HTTPClient
import JSONValue

/// A call of the control API that was refused or could not be made.
struct ControlFailure: Error {
    let message: String
}

/// Calls the control API of a world over HTTP.
final class ControlClient: Sendable {
    private let client: HTTPClient
    private let base: String

    /// - Parameter base: for example `http://127.0.0.1:36600`.
    init(base: String) {
        self.base = base
        client = HTTPClient(options: HTTPClient.Options(timeoutMilliseconds: 60_000))
    }

    func get(_ path: String) throws(ControlFailure) -> JSONValue {
        try call("GET", path, nil)
    }

    @discardableResult
    func post(_ path: String, _ body: JSONValue = [:]) throws(ControlFailure) -> JSONValue {
        try call("POST", path, body)
    }

    func call(_ method: String, _ path: String, _ body: JSONValue?) throws(ControlFailure) -> JSONValue {
        let response: HTTPClientResponse
        do {
            response = try client.send(
                HTTPClientRequest(
                    method: method,
                    url: base + path,
                    headers: body == nil ? [] : [("Content-Type", "application/json")],
                    body: body?.bytes ?? []
                )
            )
        } catch {
            throw ControlFailure(message: "\(method) \(path): \(error)")
        }
        let json = response.body.isEmpty ? nil : try? JSONValue(parsing: response.body)
        guard (200...299).contains(response.status) else {
            throw ControlFailure(
                message: json?["error"]?["message"]?.stringValue
                    ?? "\(method) \(path): HTTP \(response.status)"
            )
        }
        return json ?? [:]
    }
}
