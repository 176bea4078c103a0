import COpenSSL

/// A call into OpenSSL that failed.
public struct OpenSSLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What was tried.
    public let operation: String
    /// What OpenSSL says about it; empty when it says nothing.
    public let reason: String

    /// What was tried and why it failed, for people.
    public var description: String {
        reason.isEmpty ? "\(operation) failed" : "\(operation) failed: \(reason)"
    }

    /// An error with a reason of our own.
    init(operation: String, reason: String) {
        self.operation = operation
        self.reason = reason
    }

    /// The newest error of this thread's queue, which is emptied.
    init(_ operation: String) {
        self.operation = operation
        let code = ERR_peek_last_error()
        ERR_clear_error()
        guard code != 0 else {
            reason = ""
            return
        }
        var text = [CChar](repeating: 0, count: 256)
        unsafe ERR_error_string_n(code, &text, text.count)
        reason = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

/// Throws the newest error unless a call returned 1.
func check(_ result: Int32, _ operation: String) throws(OpenSSLError) {
    guard result == 1 else { throw OpenSSLError(operation) }
}

/// The object that a call returned; throws the newest error when it returned none.
func require<Pointer>(_ pointer: Pointer?, _ operation: String) throws(OpenSSLError) -> Pointer {
    guard let pointer else { throw OpenSSLError(operation) }
    return pointer
}
