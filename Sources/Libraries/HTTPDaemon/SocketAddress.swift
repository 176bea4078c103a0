internal import CLinux
internal import CMicrohttpd
internal import Glibc

/// A numeric IPv4 or IPv6 address with a port.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length: socklen_t

    /// The address a host and port stand for; nil unless the host is numeric.
    init?(host: String, port: UInt16) {
        var four = sockaddr_in()
        var six = sockaddr_in6()
        if unsafe inet_pton(AF_INET, host, &four.sin_addr) == 1 {
            four.sin_family = sa_family_t(AF_INET)
            four.sin_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in>.size)
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.storeBytes(of: four, as: sockaddr_in.self)
            }
        } else if unsafe inet_pton(AF_INET6, host, &six.sin6_addr) == 1 {
            six.sin6_family = sa_family_t(AF_INET6)
            six.sin6_port = port.bigEndian
            length = socklen_t(MemoryLayout<sockaddr_in6>.size)
            unsafe withUnsafeMutableBytes(of: &storage) {
                unsafe $0.storeBytes(of: six, as: sockaddr_in6.self)
            }
        } else {
            return nil
        }
    }

    /// What `fill` puts into the buffer of an address, for example `getsockname`.
    init?(_ fill: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Bool) {
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let isFilled = unsafe withUnsafeMutablePointer(to: &storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe fill($0, &size) }
        }
        guard isFilled else { return nil }
        length = size
    }

    var isIPv6: Bool { Int32(storage.ss_family) == AF_INET6 }

    /// The port number.
    var port: UInt16 {
        // The port lies at the same place in both forms.
        UInt16(
            bigEndian: unsafe withUnsafeBytes(of: storage) {
                unsafe $0.load(fromByteOffset: 2, as: UInt16.self)
            }
        )
    }

    /// The host as numbers, for example `127.0.0.1`; IPv4 in IPv6 is written as IPv4.
    var host: String {
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        let size = socklen_t(text.count)
        let offset = isIPv6 ? 8 : 4
        let family = Int32(storage.ss_family)
        unsafe withUnsafeBytes(of: storage) { bytes in
            if let base = bytes.baseAddress { _ = unsafe inet_ntop(family, base + offset, &text, size) }
        }
        let host = String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        return host.hasPrefix("::ffff:") && host.contains(".") ? String(host.dropFirst(7)) : host
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        unsafe withUnsafePointer(to: storage) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, length) }
        }
    }
}

/// Calls on sockets that are more than one line.
enum SocketCalls {
    /// Makes a socket that listens on an address.
    static func listening(on address: SocketAddress, host: String, port: UInt16) throws(HTTPDaemonError)
        -> Int32
    {
        guard port == 0 else {
            let descriptor = try bound(to: address, host: host, port: port)
            return try listening(descriptor, port: port)
        }
        // A socket loses a port that the system chose when it stops listening for a while; one asked for it keeps.
        let first = try bound(to: address, host: host, port: 0)
        defer { _ = close(first) }
        let chosen = unsafe SocketAddress { unsafe getsockname(first, $0, $1) == 0 }
        guard let chosen else { throw .systemCall("getsockname", errno) }
        let descriptor = try bound(to: chosen, host: host, port: chosen.port)
        return try listening(descriptor, port: chosen.port)
    }

    private static func bound(
        to address: SocketAddress,
        host: String,
        port: UInt16
    ) throws(HTTPDaemonError) -> Int32 {
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.isIPv6 ? AF_INET6 : AF_INET, kind, 0)
        guard descriptor >= 0 else {
            throw errno == EAFNOSUPPORT ? .addressUnavailable(host) : .systemCall("socket", errno)
        }
        // Without it a port is closed for a minute after a restart.
        set(descriptor, SOL_SOCKET, SO_REUSEADDR)
        if address.isIPv6 { set(descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY) }
        guard unsafe address.withPointer({ unsafe bind(descriptor, $0, $1) }) == 0 else {
            let number = errno
            _ = close(descriptor)
            switch number {
            case EADDRINUSE: throw .portInUse(port)
            case EADDRNOTAVAIL: throw .addressUnavailable(host)
            case EACCES, EPERM: throw .notPermitted(port)
            default: throw .systemCall("bind", number)
            }
        }
        return descriptor
    }

    private static func listening(_ descriptor: Int32, port: UInt16) throws(HTTPDaemonError) -> Int32 {
        guard Glibc.listen(descriptor, backlog) == 0 else {
            let number = errno
            _ = close(descriptor)
            throw number == EADDRINUSE ? .portInUse(port) : .systemCall("listen", number)
        }
        return descriptor
    }

    /// Connections the system keeps until they are accepted.
    static let backlog: Int32 = 1024

    /// Sends an RST: connecting a socket to nothing is what makes Linux do so at once.
    static func abort(_ descriptor: Int32) {
        var nothing = sockaddr()
        nothing.sa_family = sa_family_t(AF_UNSPEC)
        _ = unsafe connect(descriptor, &nothing, socklen_t(MemoryLayout<sockaddr>.size))
    }

    static func set(_ descriptor: Int32, _ level: Int32, _ option: Int32, to value: Int32 = 1) {
        var value = value
        _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Lets the process open as many files as its hard limit allows, up to `wanted`.
    static func raiseFileLimit(to wanted: UInt) -> UInt {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        let raised = min(wanted, limit.rlim_max)
        if limit.rlim_cur < raised {
            limit.rlim_cur = raised
            _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        }
        return limit.rlim_cur
    }
}
