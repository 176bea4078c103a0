internal import CMicrohttpd
internal import Synchronization

/// The socket of a client that went over to another protocol.
///
/// It is non-blocking and belongs to whoever got it, who must ``close()`` it before the server stops.
@safe public final class UpgradedSocket: Sendable {
    /// The library's handle of such a connection.
    ///
    /// SAFETY: valid until the connection is closed by it, which happens once, under the lock.
    @safe private struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// To read from and write to; not to be closed by itself.
    public let descriptor: Int32
    /// What the client sent behind its request.
    public let received: [UInt8]
    private let handle: Mutex<Handle?>
    private let connection: Connection

    init(descriptor: Int32, received: [UInt8], handle: OpaquePointer, connection: Connection) {
        self.descriptor = descriptor
        self.received = received
        self.handle = unsafe Mutex(Handle(pointer: handle))
        self.connection = connection
    }

    /// Makes the end of the connection, which has to follow, an RST for the client; nothing once it is closed.
    public func abort() {
        handle.withLock { handle in
            if handle != nil { connection.abort(descriptor) }
        }
    }

    /// Closes the socket; a second call does nothing.
    public func close() {
        guard let handle = handle.withLock({ $0.take() }) else { return }
        connection.server.finished(self)
        _ = unsafe CMicrohttpd_close_upgraded(handle.pointer)
    }
}
