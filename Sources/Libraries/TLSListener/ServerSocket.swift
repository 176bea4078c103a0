#if canImport(Darwin)
    import Darwin
#else
    import CLinux
    import Glibc
#endif

/// A bound and listening TCP socket.
struct ServerSocket {
    let descriptor: Int32
    let port: UInt16
    /// What clients ask for before TLS; nil for a port that speaks TLS from the start.
    let tunnels: TLSTunnels?

    /// Listens on a numeric IPv4 or IPv6 address; port 0 takes a free one.
    init(host: String, port: UInt16, tunnels: TLSTunnels?) throws(TLSListenerError) {
        let isIPv6 = host.utf8.contains(UInt8(ascii: ":"))
        let descriptor = socket(isIPv6 ? AF_INET6 : AF_INET, Self.stream, 0)
        guard descriptor >= 0 else {
            throw TLSListenerError(code: .system, operation: "socket", errorNumber: errno)
        }
        do throws(TLSListenerError) {
            SocketOptions.setNonBlocking(descriptor)
            SocketOptions.setFlag(descriptor, SOL_SOCKET, SO_REUSEADDR)
            if isIPv6 {
                try Self.bindIPv6(descriptor, host, port)
            } else {
                try Self.bindIPv4(descriptor, host, port)
            }
            guard listen(descriptor, 1024) == 0 else {
                let code: TLSListenerError.Code = errno == EADDRINUSE ? .portInUse : .system
                throw TLSListenerError(code: code, operation: "listen", errorNumber: errno)
            }
            self.port = try Self.boundPort(descriptor)
        } catch {
            Self.close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        self.tunnels = tunnels
    }

    /// Accepts one connection, non-blocking; nil with `errno` set when there is none.
    func accept() -> (descriptor: Int32, peer: String)? {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let accepted = unsafe withUnsafeMutableBytes(of: &address) { buffer -> Int32 in
            let pointer = unsafe buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            #if os(Linux)
                return unsafe accept4(
                    descriptor,
                    pointer,
                    &length,
                    Int32(SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
                )
            #else
                return unsafe Darwin.accept(descriptor, pointer, &length)
            #endif
        }
        guard accepted >= 0 else { return nil }
        #if !os(Linux)
            SocketOptions.setNonBlocking(accepted)
        #endif
        SocketOptions.setFlag(accepted, Int32(IPPROTO_TCP), TCP_NODELAY)
        return (accepted, Self.text(address))
    }

    /// Stops listening.
    func close() { Self.close(descriptor) }

    private static func close(_ descriptor: Int32) {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }

    #if os(Linux)
        private static let stream = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    private static func bindIPv4(_ descriptor: Int32, _ host: String, _ port: UInt16) throws(TLSListenerError)
    {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        guard unsafe inet_pton(AF_INET, host, &address.sin_addr) == 1 else {
            throw TLSListenerError(
                code: .invalidAddress,
                operation: "Reading the address \(host)",
                errorNumber: 0
            )
        }
        try check(
            unsafe withUnsafeBytes(of: &address) { buffer in
                unsafe bind(
                    descriptor,
                    buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(buffer.count)
                )
            }
        )
    }

    private static func bindIPv6(_ descriptor: Int32, _ host: String, _ port: UInt16) throws(TLSListenerError)
    {
        SocketOptions.setFlag(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY)
        var address = sockaddr_in6()
        address.sin6_family = sa_family_t(AF_INET6)
        address.sin6_port = port.bigEndian
        guard unsafe inet_pton(AF_INET6, host, &address.sin6_addr) == 1 else {
            throw TLSListenerError(
                code: .invalidAddress,
                operation: "Reading the address \(host)",
                errorNumber: 0
            )
        }
        try check(
            unsafe withUnsafeBytes(of: &address) { buffer in
                unsafe bind(
                    descriptor,
                    buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                    socklen_t(buffer.count)
                )
            }
        )
    }

    private static func check(_ result: Int32) throws(TLSListenerError) {
        guard result != 0 else { return }
        let code: TLSListenerError.Code = errno == EADDRINUSE ? .portInUse : .system
        throw TLSListenerError(code: code, operation: "bind", errorNumber: errno)
    }

    private static func boundPort(_ descriptor: Int32) throws(TLSListenerError) -> UInt16 {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutableBytes(of: &address) { buffer in
            unsafe getsockname(
                descriptor,
                buffer.baseAddress?.assumingMemoryBound(to: sockaddr.self),
                &length
            )
        }
        guard result == 0 else {
            throw TLSListenerError(code: .system, operation: "getsockname", errorNumber: errno)
        }
        return port(of: address)
    }

    /// The port, at the same place in both families' addresses.
    private static func port(of address: sockaddr_storage) -> UInt16 {
        unsafe withUnsafeBytes(of: address) {
            unsafe $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self).bigEndian
        }
    }

    private static func text(_ address: sockaddr_storage) -> String {
        let isIPv6 = Int32(address.ss_family) == AF_INET6
        var name = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let written = unsafe withUnsafeBytes(of: address) { buffer -> Bool in
            guard let base = buffer.baseAddress else { return false }
            return unsafe inet_ntop(
                Int32(address.ss_family),
                base + (isIPv6 ? 8 : 4),
                &name,
                socklen_t(INET6_ADDRSTRLEN)
            ) != nil
        }
        guard written else { return "" }
        let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return isIPv6 ? "[\(host)]:\(port(of: address))" : "\(host):\(port(of: address))"
    }
}

/// Settings of sockets.
enum SocketOptions {
    static func setNonBlocking(_ descriptor: Int32) {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
    }

    static func setFlag(_ descriptor: Int32, _ level: Int32, _ name: Int32) {
        var one: Int32 = 1
        _ = unsafe setsockopt(descriptor, level, name, &one, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Makes the next `close` send a RST.
    static func resetOnClose(_ descriptor: Int32) {
        var linger = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(
            descriptor,
            SOL_SOCKET,
            SO_LINGER,
            &linger,
            socklen_t(MemoryLayout.size(ofValue: linger))
        )
    }
}
