import COpenSSL

/// The two numbers of an ECDSA signature on P-256, between its two encodings.
///
/// SAFETY: `pointer` is owned from `init` to `deinit` and does not leave this class.
@safe final class ECDSASignature {
    private let pointer: OpaquePointer

    /// The signature of R and S, 32 bytes each.
    init(raw: [UInt8]) throws(OpenSSLError) {
        guard raw.count == 64 else {
            throw OpenSSLError(operation: "reading a signature", reason: "it has \(raw.count) bytes, not 64")
        }
        unsafe pointer = try require(ECDSA_SIG_new(), "making a signature")
        let r = unsafe BN_bin2bn(Array(raw[..<32]), 32, nil)
        let s = unsafe BN_bin2bn(Array(raw[32...]), 32, nil)
        guard let r = unsafe r, let s = unsafe s, unsafe ECDSA_SIG_set0(pointer, r, s) == 1 else {
            unsafe BN_free(r)
            unsafe BN_free(s)
            throw OpenSSLError("filling a signature")
        }
    }

    /// The signature of ASN.1 DER with nothing after it.
    init(der: [UInt8]) throws(OpenSSLError) {
        var consumed = 0
        let signature = unsafe der.withUnsafeBufferPointer { bytes in
            var next = bytes.baseAddress
            let signature = unsafe d2i_ECDSA_SIG(nil, &next, bytes.count)
            if let start = bytes.baseAddress, let next = unsafe next { unsafe consumed = next - start }
            return unsafe signature
        }
        unsafe pointer = try require(signature, "reading a signature")
        guard consumed == der.count else {
            throw OpenSSLError(operation: "reading a signature", reason: "bytes follow it")
        }
    }

    deinit { unsafe ECDSA_SIG_free(pointer) }

    /// R and S, 32 bytes each.
    func raw() throws(OpenSSLError) -> [UInt8] {
        var r: OpaquePointer?
        var s: OpaquePointer?
        unsafe ECDSA_SIG_get0(pointer, &r, &s)
        var left = [UInt8](repeating: 0, count: 32)
        var right = left
        guard unsafe BN_bn2binpad(r, &left, 32) == 32, unsafe BN_bn2binpad(s, &right, 32) == 32 else {
            throw OpenSSLError(operation: "writing a signature", reason: "its numbers are too large")
        }
        return left + right
    }

    /// ASN.1 DER.
    func der() throws(OpenSSLError) -> [UInt8] {
        let count = unsafe i2d_ECDSA_SIG(pointer, nil)
        guard count > 0 else { throw OpenSSLError("writing a signature") }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        let written = unsafe bytes.withUnsafeMutableBufferPointer { buffer in
            var next = buffer.baseAddress
            return unsafe i2d_ECDSA_SIG(pointer, &next)
        }
        guard written == count else { throw OpenSSLError("writing a signature") }
        return bytes
    }
}
