import Essentials
import Sockets
import Testing

struct ClientSocketTests {
    /// A listener on a free port of this machine, closed after `body`.
    private func withListener<Result>(
        _ body: (Listener, Int) throws -> Result
    ) throws -> Result {
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        defer { listener.close() }
        guard case .tcp(_, let port) = listener.bound else { throw Missing() }
        return try body(listener, port)
    }

    private struct Missing: Error {}

    /// The next connection, which has been made already.
    private func accepted(by listener: Listener) throws -> Socket {
        guard case .connection(let socket, "127.0.0.1", true) = listener.accept() else { throw Missing() }
        return socket
    }

    @Test(arguments: ["127.0.0.1", "localhost", "hanko.localhost", "LOCALHOST"])
    func `this machine is reached by its names without asking anybody`(host: String) throws {
        try withListener { listener, port in
            let client = try ClientSocket.connect(host: host, port: port, timeout: 5)
            let server = try accepted(by: listener)
            defer { server.close() }

            try client.write([1, 2, 3])
            client.endWriting()

            let received = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
            defer { received.deallocate() }
            #expect(server.receive(into: received) == .moved(3))
            #expect(Array(received.prefix(3)) == [1, 2, 3])
            #expect(server.receive(into: received) == .ended)
            #expect([UInt8](arrayLiteral: 4, 5).withUnsafeBytes(server.send) == .moved(2))
            #expect(try client.read() == [4, 5])
        }
    }

    @Test func `a peer that says nothing is given up on`() throws {
        try withListener { listener, port in
            let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
            client.timeout = 0.05

            let error = #expect(throws: SocketError.self) { try client.read() }

            #expect(error?.reason == .timedOut)
            #expect(error?.message == "127.0.0.1:\(port): no answer in time")
        }
    }

    @Test func `a peer that does not read is given up on`() throws {
        try withListener { listener, port in
            let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
            client.timeout = 0.05

            let error = #expect(throws: SocketError.self) {
                try client.write([UInt8](repeating: 0, count: 64 << 20))
            }

            #expect(error?.reason == .timedOut)
        }
    }

    @Test func `where nobody listens, the error says where`() throws {
        let port = try withListener { _, port in port }

        let error = #expect(throws: SocketError.self) {
            try ClientSocket.connect(host: "127.0.0.1", port: port)
        }

        #expect(error?.reason == .refused)
        #expect(error?.message == "127.0.0.1:\(port): Connection refused")
        #expect(error?.call == "connect")
    }

    @Test(arguments: [-1, 65_536])
    func `a number that is no port is an error`(port: Int) {
        #expect(throws: SocketError.self) { try ClientSocket.connect(host: "127.0.0.1", port: port) }
    }

    @Test func `writing to a peer that has gone is an error, not a signal`() throws {
        try withListener { listener, port in
            let client = try ClientSocket.connect(host: "127.0.0.1", port: port)
            #expect(!client.isStale)
            try accepted(by: listener).close()

            let error = #expect(throws: SocketError.self) {
                for _ in 0..<10_000 { try client.write([UInt8](repeating: 0, count: 1000)) }
            }

            #expect(error?.reason == .closed)
            #expect(client.isStale)
        }
    }
}
