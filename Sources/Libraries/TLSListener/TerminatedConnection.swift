import COpenSSL
import Polling

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// One client of a terminator and the server behind it, on the terminator's thread alone.
@safe
final class TerminatedConnection {
    /// A descriptor, and what is waited for on it.
    private struct Side {
        let descriptor: Int32
        let key: UInt64
        private var interest: PollInterest = []
        private(set) var isClosed = false
        /// Whether it is to be closed.
        var isOver = false

        init(_ descriptor: Int32, key: UInt64) {
            self.descriptor = descriptor
            self.key = key
        }

        /// Waits for something else, or for nothing, and closes what is over.
        mutating func wait(for wanted: PollInterest, in poller: inout Poller) {
            let wanted = isOver ? [] : wanted
            if interest.isEmpty, !wanted.isEmpty {
                isOver = !poller.add(descriptor, key: key, interest: wanted)
            } else if !interest.isEmpty, wanted.isEmpty {
                // The poller would tell of a hang-up again and again.
                poller.remove(descriptor)
            } else if interest != wanted {
                poller.change(descriptor, key: key, interest: wanted)
            }
            interest = wanted
            if isOver { close() }
        }

        mutating func close() {
            guard !isClosed else { return }
            isClosed = true
            #if canImport(Darwin)
                _ = Darwin.close(descriptor)
            #else
                _ = Glibc.close(descriptor)
            #endif
        }
    }

    let id: UInt64
    /// When it has waited for its client too long, in milliseconds of the steady clock.
    private(set) var deadline = Int64.max
    /// Whether it has more to move than one turn is for.
    private(set) var hasMore = false
    private let termination: TLSTermination
    /// SAFETY: freed with this object alone, which one thread uses; nil without memory.
    private let session: OpaquePointer?
    private var client: Side
    private var server: Side
    private var forServer = Backlog()
    private var forClient = Backlog()
    private var clientWants: PollInterest = .read
    /// Nothing more comes of the client, or nobody is there to take it.
    private var clientHasEnded = false
    private var serverHasEnded = false
    private var isDraining = false

    init(_ arrival: TLSTerminator.Arrival, context: TLSContext) {
        termination = arrival.termination
        id = termination.id
        client = Side(arrival.client, key: id * 2)
        server = Side(arrival.server, key: id * 2 + 1)
        unsafe session = context.makeSession(socket: arrival.client)
    }

    deinit { unsafe SSL_free(session) }

    var isClosed: Bool { client.isClosed }

    /// Moves what can be moved either way.
    func move(_ buffer: inout [UInt8], now: Int64) {
        hasMore = false
        guard let session = unsafe session, !termination.isReset else { return reset() }
        if !isDraining {
            unsafe moveToServer(session, &buffer)
            unsafe moveToClient(session, &buffer, now: now)
            if serverHasEnded, forClient.isEmpty, !client.isOver { unsafe finish(session, now: now) }
        }
        if isDraining { drain(&buffer) }
    }

    /// Tells the poller what is waited for, and closes what is over.
    func update(_ poller: inout Poller) {
        var (ofClient, ofServer): (PollInterest, PollInterest) = ([], [])
        if isDraining {
            ofClient = .read
        } else {
            if !clientHasEnded, forServer.isEmpty { ofClient.formUnion(clientWants) }
            if !forClient.isEmpty { ofClient.insert(.write) }
            if !serverHasEnded, forClient.isEmpty { ofServer.insert(.read) }
            if !forServer.isEmpty { ofServer.insert(.write) }
        }
        client.wait(for: ofClient, in: &poller)
        if client.isOver { server.isOver = true }
        server.wait(for: ofServer, in: &poller)
        guard server.isClosed, !isDraining else { return }
        client.isOver = true
        client.wait(for: [], in: &poller)
    }

    /// Has waited too long.
    func expire() {
        if isDraining {
            client.isOver = true
        } else {
            reset()
        }
    }

    /// Sends what the server has left behind, as far as the client takes it at once, and closes both sides.
    func conclude(_ buffer: inout [UInt8]) {
        if let session = unsafe session, !isDraining {
            unsafe moveToClient(session, &buffer, now: 0)
            unsafe finish(session, now: 0)
        }
        client.close()
        server.close()
    }
}

extension TerminatedConnection {
    private func moveToServer(_ session: OpaquePointer, _ buffer: inout [UInt8]) {
        for _ in 0..<TLSConnection.recordsPerTurn {
            sendToServer()
            guard !clientHasEnded, forServer.isEmpty else { return }
            ERR_clear_error()
            let count = unsafe SSL_read(session, &buffer, Int32(buffer.count))
            guard count > 0 else { return unsafe readFailed(SSL_get_error(session, count)) }
            clientWants = .read
            forServer = Backlog(buffer[..<Int(count)])
        }
        hasMore = true
    }

    private func sendToServer() {
        while !forServer.isEmpty {
            let count = unsafe forServer.withUnsafeBytes { bytes in
                unsafe send(server.descriptor, bytes.baseAddress, bytes.count, Self.withoutSignal)
            }
            guard count > 0 else {
                guard errno != EAGAIN, errno != EINTR else { return }
                // The server takes nothing more; what it said before is still to be read.
                forServer = Backlog()
                clientHasEnded = true
                return
            }
            forServer.drop(count)
        }
    }

    private func readFailed(_ error: Int32) {
        switch error {
        case SSL_ERROR_WANT_READ: clientWants = .read
        case SSL_ERROR_WANT_WRITE: clientWants = .write
        case SSL_ERROR_ZERO_RETURN:
            clientHasEnded = true
            _ = shutdown(server.descriptor, Int32(SHUT_WR))
        default: client.isOver = true
        }
    }

    private func moveToClient(_ session: OpaquePointer, _ buffer: inout [UInt8], now: Int64) {
        guard !client.isOver else { return }
        for _ in 0..<TLSConnection.recordsPerTurn {
            unsafe writeToClient(session, now: now)
            guard !serverHasEnded, forClient.isEmpty, !client.isOver else { return }
            let count = unsafe recv(server.descriptor, &buffer, buffer.count, 0)
            guard count > 0 else {
                serverHasEnded = count == 0 || (errno != EAGAIN && errno != EINTR)
                return
            }
            forClient = Backlog(buffer[..<count])
        }
        hasMore = true
    }

    private func writeToClient(_ session: OpaquePointer, now: Int64) {
        while !forClient.isEmpty {
            ERR_clear_error()
            let count = unsafe forClient.withUnsafeBytes { bytes in
                unsafe SSL_write(session, bytes.baseAddress, Int32(clamping: bytes.count))
            }
            guard count > 0 else {
                switch unsafe SSL_get_error(session, count) {
                case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE:
                    if deadline == .max { deadline = now + TLSLoop.stallMilliseconds }
                default: client.isOver = true
                }
                return
            }
            forClient.drop(Int(count))
            deadline = .max
        }
    }

    /// Says goodbye and waits a moment for the client's, so that no unread byte turns the end into an RST.
    private func finish(_ session: OpaquePointer, now: Int64) {
        // The server says so before it ends its side, which may be while its words are moved.
        guard !termination.isReset else { return reset() }
        ERR_clear_error()
        _ = unsafe SSL_shutdown(session)
        _ = shutdown(client.descriptor, Int32(SHUT_WR))
        server.isOver = true
        isDraining = true
        deadline = now + TLSLoop.drainMilliseconds
    }

    private func drain(_ buffer: inout [UInt8]) {
        for _ in 0..<TLSConnection.recordsPerTurn {
            let count = unsafe recv(client.descriptor, &buffer, buffer.count, 0)
            if count > 0 { continue }
            if count < 0, errno == EAGAIN || errno == EINTR { return }
            client.isOver = true
            return
        }
    }

    private func reset() {
        SocketOptions.resetOnClose(client.descriptor)
        client.isOver = true
    }

    #if canImport(Darwin)
        private static let withoutSignal: Int32 = 0
    #else
        private static let withoutSignal = Int32(MSG_NOSIGNAL)
    #endif
}
