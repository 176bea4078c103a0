import CNghttp2

/// A header list in the order sent, pseudo-headers included, in one flat array.
///
/// Requests of a session that repeat a list share one block while it is among the latest.
public final class HTTP2HeaderBlock: Sendable {
    /// How many lists a session remembers; the oldest gives way.
    public static let places = 8

    /// Names and values one after another, then for each field where its name and where its value ends, as two
    /// bytes each with the lower one first.
    public let bytes: [UInt8]
    /// The number of fields.
    public let count: Int
    /// Its place among the remembered ones, from 0; later it is another block's.
    public let place: Int

    init(bytes: [UInt8], count: Int, place: Int) {
        self.bytes = bytes
        self.count = count
        self.place = place
    }
}

/// A complete request.
public struct HTTP2Request: Sendable {
    /// The stream it came on, and on which it is answered.
    public let stream: Int32
    /// The header list; trailers are not part of it.
    public let headers: HTTP2HeaderBlock
    /// The body, cut off at ``HTTP2Session/maximumBodyBytes``.
    public let body: [UInt8]
    /// The number of bytes that the body had.
    public let bodyCount: Int
}

/// One field of a response.
public struct HTTP2ResponseField: Sendable {
    /// The name, in lower case.
    public let name: StaticString
    /// The value.
    public let value: ArraySlice<UInt8>
    /// Whether the value comes again, so that the header compression should remember it.
    public let recurs: Bool

    /// A field.
    public init(_ name: StaticString, _ value: ArraySlice<UInt8>, recurs: Bool = false) {
        self.name = name
        self.value = value
        self.recurs = recurs
    }
}

/// A connection that cannot go on; what is left of the output should still be sent.
public struct HTTP2Error: Error, Sendable, Equatable {
    /// The code of nghttp2.
    public let code: Int32

    /// What nghttp2 says of it.
    public var text: String { unsafe nghttp2_strerror(code).map { unsafe String(cString: $0) } ?? "" }
}

/// Takes what a session finds in the bytes it is given.
public protocol HTTP2SessionDelegate: AnyObject {
    /// A request is complete; it may be answered at once or later.
    func received(_ request: HTTP2Request)
    /// A stream was one too many and is refused; `knewLimit` tells whether the client had acknowledged the limit.
    func refused(stream: Int32, knewLimit: Bool)
    /// A stream is reset, or with 0 the connection is ended, for what was sent on it, which is said in words.
    func malformed(stream: Int32, why: String)
    /// A stream is gone, answered or not.
    func closed(stream: Int32)
    /// Bytes of a body have come in a session whose windows do not open by themselves.
    func received(bytes: Int, of stream: Int32)
}

extension HTTP2ResponseField {
    /// Writes the fields from `index` on, one level of borrowing for each value, then calls `body`.
    static func fill(
        _ list: UnsafeMutableBufferPointer<nghttp2_nv>,
        at index: Int,
        status: ArraySlice<UInt8>,
        fields: [HTTP2ResponseField],
        _ body: (UnsafeMutableBufferPointer<nghttp2_nv>) -> Void
    ) {
        guard index <= fields.count else {
            unsafe body(list)
            return
        }
        let field = index == 0 ? HTTP2ResponseField(":status", status, recurs: true) : fields[index - 1]
        unsafe field.value.withUnsafeBufferPointer { value in
            let indexing = field.recurs ? 0 : NGHTTP2_NV_FLAG_NO_INDEX.rawValue
            unsafe list[index] = nghttp2_nv(
                name: UnsafeMutablePointer(mutating: field.name.utf8Start),
                value: UnsafeMutablePointer(mutating: value.baseAddress),
                namelen: field.name.utf8CodeUnitCount,
                valuelen: value.count,
                flags: UInt8(NGHTTP2_NV_FLAG_NO_COPY_NAME.rawValue | indexing)
            )
            unsafe fill(list, at: index + 1, status: status, fields: fields, body)
        }
    }
}
