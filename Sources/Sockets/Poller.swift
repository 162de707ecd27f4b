#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // The epoll calls stand in its shim.
    import Glibc
#endif

/// Tells which sockets are ready: epoll, or kqueue on Darwin. Any number of threads may wait at once; each event goes to
/// one of them.
package final class Poller: Sendable {
    /// What a socket is ready for.
    package struct Readiness: OptionSet, Sendable {
        package let rawValue: UInt8
        package init(rawValue: UInt8) { self.rawValue = rawValue }

        package static let readable = Readiness(rawValue: 1)
        package static let writable = Readiness(rawValue: 2)
        /// The peer sends no more than what is there to read.
        package static let peerEnded = Readiness(rawValue: 4)
        /// Both directions are over: reset, or ended by both sides.
        package static let broken = Readiness(rawValue: 8)
    }

    package enum Event: Sendable, Equatable {
        case ready(tag: UInt, Readiness)
        case timedOut
        /// ``wakeAll()`` was called.
        case woken
    }

    private static let wakeTag = UInt.max

    private let descriptor: Int32
    private let wakeReader: Int32
    private let wakeWriter: Int32

    package init() throws {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError(errno: errno, call: "pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        (wakeReader, wakeWriter) = (ends[0], ends[1])
        descriptor = Self.open()
        guard descriptor >= 0 else { throw SocketError(errno: errno, call: "poller") }
        try watchPipe()
    }

    deinit {
        for end in [descriptor, wakeReader, wakeWriter] { Socket(descriptor: end).close() }
    }

    /// From now on every call of ``wait(seconds:)``, also those under way, returns ``Event/woken``.
    package func wakeAll() {
        var byte: UInt8 = 1
        _ = write(wakeWriter, &byte, 1)
    }
}

#if !canImport(Darwin)
    extension Poller {
        private static let reading = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue

        private static func open() -> Int32 { sockets_epoll_create() }

        private func watchPipe() throws {
            try control(EPOLL_CTL_ADD, wakeReader, EPOLLIN.rawValue, Self.wakeTag)
        }

        /// Reports each time that more comes to read from `socket`, its peer ends or it breaks, until it is closed. What is
        /// there already is reported at once.
        package func watch(_ socket: Socket, tag: UInt) throws {
            try control(EPOLL_CTL_ADD, socket.descriptor, Self.reading, tag)
        }

        /// For a watched `socket`: reports from now on also when it becomes writable, and once what it is ready for now,
        /// behind the events that wait already.
        package func requeue(_ socket: Socket, tag: UInt) {
            // It can fail only for a socket that is not watched.
            try? control(EPOLL_CTL_MOD, socket.descriptor, Self.reading | EPOLLOUT.rawValue, tag)
        }

        /// Reports once that `listener` has a connection to accept.
        package func watch(_ listener: Listener, tag: UInt) throws {
            try control(
                EPOLL_CTL_ADD, listener.socket.descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue, tag)
        }

        /// Reports once more for `listener`.
        package func watchAgain(_ listener: Listener, tag: UInt) throws {
            try control(
                EPOLL_CTL_MOD, listener.socket.descriptor, EPOLLIN.rawValue | EPOLLONESHOT.rawValue, tag)
        }

        /// Takes one event, waiting at most `seconds`.
        package func wait(seconds: Double) -> Event {
            var events: UInt32 = 0
            var tag: UInt64 = 0
            let count = sockets_epoll_wait(descriptor, Int32(seconds * 1000), &events, &tag)
            guard count == 1 else { return .timedOut }
            if tag == UInt64(Self.wakeTag) { return .woken }
            var readiness: Readiness = []
            if events & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
            if events & EPOLLRDHUP.rawValue != 0 { readiness.insert(.peerEnded) }
            if events & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
            if events & (EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0 { readiness.insert(.broken) }
            return .ready(tag: UInt(tag), readiness)
        }

        private func control(_ operation: Int32, _ target: Int32, _ events: UInt32, _ tag: UInt) throws {
            guard sockets_epoll_control(descriptor, operation, target, events, UInt64(tag)) == 0 else {
                throw SocketError(errno: errno, call: "epoll_ctl")
            }
        }
    }
#else
    extension Poller {
        private static func open() -> Int32 { kqueue() }

        private func watchPipe() throws { try control(wakeReader, [EVFILT_READ], EV_ADD, Self.wakeTag) }

        package func watch(_ socket: Socket, tag: UInt) throws {
            try control(socket.descriptor, [EVFILT_READ], EV_ADD | EV_CLEAR, tag)
        }

        package func requeue(_ socket: Socket, tag: UInt) {
            // It can fail only for a socket that is not watched.
            try? control(socket.descriptor, [EVFILT_READ, EVFILT_WRITE], EV_ADD | EV_CLEAR, tag)
        }

        package func watch(_ listener: Listener, tag: UInt) throws {
            try control(listener.socket.descriptor, [EVFILT_READ], EV_ADD | EV_DISPATCH, tag)
        }

        package func watchAgain(_ listener: Listener, tag: UInt) throws {
            try control(listener.socket.descriptor, [EVFILT_READ], EV_ENABLE | EV_DISPATCH, tag)
        }

        package func wait(seconds: Double) -> Event {
            var event = kevent()
            var limit = timespec(
                tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
            guard kevent(descriptor, nil, 0, &event, 1, &limit) == 1 else { return .timedOut }
            let tag = UInt(bitPattern: event.udata)
            if tag == Self.wakeTag { return .woken }
            return .ready(tag: tag, Self.readiness(event))
        }

        /// The end of reading is the peer's. That of writing may be our own, which breaks nothing: what is over for good has the socket's
        /// error beside it. Source: kqueue(2), EVFILT_READ and EVFILT_WRITE.
        private static func readiness(_ event: kevent) -> Readiness {
            let reads = event.filter == Int16(EVFILT_READ)
            var readiness: Readiness = reads ? .readable : .writable
            guard event.flags & UInt16(EV_EOF) != 0 else { return readiness }
            if reads { readiness.insert(.peerEnded) }
            if event.fflags != 0 { readiness.insert(.broken) }
            return readiness
        }

        private func control(_ target: Int32, _ filters: [Int32], _ flags: Int32, _ tag: UInt) throws {
            for filter in filters {
                var change = kevent(
                    ident: UInt(target), filter: Int16(filter), flags: UInt16(flags), fflags: 0, data: 0,
                    udata: UnsafeMutableRawPointer(bitPattern: tag))
                guard kevent(descriptor, &change, 1, nil, 0, nil) == 0 else {
                    throw SocketError(errno: errno, call: "kevent")
                }
            }
        }
    }
#endif
