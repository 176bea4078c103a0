internal import CLinux
internal import CMicrohttpd
internal import Glibc
internal import Synchronization

/// An answer as the library keeps it, to be sent any number of times.
///
/// A large body lies in a file in memory, from which the system sends it without a copy. Each of the library's threads
/// has a handle of its own, since the library locks an answer for as long as it sends from its file.
final class PreparedResponse: Sendable {
    private enum Body: Sendable {
        case bytes(OwnedBody)
        case file(OwnedFile)
    }

    private final class ThreadHandle: Sendable {
        let thread: UInt
        let handle: ResponseHandle

        init(thread: UInt, handle: consuming ResponseHandle) {
            self.thread = thread
            self.handle = handle
        }
    }

    /// Smaller bodies are sent together with their fields.
    private static let smallestFileBytes = 32_768

    private let status: Int
    private let headers: [(String, String)]
    private let body: Body
    private let handles = Mutex<[ThreadHandle]>([])

    /// Takes over an answer.
    init(_ response: HTTPResponse) {
        status = response.status
        headers = response.headers
        let file = response.body.count < Self.smallestFileBytes ? nil : OwnedFile(response.body)
        body = file.map(Body.file) ?? .bytes(OwnedBody(response.body))
    }

    /// Whether the fields and the body are sent by two calls to the system, and held back between them.
    var isHeldBack: Bool {
        if case .file = body { true } else { false }
    }

    /// Sends the answer; nil without memory or descriptors, with nothing sent.
    func queue(on connection: ConnectionHandle) -> MHD_Result? {
        let thread = UInt(pthread_self())
        let own = handles.withLock { handles -> ThreadHandle? in
            if let known = handles.first(where: { $0.thread == thread }) { return known }
            guard let handle = makeHandle() else { return nil }
            let made = ThreadHandle(thread: thread, handle: handle)
            handles.append(made)
            return made
        }
        guard let own else { return nil }
        if isHeldBack { connection.holdBack(true) }
        return own.handle.queue(on: connection, status: status)
    }

    private func makeHandle() -> ResponseHandle? {
        switch body {
        case .bytes(let body): ResponseHandle(body, headers)
        case .file(let file): ResponseHandle(file, headers)
        }
    }
}

/// A file in memory, closed when nothing refers to it any more.
final class OwnedFile: Sendable {
    let descriptor: Int32
    let count: Int

    /// A file with these bytes; nil where there is no such thing, or no descriptor left.
    init?(_ bytes: [UInt8]) {
        #if os(Linux)
            let file = unsafe memfd_create("answer", CLinux_MFD_CLOEXEC)
            guard file >= 0 else { return nil }
            guard unsafe write(file, bytes, bytes.count) == bytes.count else {
                _ = close(file)
                return nil
            }
            descriptor = file
            count = bytes.count
        #else
            return nil
        #endif
    }

    deinit { _ = close(descriptor) }
}
