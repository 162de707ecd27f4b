import HTTP
import Testing

/// More than one message on a connection, and how messages come in pieces.
struct ConversationTests {
    @Test func `a body beyond what is free waits for room: a declared one once, exactly`() {
        var parser = RequestParser(limits: Limits(), peer: .local, freeBytes: 10) { _, _ in nil }
        let body = String(repeating: "x", count: 1000)
        #expect(parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n" + body).isEmpty)
        #expect(parser.wantedRoom == 1000)
        parser.grantRoom()
        #expect(parser.wantedRoom == nil)
        guard case .request(_, _, _, _, let bytes, _, _)? = parser.feed("").first else {
            Issue.record("no request")
            return
        }
        #expect(bytes == Array(body.utf8))
        #expect(parser.feed("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n0123456789").count == 1)
    }

    @Test func `pipelined requests come one by one, in order`() {
        var parser = RequestParser.standard()
        let requests = (0..<1000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined()

        let outcomes = parser.feed(requests)

        let paths = outcomes.compactMap {
            if case .request(_, let path, _, _, _, _, _) = $0 { path } else { nil }
        }
        #expect(paths == (0..<1000).map { "/\($0)" })
    }

    @Test func `after a request that closes, further bytes are not heard`() {
        var parser = RequestParser.standard()
        let closing = "GET /1 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"

        let outcomes = parser.feed(closing + closing)

        #expect(outcomes.count == 1)
        #expect(parser.feed("GET /2 HTTP/1.1\r\nHost: a\r\n\r\n") == [])
        #expect(parser.bufferedBytes == 0)
    }

    @Test func `an expectation is said once, when the body has not come`() {
        var parser = RequestParser.standard()
        let head = "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"

        let atHead = parser.feed(head)
        let atHalf = parser.feed("o")
        let atEnd = parser.feed("k")
        let bodyless = parser.feed("GET / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n\r\n")

        #expect(atHead == [.expectsContinue])
        #expect(atHalf == [])
        #expect(atEnd.count == 1)
        #expect(bodyless.count == 1 && bodyless != [.expectsContinue])
    }

    @Test func `the phase tells the timers what is awaited`() {
        var parser = RequestParser.standard()
        #expect(parser.phase == .idle)

        _ = parser.feed("\r\n")
        #expect(parser.phase == .idle)
        _ = parser.feed("P")
        #expect(parser.phase == .head)
        _ = parser.feed("OST / HTTP/1.1\r\n")
        #expect(parser.phase == .head)
        _ = parser.feed("Host: a\r\nContent-Length: 3\r\n\r\n")
        #expect(parser.phase == .body)
        #expect(parser.bodyBytesReceived == 0)
        _ = parser.feed("ab")
        #expect(parser.bodyBytesReceived == 2)
        _ = parser.feed("c")
        #expect(parser.phase == .idle)
        #expect(parser.bodyBytesReceived == 0)
    }

    @Test(arguments: 0..<200)
    func `how the bytes are split changes nothing`(_ seed: UInt64) {
        var generator = SplitMix64(state: seed)
        let bytes = Self.conversation(&generator)
        var atOnce = RequestParser.standard()
        let expected = atOnce.feed(bytes)

        for longest in [1, 7, 100] {
            var parser = RequestParser.standard()
            var outcomes: [Outcome] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...longest, using: &generator))
                rest = rest.dropFirst(piece.count)
                outcomes += parser.feed(piece).filter { $0 != .expectsContinue }
                if case .refused = outcomes.last { break }
            }
            #expect(outcomes == expected.filter { $0 != .expectsContinue }, "seed \(seed)")
        }
    }

    /// A few good requests, and at the end sometimes a bad one.
    private static func conversation(_ generator: inout SplitMix64) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
            bytes += Acceptance.all.randomElement(using: &generator)?.bytes ?? []
        }
        if Bool.random(using: &generator) {
            bytes +=
                Refusal.all.filter { $0.bytes.count < 100_000 }.randomElement(using: &generator)?.bytes ?? []
        }
        return bytes
    }
}
