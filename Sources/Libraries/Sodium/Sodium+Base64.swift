import CSodium

extension Sodium {
    /// The two alphabets of Base64, each with or without padding.
    public enum Base64Variant: Sendable, CaseIterable {
        /// `+` and `/`, with `=`.
        case standard
        /// `+` and `/`, without `=`.
        case standardWithoutPadding
        /// `-` and `_`, with `=`.
        case url
        /// `-` and `_`, without `=`.
        case urlWithoutPadding

        fileprivate var code: Int32 {
            switch self {
            case .standard: Int32(sodium_base64_VARIANT_ORIGINAL)
            case .standardWithoutPadding: Int32(sodium_base64_VARIANT_ORIGINAL_NO_PADDING)
            case .url: Int32(sodium_base64_VARIANT_URLSAFE)
            case .urlWithoutPadding: Int32(sodium_base64_VARIANT_URLSAFE_NO_PADDING)
            }
        }
    }

    /// The Base64 text of bytes.
    public static func base64(_ bytes: [UInt8], variant: Base64Variant) -> String {
        _ = isReady
        // The length includes the final zero byte that the function writes.
        var text = [CChar](repeating: 0, count: sodium_base64_encoded_len(bytes.count, variant.code))
        _ = unsafe sodium_bin2base64(&text, text.count, bytes, bytes.count, variant.code)
        return String(decoding: text.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The bytes of strict Base64 text; nil for anything else, such as white space or stray trailing bits.
    public static func bytes(base64 text: [UInt8], variant: Base64Variant) -> [UInt8]? {
        guard isReady, !text.isEmpty else { return text }
        var bytes = [UInt8](repeating: 0, count: text.count / 4 * 3 + 3)
        let capacity = bytes.count
        var count = 0
        let result = unsafe text.withUnsafeBytes { source in
            // Without a place for the end, the function refuses what it does not consume.
            unsafe sodium_base642bin(
                &bytes,
                capacity,
                source.bindMemory(to: CChar.self).baseAddress,
                text.count,
                nil,
                &count,
                nil,
                variant.code
            )
        }
        guard result == 0, count <= capacity else { return nil }
        bytes.removeLast(capacity - count)
        return bytes
    }

    /// The bytes of strict Base64 text; nil for anything else.
    public static func bytes(base64 text: String, variant: Base64Variant) -> [UInt8]? {
        bytes(base64: Array(text.utf8), variant: variant)
    }
}
