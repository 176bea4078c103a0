/// What is known of an open stream.
final class HTTP2Stream {
    var id: Int32 = 0
    var headers = HTTP2HeaderBlock()
    /// Size of the header list as RFC 9113, section 6.5.2, counts it.
    var headerListSize = 0
    var hasHeaders = false
    var body: [UInt8] = []
    var bodyCount = 0
    var isDelivered = false
    var responseBody: [UInt8] = []
    var responseOffset = 0

    /// Makes the object ready for another stream.
    func begin(_ id: Int32) {
        self.id = id
        headers = HTTP2HeaderBlock()
        headers.bytes.reserveCapacity(512)
        headers.bounds.reserveCapacity(32)
        headerListSize = 0
        hasHeaders = false
        body = []
        bodyCount = 0
        isDelivered = false
        responseBody = []
        responseOffset = 0
    }

    func append(_ chunk: UnsafeBufferPointer<UInt8>) {
        bodyCount += chunk.count
        let room = HTTP2Session.maximumBodyBytes - body.count
        guard room > 0 else { return }
        if chunk.count <= room {
            unsafe body.append(contentsOf: chunk)
        } else {
            unsafe body.append(contentsOf: chunk.prefix(room))
        }
    }
}
