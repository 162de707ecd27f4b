import HTTP
import HTTPServer
import Sockets
import Testing

/// What all clients together have the server hold is bounded, whatever each of them does.
struct MemoryTests {
    private func head(_ length: Int, _ more: String = "") -> String {
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(length)\r\n\(more)\r\n"
    }

    /// Bodies of so many bytes, beside the little that has been read behind them.
    private func holds(_ bytes: Int, _ server: TestServer) -> Bool {
        (bytes...bytes + 64 * 1024).contains(server.server.figures.heldBytes)
    }

    private let half = String(repeating: "x", count: 100_000)

    @Test func `a declared body reserves its length once, before it comes, and gives it back`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 1_000_000 })
        let patient = try (1...2).map { _ in try server.client() }
        for client in patient { try client.send(head(200_000) + "x") }
        #expect(eventually { holds(400_000, server) })

        let many = try server.client()
        try many.send(head(600_001) + "x")
        let refused = try many.answer()
        #expect(refused.status == 503)
        #expect(refused.headers["retry-after"] == "1")
        #expect(eventually { server.notes.count == 1 })
        guard case .memoryFull(_, 600_001, 1_000_000)? = server.notes.first else {
            Issue.record("\(server.notes)")
            return
        }
        let small = try server.client()
        try small.send("POST /s HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nhi")
        #expect(try small.answer().body == "POST\n/s\nhi", "a small body takes none of it")

        patient[0].socket.close()
        try patient[1].send(String((half + half).dropFirst()))
        #expect(try patient[1].answer().status == 200)
        #expect(eventually { server.server.figures.heldBytes == 0 })
    }

    @Test func `a body that does not fit is refused before the client is told to send it`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 150_000 })
        let holder = try server.client()
        try holder.send(head(100_000) + "x")
        #expect(eventually { holds(100_000, server) })
        let asker = try server.client()

        try asker.send(head(60_000, "Expect: 100-continue\r\n"))

        #expect(try asker.answer().status == 503)
    }

    @Test func `what one request can never have is refused with 413 and the limit`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 150_000 })
        let client = try server.client()

        try client.send(head(150_001))

        let refused = try client.answer()
        #expect(refused.status == 413)
        #expect(refused.body.contains("150001 bytes of memory, more than the 150000"))
        #expect(eventually { server.notes.count == 1 })
    }

    @Test func `a chunked body takes room as it grows, not twice as much as it has`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 1_000_000 })
        let client = try server.client()
        try client.send("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")

        for _ in 1...20 { try client.send("2710\r\n" + String(repeating: "x", count: 10_000) + "\r\n") }

        #expect(eventually { (200_000...300_000).contains(server.server.figures.heldBytes) })
        try client.send("0\r\n\r\n")
        #expect(try client.answer().status == 200)
        #expect(eventually { server.server.figures.heldBytes == 0 })
    }

    @Test func `a body is booked with what its handler makes of it until the answer is there`() throws {
        let gate = Gate()
        let server = try TestServer(limits: .with { $0.bodyMemory = 10_000_000 }) { request in
            if request.path == "/wait" { gate.wait() }
            return Response.text("\(request.body.count)")
        }
        let client = try server.client()
        let values = String(repeating: "0,", count: 10_000)
        try client.send("POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 20000\r\n\r\n" + values)

        // Twice for texts, and an element for each of its values.
        #expect(eventually { holds(20_000 + 2 * 20_000 + 64 * 10_000, server) })
        gate.open()
        #expect(try client.answer().status == 200)
        #expect(eventually { server.server.figures.heldBytes == 0 })
    }

    @Test func `answers that nobody reads are booked, and one that does not fit says so`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 20 << 20 }) { _ in
            Response(body: [UInt8](repeating: 120, count: 16 << 20))
        }
        let deaf = try server.client()
        try deaf.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(eventually { server.server.figures.heldBytes >= 16 << 20 })

        let other = try server.client()
        #expect(try other.get("/").status == 503)

        deaf.socket.close()
        #expect(eventually { server.server.figures.heldBytes == 0 })
    }

    @Test func `a client that leaves gives back what its body had`() throws {
        let server = try TestServer(limits: .with { $0.bodyMemory = 250_000 })
        for _ in 1...3 {
            let client = try server.client()
            try client.send(head(200_000) + half)
            #expect(eventually { server.server.figures.heldBytes == 200_000 })
            client.socket.close()
            #expect(eventually { server.server.figures.connections == 0 })
        }
        #expect(server.server.figures.heldBytes == 0)
        #expect(server.notes.isEmpty)
    }
}
