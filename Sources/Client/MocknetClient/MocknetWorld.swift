public import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A world of mocknet, by its control API.
///
/// Get one from ``MocknetProcess`` (which starts a world), from ``attach(environment:)`` (below `mocknet exec`), or by the
/// address of a world that runs. All calls throw ``MocknetError``, or the error of `URLSession` when nothing answers.
public struct MocknetWorld: Sendable {
    /// Where its control API is.
    public let control: URL
    private let token: String?
    private let session: URLSession

    /// The world whose control API is at an address such as `http://127.0.0.1:36600`.
    ///
    /// The token is what calls must carry when the world listens beyond loopback.
    public init(control: URL, token: String? = nil) {
        self.control = control
        self.token = token
        let configuration = URLSessionConfiguration.ephemeral
        // Calls that wait are answered after at most 600 s.
        configuration.timeoutIntervalForRequest = 660
        session = URLSession(configuration: configuration)
    }

    /// The world that `MOCKNET_CONTROL_URL` names, as `mocknet exec` sets it.
    ///
    /// `MOCKNET_CONTROL_TOKEN` is used where it is set.
    ///
    /// - Throws: ``MocknetError/notStarted(_:)`` when the variable is missing or no address.
    public static func attach(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> MocknetWorld {
        guard let text = environment["MOCKNET_CONTROL_URL"] else {
            throw MocknetError.notStarted("MOCKNET_CONTROL_URL is not set; run this below: mocknet exec --")
        }
        guard let url = URL(string: text), url.scheme != nil else {
            throw MocknetError.notStarted("MOCKNET_CONTROL_URL is '\(text)', which is no address")
        }
        return MocknetWorld(control: url, token: environment["MOCKNET_CONTROL_TOKEN"])
    }

    /// Another world of the same process, with the same token.
    func at(_ control: URL) -> MocknetWorld { MocknetWorld(control: control, token: token) }

    /// Any call of the control API, for what this library has no method for.
    ///
    /// - Returns: the document of the answer; `null` where there is none.
    public func call(
        _ method: String,
        _ path: String,
        query: [String: String] = [:],
        body: JSON? = nil
    ) async throws -> JSON {
        let data = try await data(method, path, query: query, body: body)
        return data.isEmpty ? .null : try decode(JSON.self, from: data)
    }

    /// The same, read as a type.
    func call<Answer: Decodable>(
        _ method: String,
        _ path: String,
        query: [String: String?] = [:],
        body: JSON? = nil,
        as type: Answer.Type = Answer.self
    ) async throws -> Answer {
        try decode(type, from: try await data(method, path, query: query.compactMapValues { $0 }, body: body))
    }

    /// The same, for calls whose answer says nothing.
    func perform(_ method: String, _ path: String, body: JSON? = nil) async throws {
        _ = try await data(method, path, body: body)
    }

    /// The elements of a list.
    func list<Element: Decodable>(
        _ plural: String,
        _ path: String,
        query: [String: String?] = [:]
    ) async throws -> [Element] {
        let document: [String: Plural<Element>] = try await call("GET", path, query: query)
        guard case .elements(let elements)? = document[plural] else {
            throw MocknetError.unreadable("the answer of \(path) has no '\(plural)'")
        }
        return elements
    }

    /// The bytes of an answer.
    ///
    /// - Throws: ``MocknetError/refused(status:code:message:field:)`` for statuses of 400 and more.
    func data(
        _ method: String,
        _ path: String,
        query: [String: String] = [:],
        body: JSON? = nil,
        contentType: String = "application/json"
    ) async throws -> Data {
        let content = try body.map { try JSONEncoder().encode($0) }
        return try await data(method, path, query: query, content: content, contentType: contentType)
    }

    /// The bytes of an answer to bytes.
    func data(
        _ method: String,
        _ path: String,
        query: [String: String] = [:],
        content: Data?,
        contentType: String
    ) async throws -> Data {
        var request = URLRequest(url: try address(path, query: query))
        request.httpMethod = method
        if let content {
            request.httpBody = content
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        }
        if let token { request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization") }
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status >= 400 else { return data }
        guard let refusal = try? JSONDecoder().decode(Refusal.self, from: data) else {
            throw MocknetError.unreadable("\(method) \(path): status \(status) and no error of mocknet's")
        }
        throw MocknetError.refused(
            status: status,
            code: refusal.error.code,
            message: refusal.error.message,
            field: refusal.error.field
        )
    }

    private func address(_ path: String, query: [String: String]) throws -> URL {
        guard var parts = URLComponents(url: control, resolvingAgainstBaseURL: false) else {
            throw MocknetError.unreadable("'\(control)' is no address")
        }
        let base = parts.percentEncodedPath
        parts.percentEncodedPath = (base.hasSuffix("/") ? String(base.dropLast()) : base) + path
        if !query.isEmpty {
            parts.queryItems = query.sorted { $0.key < $1.key }.map {
                URLQueryItem(name: $0.key, value: $0.value)
            }
            // A plus sign would be read as a space.
            parts.percentEncodedQuery = parts.percentEncodedQuery?.replacingOccurrences(of: "+", with: "%2B")
        }
        guard let url = parts.url else { throw MocknetError.unreadable("'\(path)' is no path") }
        return url
    }

    private func decode<Answer: Decodable>(_ type: Answer.Type, from data: Data) throws -> Answer {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom { decoder in
            let text = try decoder.singleValueContainer().decode(String.self)
            guard let date = WorldTime.date(text) else {
                throw DecodingError.dataCorrupted(
                    .init(codingPath: decoder.codingPath, debugDescription: "'\(text)' is no time")
                )
            }
            return date
        }
        do {
            return try decoder.decode(type, from: data)
        } catch let error as DecodingError {
            throw MocknetError.unreadable("the answer is not as expected: \(error)")
        }
    }

    /// A name as one segment of a path.
    func segment(_ name: String) -> String {
        name.addingPercentEncoding(withAllowedCharacters: .alphanumerics.union(.init(charactersIn: "-._~")))
            ?? name
    }
}

/// What a refused call answers.
private struct Refusal: Decodable {
    struct Reason: Decodable {
        let code: String
        let message: String
        let field: String?
    }
    let error: Reason
}

/// The value of a member of a list's answer: its elements, or something beside them.
private enum Plural<Element: Decodable>: Decodable {
    case elements([Element])
    case other

    init(from decoder: any Decoder) throws {
        guard (try? decoder.unkeyedContainer()) != nil else {
            self = .other
            return
        }
        self = .elements(try [Element](from: decoder))
    }
}
