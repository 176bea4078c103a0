import Foundation
import JSONValue
import Testing

/// What a client that is not ours made of an answer.
struct ClientAnswer {
    let status: Int
    let headers: [(String, String)]
    let body: String
    /// `RST`, `EOF`, `TIMEOUT`, `SHORT` for a body that broke off, or empty.
    let failure: String

    func header(_ name: String) -> String? {
        headers.first { $0.0.lowercased() == name.lowercased() }?.1
    }
}

/// A request for Python's `http.client`.
struct ClientRequest {
    var method = "GET"
    var path: String
    var headers: [String: String] = [:]
    var body: String?

    static func get(_ path: String, _ headers: [String: String] = [:]) -> ClientRequest {
        ClientRequest(path: path, headers: headers)
    }

    static func post(_ path: String, _ body: JSONValue) -> ClientRequest {
        .post(path, body.text)
    }

    static func post(_ path: String, _ body: String, type: String = "application/json") -> ClientRequest {
        ClientRequest(method: "POST", path: path, headers: ["Content-Type": type], body: body)
    }

    fileprivate var json: JSONValue {
        [
            "method": .string(method), "path": .string(path), "body": .optional(body),
            "headers": .object(JSONObject(headers.map { ($0.key, .string($0.value)) })),
        ]
    }
}

/// Sends requests with Python's `http.client`; several threads when asked to.
private let script = """
    import http.client, json, sys, gzip, zlib, concurrent.futures, socket
    port, threads, wait, requests = json.load(sys.stdin)
    def one(r):
        try:
            c = http.client.HTTPConnection('127.0.0.1', port, timeout=wait)
            c.putrequest(r['method'], r['path'], skip_accept_encoding=True)
            body = r['body'].encode() if r['body'] is not None else None
            for k, v in r['headers'].items(): c.putheader(k, v)
            if body is not None: c.putheader('Content-Length', str(len(body)))
            c.endheaders(body)
            a = c.getresponse(); data = a.read()
            coding = a.getheader('Content-Encoding')
            if coding == 'gzip': data = gzip.decompress(data)
            if coding == 'deflate': data = zlib.decompress(data)
            return [a.status, a.getheaders(), data.decode('utf-8', 'replace'), '']
        except http.client.IncompleteRead as e:
            return [a.status, a.getheaders(), e.partial.decode('utf-8', 'replace'), 'SHORT']
        except http.client.RemoteDisconnected: return [0, [], '', 'EOF']
        except ConnectionResetError: return [0, [], '', 'RST']
        except socket.timeout: return [0, [], '', 'TIMEOUT']
    if threads > 1:
        with concurrent.futures.ThreadPoolExecutor(threads) as pool: answers = list(pool.map(one, requests))
    else: answers = [one(r) for r in requests]
    json.dump(answers, sys.stdout)
    """

extension TestWorld {
    /// The answers to requests, in their order.
    func send(_ requests: [ClientRequest], threads: Int = 1, wait: Double = 20) throws -> [ClientAnswer] {
        let input: JSONValue = [
            .int(port), .int(threads), .number(try #require(JSONNumber(wait))), .array(requests.map(\.json)),
        ]
        let output = try python(script, input: input.bytes)
        let answers = try JSONValue(parsing: output).arrayValue ?? []
        return answers.map { answer in
            let parts = answer.arrayValue ?? []
            return ClientAnswer(
                status: Int(parts[0].intValue ?? 0),
                headers: (parts[1].arrayValue ?? []).map { field in
                    (field.arrayValue?[0].stringValue ?? "", field.arrayValue?[1].stringValue ?? "")
                },
                body: parts[2].stringValue ?? "",
                failure: parts[3].stringValue ?? ""
            )
        }
    }

    /// The answer to one request.
    func send(_ request: ClientRequest, wait: Double = 20) throws -> ClientAnswer {
        try #require(try send([request], wait: wait).first)
    }

    /// The body of the answer to a GET.
    func body(_ path: String) throws -> String {
        try send(.get(path)).body
    }

    /// The bodies of the answers to several GETs.
    func bodies(_ paths: [String]) throws -> [String] {
        try send(paths.map { .get($0) }).map(\.body)
    }
}

/// What a script prints, given some input.
func python(_ script: String, _ arguments: String..., input: [UInt8] = []) throws -> [UInt8] {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", "-c", script] + arguments
    let (standardInput, output) = (Pipe(), Pipe())
    process.standardInput = standardInput
    process.standardOutput = output
    try process.run()
    try standardInput.fileHandleForWriting.write(contentsOf: Data(input))
    try standardInput.fileHandleForWriting.close()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(data)
}
