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
        #expect(reports(of: poller) == [.readable, .writable])
        client.endWriting()
        #expect(reports(of: poller).isSuperset(of: [.readable, .peerEnded]))
    }

    @Test func `a socket whose own side is over is not broken while its peer sends`() throws {
        let poller = try Poller()
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { return #expect(Bool(false)) }
        let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
        guard case .connection(let socket, _, _) = listener.accept() else { return #expect(Bool(false)) }
        defer { socket.close() }
        try poller.watch(socket, tag: 9)
        poller.requeue(socket, tag: 9)
        #expect(reports(of: poller) == [.writable])

        socket.endWriting()
        try client.write([1])

        let readiness = reports(of: poller)
        #expect(readiness.contains(.readable))
        #expect(readiness.isDisjoint(with: [.peerEnded, .broken]))
    }

    @Test func `a reset connection is broken`() throws {
        let poller = try Poller()
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { return #expect(Bool(false)) }
        let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
        guard case .connection(let socket, _, _) = listener.accept() else { return #expect(Bool(false)) }
        defer { socket.close() }
        try poller.watch(socket, tag: 9)
        #expect([UInt8](arrayLiteral: 1, 2).withUnsafeBytes(socket.send) == .moved(2))
        #expect(try client.read(max: 1) == [1])

        // With a byte unread this resets. Source: RFC 1122 §4.2.2.13.
        client.close()

        #expect(reports(of: poller).contains(.broken))
    }

    /// All that a poller reports of one socket now; the kernel may say it at once or in pieces.
    private func reports(of poller: Poller) -> Poller.Readiness {
        var all: Poller.Readiness = []
        var seconds = 5.0
        while case .ready(9, let readiness) = poller.wait(seconds: seconds) {
            all.formUnion(readiness)
            seconds = 0.05
        }
        return all
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
