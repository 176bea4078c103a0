import COpenSSL
import Synchronization

/// SHA-256 by the processor's own instructions, where it has them.
public enum SHA256 {
    private static let contexts = ContextPool()

    /// The 32-byte digest.
    public static func digest(_ bytes: [UInt8]) throws(OpenSSLError) -> [UInt8] {
        let context = try contexts.take()
        defer { contexts.give(back: context) }
        var digest = [UInt8](repeating: 0, count: 32)
        try check(
            unsafe EVP_DigestInit_ex2(context.pointer, Algorithm.sha256.pointer, nil) == 1
                && EVP_DigestUpdate(context.pointer, bytes, bytes.count) == 1
                ? EVP_DigestFinal_ex(context.pointer, &digest, nil) : 0,
            "SHA-256"
        )
        return digest
    }
}

/// An algorithm of OpenSSL's, looked up once: doing so for each digest costs more than a short digest does.
///
/// SAFETY: never changed and never freed; the library counts its users atomically.
@safe private struct Algorithm: @unchecked Sendable {
    static let sha256 = Algorithm("SHA256")

    /// Nil when the library does not have it; digests then fail.
    let pointer: OpaquePointer?

    private init(_ name: String) {
        unsafe pointer = EVP_MD_fetch(nil, name, nil)
    }
}

/// What a digest is computed in.
///
/// SAFETY: used by one thread at a time, which took it from the pool.
@safe private struct Context: @unchecked Sendable {
    let pointer: OpaquePointer
}

/// Contexts for as many digests as are computed at a time: making one costs more than a short digest does.
private final class ContextPool: Sendable {
    private let free = Mutex<[Context]>([])

    func take() throws(OpenSSLError) -> Context {
        if let known = free.withLock({ $0.popLast() }) { return known }
        return unsafe Context(pointer: try require(EVP_MD_CTX_new(), "SHA-256"))
    }

    func give(back context: Context) {
        free.withLock { $0.append(context) }
    }
}
