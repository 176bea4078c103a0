import Synchronization

/// A connection's request while its header fields are being read.
///
/// The library tells of a request's end only once it has handed the fields over: one whose fields make no sense
/// would stay in memory for good.
///
/// SAFETY: the bits are those of one retained exchange, or 0; a connection is served by one thread.
@safe final class UnreadExchange: Sendable {
    private let bits = Atomic<UInt>(0)

    /// Keeps a new exchange in place of one that led to nothing; the pointer is the library's context.
    func keep(_ exchange: Exchange) -> UnsafeMutableRawPointer {
        drop()
        let pointer = unsafe Unmanaged.passRetained(exchange).toOpaque()
        bits.store(UInt(bitPattern: pointer), ordering: .relaxed)
        return unsafe pointer
    }

    /// Leaves the exchange to the library.
    func forget() { bits.store(0, ordering: .relaxed) }

    /// Lets go of an exchange that led to nothing.
    func drop() {
        let known = bits.exchange(0, ordering: .relaxed)
        guard let pointer = unsafe UnsafeMutableRawPointer(bitPattern: known) else { return }
        unsafe Unmanaged<Exchange>.fromOpaque(pointer).release()
    }
}
