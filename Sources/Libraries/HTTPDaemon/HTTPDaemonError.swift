/// Why a server could not start or listen.
public enum HTTPDaemonError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Something else listens on this port.
    case portInUse(UInt16)
    /// The host is no numeric IPv4 or IPv6 address.
    case invalidHost(String)
    /// The machine has no such address, or no IPv6.
    case addressUnavailable(String)
    /// The port needs rights that this process lacks.
    case notPermitted(UInt16)
    /// A system call failed with this error number.
    case systemCall(String, Int32)
    /// TLS cannot be spoken: there is no certificate, or it cannot be used with its key.
    case unusableIdentity
    /// The server was stopped.
    case stopped

    /// One line for people.
    public var description: String {
        switch self {
        case .portInUse(let port): "port \(port) is in use"
        case .invalidHost(let host): "\(host) is not a numeric address"
        case .addressUnavailable(let host): "this machine has no address \(host)"
        case .notPermitted(let port): "no permission to listen on port \(port)"
        case .systemCall(let name, let number): "\(name) failed with error \(number)"
        case .unusableIdentity: "there is no certificate and key that TLS can use"
        case .stopped: "the server was stopped"
        }
    }
}
