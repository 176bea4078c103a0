internal import Glibc
internal import TLSListener

/// A connection between being accepted and being closed.
final class Connection: Sendable {
    let listener: HTTPListener
    let server: ServerState
    let address: SocketAddress
    let clientAddress: String
    /// The client's TLS, of which the library sees nothing; nil for a client that speaks none.
    private let termination: TLSTermination?

    init(
        listener: HTTPListener,
        server: ServerState,
        address: SocketAddress,
        termination: TLSTermination? = nil
    ) {
        self.listener = listener
        self.server = server
        self.address = address
        self.termination = termination
        clientAddress = address.host
    }

    /// Sends the client an RST; the descriptor is that of the connection, which is still to be closed.
    func abort(_ descriptor: Int32) {
        guard let termination else { return SocketCalls.abort(descriptor) }
        termination.reset()
        _ = shutdown(descriptor, Int32(SHUT_RDWR))
    }
}
