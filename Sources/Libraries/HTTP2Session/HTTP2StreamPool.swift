/// The streams of one session in memory of their own, since every access to a class's variable costs a check.
///
/// SAFETY: owned by one session, hence used by one thread; every stream handed out stays allocated until `free`.
@safe
struct HTTP2StreamPool {
    private var all: [UnsafeMutablePointer<HTTP2Stream>]
    private var idle: UnsafeMutablePointer<HTTP2Stream>?

    init() { unsafe all = [] }

    mutating func take(_ id: Int32) -> UnsafeMutablePointer<HTTP2Stream> {
        let stream: UnsafeMutablePointer<HTTP2Stream>
        if let free = unsafe idle {
            unsafe stream = free
            unsafe idle = free.pointee.nextIdle
        } else {
            unsafe stream = .allocate(capacity: 1)
            unsafe stream.initialize(to: HTTP2Stream())
            unsafe all.append(stream)
        }
        unsafe stream.pointee.id = id
        return unsafe stream
    }

    mutating func giveBack(_ stream: UnsafeMutablePointer<HTTP2Stream>) {
        unsafe stream.pointee = HTTP2Stream()
        unsafe stream.pointee.nextIdle = idle
        unsafe idle = stream
    }

    func free() {
        unsafe all.forEach { stream in
            unsafe stream.deinitialize(count: 1)
            unsafe stream.deallocate()
        }
    }
}
