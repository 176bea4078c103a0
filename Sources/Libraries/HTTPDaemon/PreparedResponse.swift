internal import CLinux
internal import CMicrohttpd
internal import Glibc

/// An answer as the library keeps it, to be sent any number of times.
///
/// A large body lies in a file in memory, from which the system sends it without a copy.
///
/// SAFETY: the library counts an answer's uses, and locks what changes while it is sent.
@safe final class PreparedResponse: @unchecked Sendable {
    /// Smaller bodies are sent together with their fields.
    private static let smallestFileBytes = 32_768

    private let status: Int
    private let handle: ResponseHandle

    /// Nil without memory, or with header fields that must not be sent.
    init?(_ response: HTTPResponse) {
        let file = response.body.count >= Self.smallestFileBytes ? Self.file(response.body) : nil
        let made =
            if let file {
                ResponseHandle(file: file, bytes: response.body.count, headers: response.headers)
            } else {
                ResponseHandle(response)
            }
        guard let made else { return nil }
        handle = made
        status = response.status
    }

    func queue(on connection: ConnectionHandle) -> MHD_Result { handle.queue(on: connection, status: status) }

    /// A file in memory with these bytes; nil where there is no such thing, or no descriptor left.
    private static func file(_ bytes: [UInt8]) -> Int32? {
        #if os(Linux)
            let file = unsafe memfd_create("answer", CLinux_MFD_CLOEXEC)
            guard file >= 0 else { return nil }
            guard unsafe write(file, bytes, bytes.count) == bytes.count else {
                _ = close(file)
                return nil
            }
            return file
        #else
            return nil
        #endif
    }
}
