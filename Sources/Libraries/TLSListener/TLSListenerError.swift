import Polling

/// A failure to set up TLS or to listen.
public struct TLSListenerError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What went wrong, for a caller that acts on it.
    public enum Code: Sendable {
        /// Another socket listens on that port.
        case portInUse
        /// The text is no numeric address.
        case invalidAddress
        /// The certificate or its key cannot be used.
        case invalidIdentity
        /// The listener has been stopped.
        case stopped
        /// Any other failure of the system or of OpenSSL.
        case system
    }

    /// What went wrong.
    public let code: Code
    /// The call that failed.
    public let operation: String
    /// The system's error number, or 0.
    public let errorNumber: Int32

    /// The call and its error number.
    public var description: String {
        errorNumber == 0 ? "\(operation) failed" : "\(operation) failed with error \(errorNumber)"
    }
}

extension TLSListenerError {
    init(_ error: PollingError) {
        self.init(code: .system, operation: error.operation, errorNumber: error.errorNumber)
    }
}
