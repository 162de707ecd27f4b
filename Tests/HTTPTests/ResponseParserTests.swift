import HTTP
import Testing

struct ResponseParserTests {
    private struct Answer: Equatable {
        var status = 0
        var reason = ""
        var headers = Headers()
        var body = ""
        var isWhole = false
    }

    /// - Parameter step: bytes appended at a time.
    private func parse(
        _ text: String, _ method: Request.Method = .get, step: Int = .max, closes: Bool = false,
        bodyBytes: Int = 1000
    ) throws -> Answer {
        var parser = ResponseParser(answering: method, headBytes: 1000, bodyBytes: bodyBytes)
        var answer = Answer()
        var rest = [UInt8](text.utf8)[...]
        while !rest.isEmpty {
            Array(rest.prefix(step)).withUnsafeBytes { parser.append($0) }
            rest = rest.dropFirst(step)
            try drain(&parser, into: &answer)
        }
        if closes {
            try parser.close()
            try drain(&parser, into: &answer)
        }
        return answer
    }

    private func drain(_ parser: inout ResponseParser, into answer: inout Answer) throws {
        while true {
            switch try parser.next() {
            case .needsMore: return
            case .head(let head):
                (answer.status, answer.reason, answer.headers) = (head.status.code, head.reason, head.headers)
            case .body(let piece): answer.body += String(decoding: piece, as: UTF8.self)
            case .end:
                answer.isWhole = true
                return
            }
        }
    }

    @Test(
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", 200, "OK", "hello"),
            ("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", 404, "Not Found", ""),
            ("HTTP/1.1 200 \r\nContent-Length: 1\r\n\r\na", 200, "", "a"),
            ("HTTP/1.1 200\r\nContent-Length: 1\r\n\r\na", 200, "", "a"),
            ("HTTP/1.0 200 Fein gemacht\r\nContent-Length: 1\r\n\r\na", 200, "Fein gemacht", "a"),
            (
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\nT: 1\r\n\r\n",
                200, "OK", "abcde"
            ),
            ("HTTP/1.1 204 No Content\r\n\r\n", 204, "No Content", ""),
            ("HTTP/1.1 304 Not Modified\r\nContent-Length: 99\r\n\r\n", 304, "Not Modified", ""),
            (
                "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na",
                200, "OK", "a"
            ),
        ], [1, 3, Int.max])
    func `an answer that says its own end is read to it`(_ answer: (String, Int, String, String), _ step: Int)
        throws
    {
        let parsed = try parse(answer.0, step: step)

        #expect((parsed.status, parsed.reason, parsed.body) == (answer.1, answer.2, answer.3))
        #expect(parsed.isWhole)
        #expect(parsed.headers["Link"] == nil)
    }

    @Test(arguments: [1, Int.max])
    func `an answer without length ends with the connection`(_ step: Int) throws {
        let text = "HTTP/1.1 200 OK\r\nX: y\r\n\r\nhello"

        let open = try parse(text, step: step)
        let closed = try parse(text, step: step, closes: true)

        #expect(open.body == "hello" && !open.isWhole)
        #expect(closed.body == "hello" && closed.isWhole)
        #expect(closed.headers == ["X": "y"])
    }

    @Test func `the answer to HEAD has no body, whatever its length says`() throws {
        let parsed = try parse("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n", .head)

        #expect(parsed.isWhole && parsed.body.isEmpty && parsed.headers["content-length"] == "5")
    }

    @Test(arguments: [
        "", "HTTP/1.1", "HTTP/1.1 200 OK\r\n", "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhell",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n", "HTTP/1.1 100 Continue\r\n\r\n",
    ])
    func `a connection closed too early is a fault`(_ text: String) {
        #expect(throws: WireFault.self) { try parse(text, closes: true) }
    }

    @Test(arguments: [
        "HTTP/2 200 OK\r\n", "HTTP/1.1 20 OK\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1 099 X\r\n",
        "HTTP/1.1 600 X\r\n",
        "HTTP/1.1  200 OK\r\n", "ICY 200 OK\r\n", "HTTP/1.1 200 OK\n",
        "HTTP/1.1 101 Switching Protocols\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX : y\r\n", "HTTP/1.1 200 OK\r\nX: y\r\n z\r\n", "HTTP/1.1 200 OK\r\nX\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3e9\r\n",
        "HTTP/1.1 200 OK\r\n\r\n" + repeated("a", 1001), "HTTP/1.1 200 OK\r\nX: " + repeated("a", 1001),
        "HTTP/1.1 200 OK\r\n" + repeated("X:\r\n", 101), repeated("HTTP/1.1 100 Continue\r\n\r\n", 17),
    ])
    func `an answer that is none is a fault, however it is split`(_ text: String) {
        #expect(throws: WireFault.self) { try parse(text) }
        #expect(throws: WireFault.self) { try parse(text, step: 1) }
    }

    @Test(arguments: [
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\na", true),
        ("HTTP/1.1 204 No Content\r\n\r\n", true),
        (
            "HTTP/1.1 100 Continue\r\nConnection: close\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n",
            true
        ),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n", true),
        ("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\na", false),
        ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\n", false),
        ("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nab", false),
        ("HTTP/1.1 200 OK\r\nConnection: x, CLOSE\r\nContent-Length: 1\r\n\r\na", false),
        ("HTTP/1.1 200 OK\r\nConnection: x\r\nConnection: close\r\nContent-Length: 1\r\n\r\na", false),
        ("HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na", false),
        ("HTTP/1.1 200 OK\r\n\r\na", false), ("", false),
    ])
    func `a connection is good for another answer behind a whole one alone`(text: String, isGood: Bool) throws
    {
        var parser = ResponseParser(answering: .get)
        var answer = Answer()
        Array(text.utf8).withUnsafeBytes { parser.append($0) }
        try drain(&parser, into: &answer)
        #expect(parser.leavesConnectionOpen == isGood)
    }

    @Test func `a stream has no limit and comes in pieces as they arrive`() throws {
        var parser = ResponseParser(answering: .get, bodyBytes: .max)
        let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        Array(head.utf8).withUnsafeBytes { parser.append($0) }
        #expect(try parser.next() != .needsMore)
        #expect(try parser.next() == .needsMore)

        for piece in ["5\r\nhello\r\n", "1\r\n!\r\n"] {
            Array(piece.utf8).withUnsafeBytes { parser.append($0) }
            #expect(try parser.next() == .body(piece == "1\r\n!\r\n" ? [0x21] : [UInt8]("hello".utf8)))
            #expect(try parser.next() == .needsMore)
        }
    }

    @Test func `what the writer writes, the parser reads`() throws {
        let response = Response(
            status: .conflict, headers: ["X": "a\r\nb", "Y": "Æ"], body: [UInt8]("hello".utf8))
        var bytes: [UInt8] = []
        let framing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: true)
        ResponseWriter.write(response, framing: framing, date: "D", into: &bytes)

        let parsed = try parse(String(decoding: bytes, as: UTF8.self), step: 2)

        #expect(parsed.headers == ["Date": "D", "X": "a  b", "Y": "Æ", "Content-Length": "5"])
        #expect(parsed.status == 409 && parsed.body == "hello" && parsed.isWhole)
    }

    @Test(arguments: [1, .max])
    func `another protocol begins behind the answer that agrees to it`(step: Int) throws {
        let text =
            "HTTP/1.1 103 Early Hints\r\n\r\n"
            + "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\nrest"
        var parser = ResponseParser(answering: .get, takesUpgrade: true)
        var (answer, rest) = (Answer(), Array(text.utf8)[...])
        while !rest.isEmpty {
            Array(rest.prefix(step)).withUnsafeBytes { parser.append($0) }
            rest = rest.dropFirst(step)
            try drain(&parser, into: &answer)
        }
        #expect(answer.status == 101 && answer.headers["Upgrade"] == "websocket" && answer.body.isEmpty)
        #expect(String(decoding: parser.takeRest(), as: UTF8.self) == "rest")
    }
}
