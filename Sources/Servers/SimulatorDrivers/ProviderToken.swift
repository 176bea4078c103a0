import JSONValue

/// The bearer token of a push provider.
///
/// - Source: adamant-notificationService:SharpPusher (header without `typ`; claims `iss`, `iat`)
public enum ProviderToken {
    /// Header, claims and signature, each in Base64 for URLs without padding.
    public static func make(
        keyId: String,
        teamId: String,
        issuedAt: Int64,
        signer: ([UInt8]) -> [UInt8]
    ) -> String {
        let header: JSONValue = ["alg": "ES256", "kid": .string(keyId)]
        let claims: JSONValue = ["iss": .string(teamId), "iat": .int(issuedAt)]
        let text = base64(header.bytes) + "." + base64(claims.bytes)
        return text + "." + base64(signer(Array(text.utf8)))
    }

    private static let alphabet = Array(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8
    )

    static func base64(_ bytes: [UInt8]) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count / 3 * 4 + 4)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
            for digit in 0...group.count {
                output.append(alphabet[Int(bits >> UInt32(18 - 6 * digit) & 63)])
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
