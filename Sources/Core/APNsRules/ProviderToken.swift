import Determinism
import JSONValue

/// Reads the `authorization` header as leniently as Apple does.
///
/// - Source: Apple, Establishing a token-based connection to APNs; forms as Pushy, dotAPNS, PyAPNs2 and APNSwift send them
enum ProviderToken {
    /// A time above this is in milliseconds.
    private static let largestSeconds = 1e11

    /// The facts of a header's value; nil when it carries no bearer token.
    static func read(_ value: ArraySlice<UInt8>, keys: ProviderKeys = ProviderKeys()) -> ProviderFacts? {
        guard let token = bearer(value) else { return nil }
        let segments = token.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard segments.count == 3 else { return invalid("not three segments") }
        guard let header = Base64.decode(segments[0]), let claims = Base64.decode(segments[1]),
            let signature = Base64.decode(segments[2])
        else { return invalid("not base64") }
        guard case .object(let head)? = try? JSONValue(parsing: header.bytes),
            case .object(let body)? = try? JSONValue(parsing: claims.bytes)
        else { return invalid("not JSON") }
        var draft = Draft()
        if header.isPlain || claims.isPlain || signature.isPlain { draft.notes.append("standard base64") }
        draft.read(header: head)
        draft.read(claims: body)
        draft.read(signature: signature.bytes)
        if let keyId = draft.keyId, let verifier = keys[keyId]?.verifier {
            let message = Array(token[..<segments[1].endIndex])
            draft.isSignatureValid = verifier.isValid(signature: signature.bytes, message: message)
        }
        return draft.facts
    }

    /// The token behind the scheme, which is compared without case.
    private static func bearer(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let scheme = value.prefix(6)
        guard scheme.count == 6, scheme.map({ $0 | 32 }).elementsEqual("bearer".utf8) else { return nil }
        let rest = value.dropFirst(6)
        let token = rest.drop { $0 == 0x20 || $0 == 0x09 }
        return token.isEmpty || token.count == rest.count ? nil : token
    }

    private static func invalid(_ note: String) -> ProviderFacts {
        ProviderFacts(kind: .token, notes: [note], defects: [note])
    }

    /// What has been read so far.
    private struct Draft {
        var keyId: String?
        var teamId: String?
        var issuedAt: Timestamp?
        var notes: [String] = []
        var defects: [String] = []
        var isSignatureValid: Bool?

        var facts: ProviderFacts {
            ProviderFacts(
                kind: .token,
                keyId: keyId,
                teamId: teamId,
                issuedAt: issuedAt,
                notes: notes,
                defects: defects,
                isSignatureValid: isSignatureValid
            )
        }

        mutating func refuse(_ note: String) {
            notes.append(note)
            defects.append(note)
        }

        mutating func read(header: JSONObject) {
            switch header["alg"] {
            case nil: notes.append("no alg")
            case .string("ES256")?: break
            case let other?: refuse("alg \(String(other.text.prefix(40)))")
            }
            keyId = Self.name(header["kid"])
            guard let keyId else { return refuse("no kid") }
            if keyId.utf8.count != 10 { notes.append("kid not of 10 characters") }
        }

        mutating func read(claims: JSONObject) {
            teamId = Self.name(claims["iss"])
            if let teamId {
                if teamId.utf8.count != 10 { notes.append("iss not of 10 characters") }
            } else {
                refuse("no iss")
            }
            readIssuedAt(claims["iat"])
        }

        private mutating func readIssuedAt(_ value: JSONValue?) {
            var seconds: Double?
            switch value {
            case .number(let number):
                seconds = number.double
                if !number.isInteger { notes.append("float iat") }
            case .string(let text):
                let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
                let isNumeric =
                    !digits.isEmpty && digits.allSatisfy { $0 >= 0x30 && $0 <= 0x39 || $0 == 0x2E }
                seconds = isNumeric ? Double(text) : nil
                if seconds != nil { notes.append("string iat") }
            default: break
            }
            guard var seconds, seconds.isFinite else {
                return refuse(value == nil ? "no iat" : "iat not a number")
            }
            if seconds < 0 {
                // Old enough, however long before.
                seconds = 0
                notes.append("iat before 1970")
            }
            if seconds > ProviderToken.largestSeconds {
                seconds /= 1000
                notes.append("iat in milliseconds")
            }
            guard let milliseconds = Int64(exactly: (seconds * 1000).rounded(.down)) else {
                return refuse("iat not a time")
            }
            issuedAt = Timestamp(unixMilliseconds: milliseconds)
        }

        mutating func read(signature: [UInt8]) {
            if signature.count == 64 { return }
            guard Self.isDER(signature) else { return refuse("signature neither 64 bytes nor DER") }
            notes.append("DER signature")
        }

        private static func name(_ value: JSONValue?) -> String? {
            guard let text = value?.stringValue, !text.isEmpty else { return nil }
            return text
        }

        /// Whether bytes are a DER sequence of two positive integers of at most 33 bytes.
        private static func isDER(_ bytes: [UInt8]) -> Bool {
            guard bytes.count >= 8, bytes[0] == 0x30, Int(bytes[1]) == bytes.count - 2 else { return false }
            var position = 2
            for _ in 0..<2 {
                guard position + 2 <= bytes.count, bytes[position] == 0x02 else { return false }
                let length = Int(bytes[position + 1])
                position += 2 + length
                guard (1...33).contains(length), position <= bytes.count else { return false }
            }
            return position == bytes.count
        }
    }
}

/// Remembers what provider tokens say, since a provider sends the same one for up to an hour.
struct ProviderTokenCache: Sendable {
    /// Most tokens remembered; at the next one all are forgotten.
    private static let capacity = 256

    private var lastText: [UInt8] = []
    private var last: ProviderFacts?
    private var known: [[UInt8]: ProviderFacts?] = [:]

    /// The facts of a header's value; nil when it carries no bearer token.
    mutating func read(_ value: ArraySlice<UInt8>, keys: ProviderKeys) -> ProviderFacts? {
        if let last, Self.isEqual(value, lastText) { return last }
        let text = Array(value)
        let facts: ProviderFacts?
        if let found = known[text] {
            facts = found
        } else {
            facts = ProviderToken.read(value, keys: keys)
            if known.count >= Self.capacity { known.removeAll() }
            known[text] = .some(facts)
        }
        lastText = text
        last = facts
        return facts
    }

    /// Compares without a branch for each byte, which `==` has.
    private static func isEqual(_ left: ArraySlice<UInt8>, _ right: [UInt8]) -> Bool {
        guard left.count == right.count else { return false }
        let (first, second) = (left.span, right.span)
        var difference: UInt8 = 0
        for index in 0..<first.count { difference |= first[index] ^ second[index] }
        return difference == 0
    }
}
