import Sockets
import TestKit
import Testing

/// A client that verifies believes the right name with the right authority, and nothing else.
struct TLSClientTests {
    /// Shakes hands with one client on a thread of its own, and greets it.
    private func withServer<Result>(_ body: (Int) throws -> Result) throws -> Result {
        let context = try TestCertificate.withFile(TestCertificate.certificate) { certificate in
            try TestCertificate.withFile(TestCertificate.key) {
                try TLSContext(certificate: certificate, key: $0)
            }
        }
        let listener = try #require(Listener.open(.tcp(host: "127.0.0.1", port: 0)).first)
        guard case .tcp(_, let port) = listener.bound else {
            throw SocketError(.other, message: "", call: "")
        }
        let thread = try Thread { serve(listener, context) }
        defer {
            thread.join()
            listener.close()
        }
        return try body(port)
    }

    private func authorities() throws -> TLSContext {
        try TestCertificate.withFile(TestCertificate.certificate) {
            try TLSContext(verifies: true, authorities: $0)
        }
    }

    @Test(arguments: ["localhost", "127.0.0.1"])
    func `a trusted certificate of the right name is believed`(host: String) throws {
        let trusting = try authorities()

        try withServer { port in
            let client = try ClientSocket.connect(host: host, port: port, timeout: 5, tls: trusting)
            #expect(try client.read() == [42])
        }
    }

    @Test func `a certificate that nobody vouches for is not believed`() throws {
        let doubting = try TLSContext(verifies: true)

        let error = try withServer { port in
            #expect(throws: SocketError.self) {
                try ClientSocket.connect(host: "localhost", port: port, timeout: 5, tls: doubting)
            }
        }

        #expect(error?.reason == .tls)
        #expect(error?.message.contains("not trusted") == true)
    }

    @Test func `a certificate of another name is not believed`() throws {
        let trusting = try authorities()

        let error = try withServer { port in
            #expect(throws: SocketError.self) {
                try ClientSocket.connect(host: "other.localhost", port: port, timeout: 5, tls: trusting)
            }
        }

        #expect(error?.reason == .tls)
        #expect(error?.message.lowercased().contains("hostname mismatch") == true)
    }

    @Test func `a client that does not verify takes anything`() throws {
        let careless = try TLSContext(verifies: false)

        try withServer { port in
            let client = try ClientSocket.connect(
                host: "other.localhost", port: port, timeout: 5, tls: careless)
            #expect(try client.read() == [42])
        }
    }
}

private func serve(_ listener: Listener, _ context: TLSContext) {
    let pause = Wakeup()
    var socket: Socket?
    for _ in 0..<2000 where socket == nil {
        if case .connection(let accepted, _, _) = listener.accept() { socket = accepted }
        if socket == nil { pause.wait(seconds: 0.002) }
    }
    guard let socket, let session = try? TLSSession(context, over: socket) else { return }
    defer { socket.close() }
    for _ in 0..<2000 {
        switch session.handshake() {
        case .moved:
            _ = [UInt8](arrayLiteral: 42).withUnsafeBytes(session.send)
            return session.endWriting()
        case .mustWait: pause.wait(seconds: 0.002)
        case .ended, .failed: return
        }
    }
}
