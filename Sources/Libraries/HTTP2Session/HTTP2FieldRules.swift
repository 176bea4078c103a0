import CNghttp2

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// What makes a header list malformed, field by field.
///
/// nghttp2 would check the same, but resets the stream of a `:path` with a space in it before anybody sees the request.
/// Here a path may have what any value may have; the rest is as nghttp2 has it, whose tables of characters are used.
/// - Source: RFC 9113, sections 8.1 to 8.3; nghttp2 1.52, lib/nghttp2_http.c
struct HTTP2FieldRules {
    /// A name that has a rule of its own.
    private enum Name: Int, CaseIterable {
        case method, path, scheme, authority, host, contentLength, te
        case connection, keepAlive, proxyConnection, transferEncoding, upgrade

        var text: StaticString {
            switch self {
            case .method: ":method"
            case .path: ":path"
            case .scheme: ":scheme"
            case .authority: ":authority"
            case .host: "host"
            case .contentLength: "content-length"
            case .te: "te"
            case .connection: "connection"
            case .keepAlive: "keep-alive"
            case .proxyConnection: "proxy-connection"
            case .transferEncoding: "transfer-encoding"
            case .upgrade: "upgrade"
            }
        }
    }

    private static let shownBytes = 40

    let areTrailers: Bool
    private var seen = 0
    private var isBehindPseudoHeaders = false
    private var isConnect = false
    private var takesAsterisk = false
    private var isOfHTTP = false
    private var pathBeginning: UInt8 = 0
    private var pathIsAsterisk = false
    private var contentLength: Int?

    init(areTrailers: Bool = false) { self.areTrailers = areTrailers }

    /// Looks at the next field; what makes it malformed, in words.
    mutating func check(name: UnsafeBufferPointer<UInt8>, value: UnsafeBufferPointer<UInt8>) -> String? {
        guard let defect = unsafe defect(name, value) else { return nil }
        let shown = unsafe String(decoding: name.prefix(Self.shownBytes), as: UTF8.self)
        return "the header '\(shown)' \(defect)"
    }

    private mutating func defect(
        _ name: UnsafeBufferPointer<UInt8>,
        _ value: UnsafeBufferPointer<UInt8>
    ) -> String? {
        guard unsafe nghttp2_check_header_name(name.baseAddress, name.count) != 0 else {
            let hasUpperCase = unsafe name.contains { $0 &- UInt8(ascii: "A") < 26 }
            return hasUpperCase ? "is not in lower case" : "has a name that cannot be one"
        }
        let known = unsafe Self.known(name)
        guard unsafe Self.isSound(value, of: known) else { return "has a value that cannot be one" }
        if unsafe name.first == UInt8(ascii: ":") {
            if areTrailers { return "is among trailers" }
            if isBehindPseudoHeaders { return "is behind an ordinary header" }
            if known == nil { return "is no pseudo-header" }
        } else {
            isBehindPseudoHeaders = true
        }
        return known.flatMap { unsafe note($0, value) }
    }

    /// Takes note of a field with a rule of its own; what is wrong with it.
    private mutating func note(_ name: Name, _ value: UnsafeBufferPointer<UInt8>) -> String? {
        switch name {
        case .connection, .keepAlive, .proxyConnection, .transferEncoding, .upgrade:
            return "has no meaning in HTTP/2"
        case .te: return unsafe Self.isEqual(value, "trailers", mask: 0x20) ? nil : "is not 'trailers'"
        case .contentLength:
            let isNumber = unsafe value.allSatisfy { $0 &- UInt8(ascii: "0") < 10 }
            contentLength = isNumber ? unsafe Int(String(decoding: value, as: UTF8.self)) : nil
            if contentLength == nil { return "is not a number" }
        case .method:
            isConnect = unsafe Self.isEqual(value, "CONNECT")
            takesAsterisk = unsafe Self.isEqual(value, "OPTIONS")
        case .path:
            unsafe pathBeginning = value.first ?? 0
            pathIsAsterisk = unsafe Self.isEqual(value, "*")
        case .scheme:
            isOfHTTP =
                unsafe Self.isEqual(value, "https", mask: 0x20) || Self.isEqual(value, "http", mask: 0x20)
        case .authority, .host: break
        }
        if areTrailers { return "is among trailers" }
        if value.isEmpty { return "is empty" }
        if has(name) { return "is there twice" }
        seen |= 1 << name.rawValue
        return nil
    }

    /// The number of bytes that the body is to have.
    var bodyLength: Int? { isConnect ? nil : contentLength }

    /// What a complete header list lacks.
    var defect: String? {
        if areTrailers { return nil }
        if isConnect {
            return has(.path) || has(.scheme) || !has(.authority)
                ? "CONNECT has ':authority' and no other pseudo-header" : nil
        }
        for name in [Name.method, .path, .scheme] where !has(name) {
            return "the pseudo-header '\(name.text)' is missing"
        }
        if !has(.authority), !has(.host) { return "neither ':authority' nor 'host' is there" }
        guard isOfHTTP, pathBeginning != UInt8(ascii: "/"), !(takesAsterisk && pathIsAsterisk) else {
            return nil
        }
        return "':path' does not begin with '/'"
    }

    private func has(_ name: Name) -> Bool { seen & 1 << name.rawValue != 0 }

    private static func known(_ name: UnsafeBufferPointer<UInt8>) -> Name? {
        let candidates: [Name]
        switch name.count {
        case 2: return unsafe isEqual(name, Name.te.text) ? .te : nil
        case 4: return unsafe isEqual(name, Name.host.text) ? .host : nil
        case 5: return unsafe isEqual(name, Name.path.text) ? .path : nil
        case 7: candidates = sevenBytes
        case 10: candidates = tenBytes
        case 14: return unsafe isEqual(name, Name.contentLength.text) ? .contentLength : nil
        case 16: return unsafe isEqual(name, Name.proxyConnection.text) ? .proxyConnection : nil
        case 17: return unsafe isEqual(name, Name.transferEncoding.text) ? .transferEncoding : nil
        default: return nil
        }
        return candidates.first { unsafe isEqual(name, $0.text) }
    }

    private static let sevenBytes: [Name] = [.method, .scheme, .upgrade]
    private static let tenBytes: [Name] = [.authority, .connection, .keepAlive]

    /// Whether bytes are a text; with the mask of lower case, in either case.
    private static func isEqual(
        _ bytes: UnsafeBufferPointer<UInt8>,
        _ text: StaticString,
        mask: UInt8 = 0
    ) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount, let start = bytes.baseAddress else { return false }
        guard mask != 0 else { return unsafe memcmp(start, text.utf8Start, bytes.count) == 0 }
        return (0..<bytes.count).allSatisfy { unsafe start[$0] | mask == text.utf8Start[$0] }
    }

    /// Whether a value has only characters that it may have.
    private static func isSound(_ value: UnsafeBufferPointer<UInt8>, of name: Name?) -> Bool {
        switch name {
        case .method?: unsafe nghttp2_check_method(value.baseAddress, value.count) != 0
        case .authority?, .host?: unsafe nghttp2_check_authority(value.baseAddress, value.count) != 0
        case .scheme?: unsafe isScheme(value)
        default: unsafe nghttp2_check_header_value(value.baseAddress, value.count) != 0
        }
    }

    /// - Source: RFC 3986, section 3.1
    private static func isScheme(_ value: UnsafeBufferPointer<UInt8>) -> Bool {
        func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }
        guard let first = unsafe value.first, isLetter(first) else { return false }
        return unsafe value.allSatisfy { byte in
            isLetter(byte) || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "+")
                || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
        }
    }
}
