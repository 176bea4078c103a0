#if os(Linux) && !MOCKNET_POLL
    import CLinux
    import Glibc

    /// Waits for descriptors by epoll(7), level-triggered.
    @safe public struct Poller {
        /// Answers may wait for the end of a turn, so it must not be long.
        private static let eventsPerTurn = 64

        private let descriptor: Int32
        private var events: [epoll_event]

        /// Nothing to wait for yet.
        public init() throws(PollingError) {
            descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
            guard descriptor >= 0 else {
                throw PollingError(operation: "epoll_create1", errorNumber: errno)
            }
            unsafe events = Array(repeating: epoll_event(), count: Self.eventsPerTurn)
        }

        /// Lets go of what the system keeps; nothing is waited for afterwards.
        public func close() { _ = Glibc.close(descriptor) }

        /// Waits for a descriptor from now on; false when the system has no room.
        @discardableResult
        public func add(_ socket: Int32, key: UInt64, interest: PollInterest) -> Bool {
            var event = unsafe Self.event(key, interest)
            return unsafe epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0
        }

        /// Waits for something else on a descriptor.
        public func change(_ socket: Int32, key: UInt64, interest: PollInterest) {
            var event = unsafe Self.event(key, interest)
            _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_MOD, socket, &event)
        }

        /// Waits for a descriptor no longer; to be called before it is closed.
        public func remove(_ socket: Int32) {
            _ = epoll_ctl(descriptor, EPOLL_CTL_DEL, socket, nil)
        }

        /// Waits up to so many milliseconds (-1 without end) and replaces `ready` by what became ready.
        public mutating func wait(timeout: Int32, ready: inout [PollEvent]) {
            ready.removeAll(keepingCapacity: true)
            let count = unsafe epoll_wait(descriptor, &events, Int32(events.count), timeout)
            guard count > 0 else { return }
            let hangUp = EPOLLHUP.rawValue | EPOLLERR.rawValue
            for index in 0..<Int(count) {
                let event = unsafe events[index]
                unsafe ready.append(
                    PollEvent(
                        key: event.data.u64,
                        isReadable: event.events & (EPOLLIN.rawValue | hangUp) != 0,
                        isWritable: event.events & (EPOLLOUT.rawValue | hangUp) != 0
                    )
                )
            }
        }

        private static func event(_ key: UInt64, _ interest: PollInterest) -> epoll_event {
            var event = unsafe epoll_event()
            unsafe event.events =
                (interest.contains(.read) ? EPOLLIN.rawValue : 0)
                | (interest.contains(.write) ? EPOLLOUT.rawValue : 0)
            unsafe event.data.u64 = key
            return unsafe event
        }
    }
#endif
