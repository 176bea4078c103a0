#if !os(Linux) || MOCKNET_POLL
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Waits for descriptors by poll(2), for systems without epoll.
    @safe public struct Poller {
        private var entries: [pollfd] = []
        private var keys: [UInt64] = []

        /// Nothing to wait for yet.
        public init() throws(PollingError) {}

        /// Lets go of what the system keeps; nothing is waited for afterwards.
        public func close() {}

        /// Waits for a descriptor from now on; false when the system has no room.
        @discardableResult
        public mutating func add(_ socket: Int32, key: UInt64, interest: PollInterest) -> Bool {
            entries.append(pollfd(fd: socket, events: Self.events(interest), revents: 0))
            keys.append(key)
            return true
        }

        /// Waits for something else on a descriptor.
        public mutating func change(_ socket: Int32, key: UInt64, interest: PollInterest) {
            guard let index = keys.firstIndex(of: key) else { return }
            entries[index].events = Self.events(interest)
        }

        /// Waits for a descriptor no longer; to be called before it is closed.
        public mutating func remove(_ socket: Int32) {
            guard let index = entries.firstIndex(where: { $0.fd == socket }) else { return }
            entries.remove(at: index)
            keys.remove(at: index)
        }

        /// Waits up to so many milliseconds (-1 without end) and replaces `ready` by what became ready.
        public mutating func wait(timeout: Int32, ready: inout [PollEvent]) {
            ready.removeAll(keepingCapacity: true)
            guard unsafe poll(&entries, nfds_t(entries.count), timeout) > 0 else { return }
            let hangUp = Int16(POLLHUP) | Int16(POLLERR)
            for (index, entry) in entries.enumerated() where entry.revents != 0 {
                ready.append(
                    PollEvent(
                        key: keys[index],
                        isReadable: entry.revents & (Int16(POLLIN) | hangUp) != 0,
                        isWritable: entry.revents & (Int16(POLLOUT) | hangUp) != 0
                    )
                )
            }
        }

        private static func events(_ interest: PollInterest) -> Int16 {
            (interest.contains(.read) ? Int16(POLLIN) : 0) | (interest.contains(.write) ? Int16(POLLOUT) : 0)
        }
    }
#endif
