import Sockets
import Testing

struct PollerTests {
    @Test func `a listener is reported once for each time it is watched`() throws {
        let poller = try Poller()
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { return #expect(Bool(false)) }
        try poller.watch(listener, tag: 7)
        #expect(poller.wait(seconds: 0) == .timedOut)

        _ = try ClientSocket.connect(host: "127.0.0.1", port: port)

        #expect(poller.wait(seconds: 5) == .ready(tag: 7, .readable))
        #expect(poller.wait(seconds: 0) == .timedOut)
        try poller.watchAgain(listener, tag: 7)
        #expect(poller.wait(seconds: 5) == .ready(tag: 7, .readable))
    }

    @Test func `a socket is reported when more comes, when it ends, and again when asked`() throws {
        let poller = try Poller()
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { return #expect(Bool(false)) }
        let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
        guard case .connection(let socket, _, _) = listener.accept() else { return #expect(Bool(false)) }
        defer { socket.close() }
        try poller.watch(socket, tag: 9)
        #expect(poller.wait(seconds: 0) == .timedOut)

        try client.write([1])
        #expect(poller.wait(seconds: 5) == .ready(tag: 9, .readable))
        #expect(poller.wait(seconds: 0) == .timedOut)
        poller.requeue(socket, tag: 9)
        #expect(poller.wait(seconds: 5) == .ready(tag: 9, [.readable, .writable]))
        client.endWriting()
        guard case .ready(9, let readiness) = poller.wait(seconds: 5) else { return #expect(Bool(false)) }
        #expect(readiness.isSuperset(of: [.readable, .peerEnded]))
    }

    @Test func `waking wakes every thread, and those that come later`() throws {
        let poller = try Poller()
        let threads = try (0..<4).map { _ in
            try Thread { #expect(poller.wait(seconds: 30) == .woken) }
        }

        poller.wakeAll()

        for thread in threads { thread.join() }
        #expect(poller.wait(seconds: 30) == .woken)
    }
}
