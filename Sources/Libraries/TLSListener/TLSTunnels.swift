/// Which tunnels of a proxy's port lead to its own TLS server, as if the client had connected there.
public struct TLSTunnels: Sendable {
    /// Whether a host, in lower case, and port are served here.
    let leadsHere: @Sendable (String, UInt16) -> Bool
    /// What a client is told whose tunnel would lead elsewhere.
    let refusal: String

    /// Tunnels.
    public init(refusal: String, leadsHere: @escaping @Sendable (String, UInt16) -> Bool) {
        self.refusal = refusal
        self.leadsHere = leadsHere
    }
}
