internal import CMicrohttpd
internal import Glibc

/// The library's daemon and the callbacks it is given.
///
/// SAFETY: the library locks its daemon itself; the server's state, which the callbacks get, outlives it.
@safe struct DaemonHandle: @unchecked Sendable {
    private static let idleSeconds = 60
    /// Room of a connection for a request's line and fields and the answer's fields; the library clears it for each
    /// request.
    private static let connectionBytes = 20_480

    let pointer: OpaquePointer

    /// Starts a daemon without a listener; nil when the library refuses.
    init?(threads: Int, connections: UInt, server: ServerState) {
        let flags =
            MHD_USE_POLL_INTERNAL_THREAD.rawValue | MHD_USE_NO_LISTEN_SOCKET.rawValue
            | MHD_ALLOW_SUSPEND_RESUME.rawValue | MHD_ALLOW_UPGRADE.rawValue
        let context = unsafe Unmanaged.passUnretained(server).toOpaque()
        var options = unsafe [
            Self.callback(.NOTIFY_CONNECTION, unsafeBitCast(Self.notify, to: Int.self), context),
            Self.callback(.NOTIFY_COMPLETED, unsafeBitCast(Self.completed, to: Int.self), context),
            Self.callback(.URI_LOG_CALLBACK, unsafeBitCast(Self.begin, to: Int.self), context),
            Self.callback(.UNESCAPE_CALLBACK, unsafeBitCast(Self.keepEscapes, to: Int.self), context),
            MHD_OptionItem(option: .CONNECTION_LIMIT, value: Int(connections), ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_MEMORY_LIMIT, value: Self.connectionBytes, ptr_value: nil),
            MHD_OptionItem(option: .CONNECTION_TIMEOUT, value: Self.idleSeconds, ptr_value: nil),
        ]
        if threads > 1 {
            unsafe options.append(MHD_OptionItem(option: .THREAD_POOL_SIZE, value: threads, ptr_value: nil))
        }
        unsafe options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
        guard let started = unsafe CMicrohttpd_start(flags, Self.handle, context, &options) else {
            return nil
        }
        unsafe pointer = started
    }

    private static func callback(
        _ option: MHD_OPTION,
        _ function: Int,
        _ context: UnsafeMutableRawPointer
    ) -> MHD_OptionItem {
        unsafe MHD_OptionItem(option: option, value: function, ptr_value: context)
    }

    /// A connection has been opened or is about to be closed.
    private static let notify: MHD_NotifyConnectionCallback = { raw, connection, context, code in
        guard let raw = unsafe raw, let connection = unsafe connection, let context = unsafe context else {
            return
        }
        let descriptor = unsafe CMicrohttpd_socket(connection)
        if code == .CONNECTION_NOTIFY_STARTED {
            let server = unsafe Unmanaged<ServerState>.fromOpaque(raw).takeUnretainedValue()
            guard let arrived = server.claim(descriptor) else { return }
            arrived.listener.opened(descriptor, arrived)
            unsafe context.pointee = Unmanaged.passRetained(arrived).toOpaque()
        } else if let raw = unsafe context.pointee {
            let closed = unsafe Unmanaged<Connection>.fromOpaque(raw).takeRetainedValue()
            unsafe context.pointee = nil
            closed.listener.closed(descriptor)
        }
    }

    /// A request line has arrived; what is returned becomes the request's context.
    private static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
            UnsafeMutableRawPointer? =
            { _, target, _ in
                guard let target = unsafe target else { return nil }
                return unsafe Unmanaged.passRetained(Exchange(target: String(cString: target))).toOpaque()
            }

    /// Leaves the path as sent: the request takes it apart itself.
    private static let keepEscapes:
        @convention(c) (UnsafeMutableRawPointer?, OpaquePointer?, UnsafeMutablePointer<CChar>?) -> Int = {
            _,
            _,
            text in
            guard let text = unsafe text else { return 0 }
            return unsafe strlen(text)
        }

    /// A request is complete up to here: its fields, a part of its body, or all of it.
    private static let handle: MHD_AccessHandlerCallback = {
        _,
        connection,
        _,
        method,
        _,
        data,
        size,
        context in
        guard let connection = unsafe connection, let size = unsafe size, let raw = unsafe context?.pointee,
            let owner = unsafe Self.connection(of: connection)
        else { return .NO }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeUnretainedValue()
        if exchange.isNew {
            exchange.begin(method: unsafe method.map { unsafe String(cString: $0) } ?? "")
            return .YES
        }
        guard unsafe size.pointee == 0 else {
            let part = unsafe UnsafeRawBufferPointer(start: data, count: size.pointee)
            unsafe size.pointee = 0
            return unsafe exchange.collect(part, limit: owner.listener.maximumBodyBytes) ? .YES : .NO
        }
        return unsafe exchange.proceed(owner, ConnectionHandle(connection))
    }

    /// A request has ended, well or not.
    private static let completed: MHD_RequestCompletedCallback = { _, connection, context, _ in
        guard let raw = unsafe context?.pointee, let connection = unsafe connection else { return }
        unsafe context?.pointee = nil
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(raw).takeRetainedValue()
        exchange.completed(unsafe Self.connection(of: connection), unsafe ConnectionHandle(connection))
    }

    static func connection(of pointer: OpaquePointer) -> Connection? {
        guard let raw = unsafe CMicrohttpd_context(pointer) else { return nil }
        return unsafe Unmanaged<Connection>.fromOpaque(raw).takeUnretainedValue()
    }
}
