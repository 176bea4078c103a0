#if !os(Linux) || MOCKNET_POLL
    #if canImport(Darwin)
        import Darwin
    #else
        import Glibc
    #endif

    /// Waits for descriptors by poll(2), for systems without epoll.
    @safe
    struct Poller {
        private var entries: [pollfd] = []
        private var keys: [UInt64] = []

        init() throws(TLSListenerError) {}

        func close() {}

        @discardableResult
        mutating func add(_ socket: Int32, key: UInt64, interest: PollInterest) -> Bool {
            entries.append(pollfd(fd: socket, events: Self.events(interest), revents: 0))
            keys.append(key)
            return true
        }

        mutating func change(_ socket: Int32, key: UInt64, interest: PollInterest) {
            guard let index = keys.firstIndex(of: key) else { return }
            entries[index].events = Self.events(interest)
        }

        mutating func remove(_ socket: Int32) {
            guard let index = entries.firstIndex(where: { $0.fd == socket }) else { return }
            entries.remove(at: index)
            keys.remove(at: index)
        }

        /// Waits up to so many milliseconds (-1 without end) and replaces `ready` by what became ready.
        mutating func wait(timeout: Int32, ready: inout [PollEvent]) {
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
