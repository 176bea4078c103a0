import COpenSSL

/// Bytes in memory that OpenSSL reads or writes like a file.
///
/// SAFETY: `pointer` is made in `init`, freed in `deinit`, and does not leave this module.
@safe final class MemoryBIO {
    let pointer: OpaquePointer

    /// An empty one, to be written.
    init() throws(OpenSSLError) {
        unsafe pointer = try require(BIO_new(BIO_s_mem()), "making a memory BIO")
    }

    /// One that holds bytes, to be read.
    convenience init(_ bytes: [UInt8]) throws(OpenSSLError) {
        try self.init()
        guard let count = Int32(exactly: bytes.count),
            unsafe BIO_write(pointer, bytes, count) == count || count == 0
        else { throw OpenSSLError("filling a memory BIO") }
    }

    deinit { _ = unsafe BIO_free(pointer) }

    /// Takes out all that was written.
    func readAll() -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe BIO_read(pointer, &buffer, Int32(buffer.count))
            guard count > 0 else { return bytes }
            bytes += buffer.prefix(Int(count))
        }
    }

    /// Takes out all that was written, as text.
    func readText() -> String { String(decoding: readAll(), as: UTF8.self) }
}
