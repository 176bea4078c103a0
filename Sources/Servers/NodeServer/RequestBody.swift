import HTTPDaemon
import JSONValue

/// A body that the node's parsers refuse; answered with status 500 and `API error: `.
struct RequestBodyError: Error, Hashable {
    let message: String

    static let tooLarge = RequestBodyError(message: "request entity too large")
}

/// The body of a request, as the node's handlers see it.
///
/// - Source: body-parser (`json` and `urlencoded` with the limits of adamant:app.js)
enum RequestBody {
    /// Largest body, packed or not.
    static let maximumBytes = 2 << 20
    private static let maximumParameters = 5000
    /// Nesting of names like `a[b][c]`; what is deeper stays one name.
    private static let maximumDepth = 32

    /// Left away where a body begins with it.
    ///
    /// - Source: iconv-lite (`StripBOM`), by which raw-body decodes
    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    private enum Kind {
        case json, form
    }

    /// The parsed body; an empty object for other types and for none.
    static func parse(_ request: HTTPRequest) throws(RequestBodyError) -> JSONValue {
        guard !request.body.isEmpty || request.bodyWasTooLarge, let type = request.header("Content-Type"),
            let kind = kind(of: type)
        else { return [:] }
        guard !request.bodyWasTooLarge else { throw .tooLarge }
        try checkCharset(type, kind)
        let unpacked = try unpacked(request)
        let bytes = unpacked.starts(with: byteOrderMark) ? Array(unpacked.dropFirst(3)) : unpacked
        switch kind {
        case .json: return try json(bytes)
        case .form: return try form(bytes)
        }
    }

    private static func kind(of type: String) -> Kind? {
        if type == "application/json" { return .json }
        let name = type.prefix { $0 != ";" }.filter { $0 != " " && $0 != "\t" }.lowercased()
        switch name {
        case "application/json": return .json
        case "application/x-www-form-urlencoded": return .form
        default: return nil
        }
    }

    private static func checkCharset(_ type: String, _ kind: Kind) throws(RequestBodyError) {
        guard type.utf8.contains(UInt8(ascii: ";")) else { return }
        for part in type.lowercased().split(separator: ";").dropFirst() {
            let text = part.filter { $0 != " " && $0 != "\"" }
            guard text.hasPrefix("charset=") else { continue }
            let charset = text.dropFirst(8)
            let isAccepted = charset == "utf-8" || (kind == .json && charset.hasPrefix("utf-"))
            guard isAccepted else {
                throw RequestBodyError(message: "unsupported charset \"\(charset.uppercased())\"")
            }
        }
    }

    private static func unpacked(_ request: HTTPRequest) throws(RequestBodyError) -> [UInt8] {
        guard let name = request.header("Content-Encoding")?.lowercased(), name != "identity" else {
            return request.body
        }
        guard let coding = ContentCoding(rawValue: name) else {
            throw RequestBodyError(message: "unsupported content encoding \"\(name)\"")
        }
        switch coding.decode(request.body, maximumBytes: maximumBytes) {
        case .bytes(let bytes): return bytes
        case .tooLarge: throw .tooLarge
        case .malformed: throw RequestBodyError(message: "incorrect header check")
        }
    }

    /// Only objects and arrays, as in body-parser's strict mode.
    private static func json(_ bytes: [UInt8]) throws(RequestBodyError) -> JSONValue {
        let start = bytes.firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        if let start, bytes[start] != UInt8(ascii: "{"),
            bytes[start] != UInt8(ascii: "[")
        {
            let token =
                String(decoding: bytes[start...].prefix(4), as: UTF8.self).first.map(String.init) ?? ""
            throw RequestBodyError(message: "Unexpected token \(token) in JSON at position \(start)")
        }
        do throws(JSONError) {
            return try JSONValue(parsing: bytes)
        } catch {
            throw RequestBodyError(message: error.description)
        }
    }

    private static func form(_ bytes: [UInt8]) throws(RequestBodyError) -> JSONValue {
        let pairs = PercentCoding.pairs(String(decoding: bytes, as: UTF8.self), limit: maximumParameters + 1)
        guard pairs.count <= maximumParameters else { throw RequestBodyError(message: "too many parameters") }
        var result = JSONValue.object(JSONObject())
        for (name, value) in pairs where !name.isEmpty {
            insert(.string(value), at: path(of: name)[...], into: &result)
        }
        return result
    }

    /// `a[b][]` → `a`, `b`, empty.
    private static func path(of name: String) -> [String] {
        guard let open = name.firstIndex(of: "["), open != name.startIndex else { return [name] }
        var path = [String(name[..<open])]
        var rest = name[open...]
        while rest.first == "[", path.count <= maximumDepth, let close = rest.firstIndex(of: "]") {
            path.append(String(rest[rest.index(after: rest.startIndex)..<close]))
            rest = rest[rest.index(after: close)...]
        }
        if !rest.isEmpty { path[path.count - 1] += rest }
        return path
    }

    private static func insert(_ value: JSONValue, at path: ArraySlice<String>, into target: inout JSONValue)
    {
        guard let name = path.first else {
            switch target {
            case .null: target = value
            case .array(let values): target = .array(values + [value])
            default: target = .array([target, value])
            }
            return
        }
        if name.isEmpty, path.count == 1 {
            target = .array((target.arrayValue ?? []) + [value])
            return
        }
        var object = target.objectValue ?? JSONObject()
        var member = object[name] ?? .null
        insert(value, at: path.dropFirst(), into: &member)
        object[name] = member
        target = .object(object)
    }
}
