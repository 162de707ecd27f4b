import HTTP
import HTTPServer
import Sockets
import Synchronization
import Testing

/// How web sockets end, and what each side is told.
struct WebSocketEndTests {
    private func opened(_ box: SocketBox, _ limits: Limits = Limits()) throws -> (TestServer, RawClient) {
        let server = try TestServer(limits: limits, box.respond)
        let client = try server.client()
        try client.upgrade()
        #expect(eventually { box.senders.count == 1 })
        return (server, client)
    }

    @Test(arguments: [
        (RawClient.Frame.close(1000, "done"), WebSocketClose(.normal, "done")),
        (.close(1001), WebSocketClose(.goingAway)),
        (.close(4711, "é"), WebSocketClose(WebSocketCloseCode(rawValue: 4711), "é")),
        (RawClient.Frame(first: 0x88, payload: []), WebSocketClose(.none)),
    ])
    func `a client's Close is answered with the same, and the connection ends`(
        _ frame: RawClient.Frame, _ told: WebSocketClose
    ) throws {
        let box = SocketBox()
        let (server, client) = try opened(box)

        try client.send(frame)

        #expect(try client.frame() == frame)
        #expect(try client.rest() == "")
        #expect(eventually { box.closes == [told] })
        #expect(!box.senders[0].isOpen)
        #expect(!box.senders[0].send("late"))
        box.senders[0].close(.normal)
        client.socket.close()
        #expect(eventually { server.server.figures.connections == 0 })
        #expect(box.events == ["opened", "closed"])
    }

    @Test(
        arguments: [
            ("not masked", [0x81, 0x01, 0x61], 1002),
            ("a text that is none", RawClient.Frame(first: 0x81, payload: [0xC0, 0x80]).masked, 1007),
            (
                "a message beyond the limit",
                RawClient.Frame(first: 0x81, payload: [97, 97, 97, 97, 97]).masked, 1009
            ),
            ("a kind that is not taken", RawClient.Frame(first: 0x82, payload: [1]).masked, 1003),
            ("a Close with 1006", RawClient.Frame.close(1006).masked, 1002),
        ] as [(String, [UInt8], UInt16)])
    func `what is not allowed ends the socket with its code`(
        _ name: String, _ bytes: [UInt8], _ code: UInt16
    ) throws {
        let box = SocketBox(messageBytes: 4, kinds: .text)
        let (server, client) = try opened(box)
        defer { withExtendedLifetime(server) {} }

        try client.socket.write(bytes)

        #expect(try client.frame().code == code)
        #expect(try client.rest() == "")
        #expect(eventually { box.codes == [code] })
    }

    @Test func `pings beyond the limit end the socket with 1008`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box, .with { $0.webSocketControlFrames = 5 })
        defer { withExtendedLifetime(server) {} }

        // However the seconds fall, six of them come within one.
        try client.socket.write((1...60).flatMap { _ in RawClient.Frame.ping.masked })

        var frame = try client.frame()
        while frame.first == 0x8A { frame = try client.frame() }
        #expect(frame.code == 1008)
        #expect(try client.rest() == "")
        #expect(eventually { box.codes == [1008] })
    }

    @Test func `a callback that fails ends its own socket with 1011`() throws {
        let box = SocketBox { message, sender in
            if message == .text("fail") { throw SocketBox.Failure() }
            sender.send(message)
        }
        let (server, client) = try opened(box)
        let other = try server.client()
        try other.upgrade()

        try client.send(.text("fail"), .text("more"))

        #expect(try client.frame() == .close(1011, "the server failed"))
        #expect(try client.rest() == "")
        #expect(eventually { box.codes == [1011] })
        #expect(!box.events.contains("more"))
        try other.send(.text("well"))
        #expect(try other.frame() == .text("well"))
    }

    @Test func `a Close of ours waits for the client's, and what comes between is not heard`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)
        defer { withExtendedLifetime(server) {} }

        box.senders[0].close(.policyViolation, "enough")
        #expect(!box.senders[0].isOpen)
        #expect(try client.frame() == .close(1008, "enough"))
        try client.send(.text("but"), RawClient.Frame(first: 0x89, payload: []))
        #expect(box.closes.isEmpty)
        try client.send(.close(1008))

        #expect(try client.rest() == "")
        #expect(eventually { box.closes == [WebSocketClose(.policyViolation, "enough")] })
        #expect(box.events == ["opened", "closed"])
    }

    @Test func `a client that does not answer our Close is left`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box, .with { $0.webSocketCloseSeconds = 0.1 })

        box.senders[0].close(.normal)

        #expect(try client.frame() == .close(1000))
        #expect(eventually { box.codes == [1000] && server.server.figures.connections == 0 })
    }

    @Test func `the end of the connection without a Close is 1006`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)
        try client.send(.text("last"))
        #expect(try client.frame() == .text("last"))

        client.socket.close()

        #expect(eventually { box.codes == [1006] && server.server.figures.connections == 0 })
        #expect(box.events == ["opened", "last", "closed"])
    }

    @Test func `the end in the middle of a frame is 1006`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)

        try client.socket.write([0x81, 0x85, 0, 0, 0, 0, 0x61])
        client.socket.endWriting()

        #expect(eventually { box.codes == [1006] && server.server.figures.connections == 0 })
    }

    @Test func `a silent client is pinged, and stays while it answers`() throws {
        let box = SocketBox()
        let (server, client) = try opened(
            box,
            .with {
                $0.webSocketPingSeconds = 0.05
                $0.webSocketPongSeconds = 1.5
            })
        for _ in 0..<3 {
            #expect(try client.frame() == .ping)
            try client.send(.pong(""))
        }
        #expect(try client.frame() == .ping)

        #expect(eventually { box.codes == [1006] && server.server.figures.connections == 0 })
        #expect(box.closes.first?.reason == "the client did not answer a ping")
    }

    @Test func `a client that falls too far behind is closed with 1008`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box, .with { $0.unsentBytes = 100_000 })
        defer { withExtendedLifetime(server) {} }
        let piece = String(repeating: "x", count: 50_000)

        var accepted = 0
        while accepted < 10_000, box.senders[0].send(piece) { accepted += 1 }
        #expect(accepted < 10_000)
        #expect(!box.senders[0].isOpen)

        // What was taken comes whole, and then the Close.
        for _ in 0..<accepted { #expect(try client.frame() == .text(piece)) }
        #expect(try client.frame() == .close(1008, "more than 100000 bytes wait to be read"))
        try client.send(.close(1008))
        #expect(eventually { box.codes == [1008] })
    }

    @Test func `a client that reads nothing is given up`() throws {
        let box = SocketBox()
        let (server, client) = try opened(
            box,
            .with {
                $0.unsentBytes = 100_000
                $0.sendSeconds = 0.1
            })
        defer { withExtendedLifetime(client) {} }
        let piece = [UInt8](repeating: 1, count: 50_000)

        while box.senders[0].send(piece) {}

        #expect(eventually { box.codes == [1008] && server.server.figures.connections == 0 })
    }

    @Test func `a client that asks and does not read is not heard any more`() throws {
        let box = SocketBox()
        let limits = Limits.with {
            $0.sendSeconds = 0.2
            $0.webSocketControlFrames = .max
        }
        let (server, client) = try opened(box, limits)
        let pings = Array(
            repeating: RawClient.Frame(first: 0x89, payload: .init(repeating: 1, count: 125)), count: 500
        )
        .flatMap(\.masked)

        client.socket.timeout = 1
        // At some time the pongs stay, then the pings, then the connection ends.
        #expect(throws: SocketError.self) { for _ in 0..<1000 { try client.socket.write(pings) } }

        #expect(eventually { box.codes == [1006] && server.server.figures.connections == 0 })
    }

    @Test func `the server's stop is 1001, and waits for the answer`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)

        let stopper = try Thread { server.server.stop(grace: 20) }
        #expect(try client.frame() == .close(1001, "the server stops"))
        try client.send(.close(1001))
        #expect(try client.rest() == "")

        stopper.join()
        #expect(box.codes == [1001])
        #expect(server.server.figures.connections == 0)
    }

    @Test func `a client that does not answer holds up the stop no longer than the grace`() throws {
        let box = SocketBox()
        let (server, client) = try opened(box)

        let begun = System.uptime
        server.server.stop(grace: 0.1)

        #expect(System.uptime - begun < 2)
        #expect(box.codes == [1001])
        #expect(try client.frame() == .close(1001, "the server stops"))
    }

    @Test func `a callback that outlasts the stop is followed by closed`() throws {
        let gate = Gate()
        let box = SocketBox { _, _ in gate.wait() }
        let (server, client) = try opened(box)
        try client.send(.text("wait"))
        #expect(eventually { gate.waiting == 1 })

        server.server.stop(grace: 0.1)
        #expect(box.codes.isEmpty)
        gate.open()

        #expect(eventually { box.codes == [1001] })
        #expect(box.mostRunning == 1)
    }
}
