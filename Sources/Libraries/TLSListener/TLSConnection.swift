import Polling
import COpenSSL

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Names one connection of a listener; never used twice.
public struct TLSConnectionID: Hashable, Sendable {
    let number: UInt64
}

/// What serves one connection; it lives on the listener's loop thread and needs no lock.
public protocol TLSConnectionHandler: AnyObject {
    /// Takes decrypted bytes.
    func receive(_ bytes: Span<UInt8>)
    /// Appends bytes to be sent, about 16 KiB at most; called until it appends none.
    func appendOutput(to buffer: inout [UInt8])
    /// Tells that the connection has ended, for whatever reason.
    func connectionClosed()
    /// Tells that the listener stops; output that is made now is sent as far as the socket takes it at once.
    func listenerStops()
}

/// An accepted TLS connection, to be used on the listener's loop thread alone.
@safe
public final class TLSConnection {
    enum State {
        /// The client asks a proxy's port for a tunnel first.
        case tunnelling
        case handshaking
        case open
        /// Nothing is read or sent any more, and the client is told nothing of it.
        case silent
        /// Everything was said; what the client still sends is thrown away until it closes.
        case draining
        case closed
    }

    /// Largest number of bytes that one read takes: a TLS record.
    static let readSize = 16_384
    /// Records of one connection before the others have their turn.
    static let recordsPerTurn = 32

    /// The connection's name.
    public let id: TLSConnectionID
    /// The port of the listener that accepted it.
    public let localPort: UInt16
    /// The client's address with its port.
    public let peerAddress: String
    /// What the handshake told; nil before its end.
    public private(set) var facts: TLSFacts?

    let socket: Int32
    private(set) var state: State
    /// When output last moved, or started to wait, in milliseconds of the monotonic clock.
    private(set) var stalledSince: Int64?
    var isDirty = false
    /// Whether it is read again before the loop waits.
    var isUnread = false
    private unowned let loop: TLSLoop
    /// SAFETY: freed once, in `close`, after which `state` is `.closed` and no call uses it.
    private let session: OpaquePointer
    private var handler: (any TLSConnectionHandler)?
    private let tunnels: TLSTunnels?
    private var tunnelRequest = TunnelRequest()
    private var interest = PollInterest.read
    private var output: [UInt8] = []
    private var outputStart = 0
    private var closesAfterOutput = false
    /// Whether the client has sent anything but its handshake.
    private var hasReceived = false
    /// What had come through the socket at the latest look.
    private var bytesFromSocket: UInt64 = 0

    init(
        id: TLSConnectionID,
        socket: Int32,
        session: OpaquePointer,
        peer: String,
        port: UInt16,
        tunnels: TLSTunnels?,
        loop: TLSLoop
    ) {
        self.id = id
        self.socket = socket
        unsafe self.session = session
        peerAddress = peer
        localPort = port
        self.tunnels = tunnels
        state = tunnels == nil ? .handshaking : .tunnelling
        self.loop = loop
    }

    /// The monotonic clock in milliseconds, as of the loop's latest wake-up.
    public var now: Int64 { loop.now }

    /// The handler, while the connection is open.
    var activeHandler: (any TLSConnectionHandler)? { state == .open ? handler : nil }

    /// Whether the handshake, and what comes before it, is not over.
    var isBeginning: Bool { state == .handshaking || state == .tunnelling }

    /// Says that the handler has output; it is fetched before the loop waits again.
    public func outputIsReady() {
        loop.markDirty(self)
    }

    /// Ends the connection once all output is sent.
    public func closeAfterOutput() {
        closesAfterOutput = true
        loop.markDirty(self)
    }

    /// Ends the connection with a RST; output not yet sent is lost.
    public func reset() {
        // The number of a closed socket may be another's by now.
        guard state != .closed else { return }
        SocketOptions.resetOnClose(socket)
        close()
    }

    /// Reads and sends nothing more, as if the network had gone, and ends with a RST after a time.
    public func fallSilent(milliseconds: Int) {
        guard state == .open || isBeginning else { return }
        state = .silent
        stalledSince = nil
        loop.forget(self)
        loop.after(milliseconds: Int64(milliseconds)) { [weak self] in self?.reset() }
    }

    /// Runs an action on the loop thread after a time, unless the connection has ended by then.
    public func after(milliseconds: Int, _ action: @escaping () -> Void) {
        loop.after(milliseconds: Int64(milliseconds)) { [weak self] in
            guard let self, self.state == .open else { return }
            action()
        }
    }

    // MARK: - Called by the loop

    func ready(_ event: PollEvent) {
        switch state {
        case .tunnelling: readTunnelRequest()
        case .handshaking: handshake()
        case .open:
            if event.isWritable { flush() }
            if event.isReadable { read() }
        case .draining: drain()
        case .silent, .closed: break
        }
    }

    /// Fetches and sends what the handler has to say, as far as the socket takes it, then closes if it is to.
    public func flush() {
        guard state == .open, let handler else { return }
        while true {
            if outputStart == output.count {
                output.removeAll(keepingCapacity: true)
                outputStart = 0
                handler.appendOutput(to: &output)
                if output.isEmpty { break }
            }
            guard writeOutput() else { return }
        }
        stalledSince = nil
        if closesAfterOutput {
            finish()
        } else {
            wait(for: .read)
        }
    }

    /// Reads what has arrived; the handler's answer follows before the loop waits again.
    ///
    /// So all answers of a turn are sent one after the other: a client that has to be woken for each costs the
    /// server more than the sending does.
    func read() {
        guard state == .open, stalledSince == nil else { return }
        for _ in 0..<Self.recordsPerTurn {
            ERR_clear_error()
            let count = unsafe SSL_read(session, loop.readBuffer.baseAddress, Int32(Self.readSize))
            guard count > 0 else {
                readFailed(unsafe SSL_get_error(session, count))
                return
            }
            hasReceived = true
            unsafe handler?.receive(UnsafeBufferPointer(rebasing: loop.readBuffer[..<Int(count)]).span)
            guard state == .open else { return }
            guard mayHaveMore() else { return outputIsReady() }
        }
        outputIsReady()
        loop.readAgain(self)
    }

    /// Whether another read may find something; one that finds nothing costs a call to the system.
    ///
    /// A socket that gave less than was asked for is empty; the poller tells of what comes later.
    private func mayHaveMore() -> Bool {
        let total = unsafe BIO_number_read(SSL_get_rbio(session))
        defer { bytesFromSocket = total }
        return unsafe SSL_has_pending(session) == 1 || total &- bytesFromSocket >= UInt64(Self.readSize)
    }

    func close() {
        guard state != .closed else { return }
        state = .closed
        loop.remove(self)
        unsafe SSL_free(session)
        #if canImport(Darwin)
            _ = Darwin.close(socket)
        #else
            _ = Glibc.close(socket)
        #endif
        handler?.connectionClosed()
        handler = nil
    }

    // MARK: - Details

    private func readTunnelRequest() {
        let count = unsafe recv(socket, loop.readBuffer.baseAddress, Self.readSize, 0)
        guard count > 0 else {
            if count == 0 || (errno != EAGAIN && errno != EINTR) { close() }
            return
        }
        switch unsafe tunnelRequest.receive(UnsafeBufferPointer(rebasing: loop.readBuffer[..<count]).span) {
        case .incomplete: break
        case .wanted(let host, let port):
            guard let tunnels, tunnels.leadsHere(host, port) else {
                let text = tunnels?.refusal ?? ""
                return refuseTunnel(TunnelRequest.refusal(status: "403 Forbidden", text: text))
            }
            guard sendWhole(TunnelRequest.accepted) else { return close() }
            state = .handshaking
        case .refused(let status, let text):
            refuseTunnel(TunnelRequest.refusal(status: status, text: text))
        }
    }

    private func refuseTunnel(_ answer: [UInt8]) {
        _ = sendWhole(answer)
        finish()
    }

    /// Sends some bytes past TLS; the first of a connection, for which its socket has room.
    private func sendWhole(_ bytes: [UInt8]) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe send(socket, $0.baseAddress, $0.count, 0) == $0.count }
    }

    private func handshake() {
        ERR_clear_error()
        let result = unsafe SSL_accept(session)
        guard result == 1 else {
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ: wait(for: .read)
            case SSL_ERROR_WANT_WRITE: wait(for: .write)
            case let error:
                noteFailure(TLSHandshakeFailure.Cause(error: error))
                finish()
            }
            return
        }
        facts = unsafe TLSFacts(session: session)
        state = .open
        handler = loop.makeHandler(self)
        wait(for: .read)
        flush()
        read()
    }

    /// Ends a connection whose handshake takes too long.
    func giveUpBeginning() {
        guard isBeginning else { return }
        noteFailure(.timedOut)
        reset()
    }

    private func noteFailure(_ cause: TLSHandshakeFailure.Cause) {
        // Who looks whether the port is open says nothing.
        guard state != .tunnelling, unsafe BIO_number_read(SSL_get_rbio(session)) > 0 else { return }
        loop.handshakeFailed(
            TLSHandshakeFailure(localPort: localPort, peerAddress: peerAddress, cause: cause)
        )
    }

    private func readFailed(_ error: Int32) {
        switch error {
        case SSL_ERROR_WANT_READ: outputIsReady()
        case SSL_ERROR_WANT_WRITE: wait(for: [.read, .write])
        case SSL_ERROR_ZERO_RETURN:
            // The client has said all it will; what is ready is still sent.
            closesAfterOutput = true
            flush()
        case SSL_ERROR_SSL where !hasReceived:
            // A client may look at the certificate when the handshake is over.
            if case .alert(let number, let text) = TLSHandshakeFailure.Cause(error: error) {
                noteFailure(.alert(number, text))
            }
            close()
        default: close()
        }
    }

    /// Sends from `output`; false when the socket takes no more or has failed.
    private func writeOutput() -> Bool {
        ERR_clear_error()
        let count = unsafe output.withUnsafeBytes { buffer in
            unsafe SSL_write(
                session,
                buffer.baseAddress.map { unsafe $0 + outputStart },
                Int32(buffer.count - outputStart)
            )
        }
        guard count > 0 else {
            switch unsafe SSL_get_error(session, count) {
            case SSL_ERROR_WANT_WRITE, SSL_ERROR_WANT_READ:
                // Nothing is read before the client has taken what it asked for.
                wait(for: .write)
                stalledSince = stalledSince ?? loop.now
            default: close()
            }
            return false
        }
        if stalledSince != nil { stalledSince = loop.now }
        outputStart += Int(count)
        return true
    }

    /// Says goodbye and waits a moment for the client's, so that no unread byte turns the close into a RST.
    private func finish() {
        guard state == .open || isBeginning else { return }
        if state == .open {
            ERR_clear_error()
            _ = unsafe SSL_shutdown(session)
        }
        _ = shutdown(socket, Int32(SHUT_WR))
        state = .draining
        handler?.connectionClosed()
        handler = nil
        wait(for: .read)
        loop.after(milliseconds: TLSLoop.drainMilliseconds) { [weak self] in self?.close() }
        drain()
    }

    private func drain() {
        for _ in 0..<Self.recordsPerTurn {
            let count = unsafe recv(socket, loop.readBuffer.baseAddress, Self.readSize, 0)
            if count > 0 { continue }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            close()
            return
        }
    }

    private func wait(for interest: PollInterest) {
        guard interest != self.interest else { return }
        self.interest = interest
        loop.change(self, interest: interest)
    }
}
