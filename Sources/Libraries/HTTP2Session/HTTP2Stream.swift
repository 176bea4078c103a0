/// What is known of an open stream.
///
/// SAFETY: `nextIdle` is the pool's alone.
@safe
struct HTTP2Stream {
    var id: Int32 = 0
    var headers: HTTP2HeaderBlock?
    var hasHeaders = false
    var isDelivered = false
    /// Whether it is reset for what was sent on it, and never delivered.
    var isRefused = false
    /// The number of bytes that the body is to have.
    var contentLength: Int?
    var body: [UInt8] = []
    var bodyCount = 0
    var responseBody: [UInt8] = []
    var responseOffset = 0
    /// Bytes of the body for each DATA frame.
    var pieceBytes = Int.max
    var ending = HTTP2ResponseShape.Ending.lastFrame
    /// The next unused stream of the pool.
    var nextIdle: UnsafeMutablePointer<HTTP2Stream>?

    mutating func append(_ chunk: UnsafeBufferPointer<UInt8>) {
        bodyCount += chunk.count
        let room = HTTP2Session.maximumBodyBytes - body.count
        guard room > 0 else { return }
        if chunk.count > room {
            unsafe body.append(contentsOf: chunk.prefix(room))
        } else if body.isEmpty {
            unsafe body = Array(chunk)
        } else {
            unsafe body.append(contentsOf: chunk)
        }
    }
}
