import COpenSSL

/// Keys from pass phrases.
public enum KeyDerivation {
    /// PBKDF2 with HMAC-SHA-512; nil unless rounds and length are positive and fit.
    public static func pbkdf2SHA512(
        password: [UInt8],
        salt: [UInt8],
        rounds: Int,
        length: Int
    ) -> [UInt8]? {
        guard rounds > 0, length > 0, let rounds = Int32(exactly: rounds), let count = Int32(exactly: length),
            let passwordCount = Int32(exactly: password.count), let saltCount = Int32(exactly: salt.count)
        else { return nil }
        var key = [UInt8](repeating: 0, count: length)
        let result = unsafe password.withUnsafeBytes { password in
            unsafe PKCS5_PBKDF2_HMAC(
                password.bindMemory(to: CChar.self).baseAddress,
                passwordCount,
                salt,
                saltCount,
                rounds,
                EVP_sha512(),
                count,
                &key
            )
        }
        return result == 1 ? key : nil
    }
}
