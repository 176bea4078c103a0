internal import CMicrohttpd
internal import Glibc

/// A body that the library reads in place until it lets go of it.
final class OwnedBody: Sendable {
    let bytes: [UInt8]
    init(_ bytes: [UInt8]) { self.bytes = bytes }
}

/// A stream that the library reads from until it lets go of it.
final class StreamBody {
    let stream: HTTPStream
    let server: ServerState

    init(stream: HTTPStream, server: ServerState) {
        self.stream = stream
        self.server = server
    }
}

/// An answer in the library's form, let go of when it has been queued.
///
/// SAFETY: the library counts an answer's uses, and locks what changes while it is sent.
@safe struct ResponseHandle: ~Copyable, @unchecked Sendable {
    private let pointer: OpaquePointer

    /// An answer whose body is there; nil without memory, or with header fields that must not be sent.
    init?(_ owner: OwnedBody, _ headers: [(String, String)]) {
        // SAFETY: the owner keeps the array and never changes it, so that its storage stays where it is.
        let base = unsafe owner.bytes.withUnsafeBufferPointer { $0.baseAddress }
        let retained = unsafe Unmanaged.passRetained(owner)
        let made = unsafe MHD_create_response_from_buffer_with_free_callback_cls(
            owner.bytes.count,
            UnsafeMutableRawPointer(mutating: base),
            Self.freeBody,
            retained.toOpaque()
        )
        guard let made = unsafe made else {
            unsafe retained.release()
            return nil
        }
        unsafe pointer = made
        add(headers)
    }

    /// An answer whose body is a file; nil as above, or without a descriptor for it.
    init?(_ file: OwnedFile, _ headers: [(String, String)]) {
        // The library closes what it is given.
        let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard descriptor >= 0 else { return nil }
        guard let made = unsafe MHD_create_response_from_fd(file.count, descriptor) else {
            _ = close(descriptor)
            return nil
        }
        unsafe pointer = made
        add(headers)
    }

    /// An answer whose body comes piece by piece.
    init?(streaming body: StreamBody, _ head: HTTPStreamHead) {
        let retained = unsafe Unmanaged.passRetained(body)
        let made = unsafe MHD_create_response_from_callback(
            head.length.map { UInt64($0.magnitude) } ?? .max,
            16_384,
            Self.readStream,
            retained.toOpaque(),
            Self.freeStream
        )
        guard let made = unsafe made else {
            unsafe retained.release()
            return nil
        }
        unsafe pointer = made
        add(head.headers)
    }

    /// An answer after which the request's ``Exchange`` gets the socket.
    init?(upgrading headers: [(String, String)]) {
        guard let made = unsafe MHD_create_response_for_upgrade(Self.handOver, nil) else { return nil }
        unsafe pointer = made
        add(headers)
    }

    deinit { unsafe MHD_destroy_response(pointer) }

    /// Sends the answer.
    func queue(on connection: ConnectionHandle, status: Int) -> MHD_Result {
        unsafe MHD_queue_response(connection.pointer, UInt32(clamping: status), pointer)
    }

    /// Adds header fields; the library leaves out those with line breaks in them.
    private func add(_ headers: [(String, String)]) {
        for (name, value) in headers {
            if name == "Content-Length" { unsafe CMicrohttpd_allow_length(pointer) }
            // Lent in place: passing the texts themselves would make copies on the heap.
            unsafe name.withCString { name in
                unsafe value.withCString { value in
                    _ = unsafe MHD_add_response_header(pointer, name, value)
                }
            }
        }
    }

    private static let handOver: MHD_UpgradeHandler = {
        _,
        connection,
        context,
        bytes,
        count,
        socket,
        handle in
        guard let handle = unsafe handle, let connection = unsafe connection, let context = unsafe context,
            let owner = unsafe DaemonHandle.connection(of: connection)
        else { return }
        // The library has let the system hold back what is small.
        SocketCalls.set(socket, Int32(IPPROTO_TCP), TCP_NODELAY)
        let received = unsafe [UInt8](UnsafeRawBufferPointer(start: bytes, count: count))
        let upgraded = unsafe UpgradedSocket(
            descriptor: socket,
            received: received,
            handle: handle,
            connection: owner
        )
        unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue().handOver(upgraded, owner)
    }

    private static let freeBody: MHD_ContentReaderFreeCallback = { raw in
        if let raw = unsafe raw { unsafe Unmanaged<OwnedBody>.fromOpaque(raw).release() }
    }

    private static let readStream: MHD_ContentReaderCallback = { raw, _, buffer, size in
        guard let raw = unsafe raw, let buffer = unsafe buffer else {
            return MHD_CONTENT_READER_END_WITH_ERROR
        }
        let body = unsafe Unmanaged<StreamBody>.fromOpaque(raw).takeUnretainedValue()
        return unsafe body.stream.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: size))
    }

    private static let freeStream: MHD_ContentReaderFreeCallback = { raw in
        guard let raw = unsafe raw else { return }
        let body = unsafe Unmanaged<StreamBody>.fromOpaque(raw).takeRetainedValue()
        body.server.finished(body.stream)
        body.stream.released()
    }
}
