import HTTP
import Testing

struct ResponseWriterTests {
    private let plain = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: true)
    private let date = "Sun, 06 Nov 1994 08:49:37 GMT"

    private func written(_ response: Response, _ framing: ResponseWriter.Framing) -> String {
        var bytes: [UInt8] = []
        ResponseWriter.write(response, framing: framing, date: date, into: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    private var stream: Response {
        var response = Response(headers: ["Content-Type": "text/event-stream"])
        response.body = .stream(BodyStream { _ in {} })
        return response
    }

    @Test func `an answer has status line, date, its fields, its length and its body`() {
        let text = written(Response(status: .created, headers: ["X": "y"], body: [UInt8]("ok".utf8)), plain)

        #expect(text == "HTTP/1.1 201 Created\r\nDate: \(date)\r\nX: y\r\nContent-Length: 2\r\n\r\nok")
    }

    @Test func `the answer to HEAD has the length of the body and no body`() {
        let head = ResponseWriter.Framing(isHead: true, isHTTP10: false, keepsAlive: true)

        #expect(written(Response(body: [UInt8]("ok".utf8)), head).hasSuffix("\r\nContent-Length: 2\r\n\r\n"))
        #expect(!written(stream, head).contains("chunked"))
    }

    @Test(arguments: [101, 204, 304] as [Status])
    func `a status without body has neither length nor body`(_ status: Status) {
        let text = written(Response(status: status, body: [UInt8]("no".utf8)), plain)

        #expect(text == "HTTP/1.1 \(status.code) \(status.reason)\r\nDate: \(date)\r\n\r\n")
    }

    @Test func `reset content has a length of nothing`() {
        #expect(written(Response(status: 205, body: [1]), plain).hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
    }

    @Test func `the connection's fate is said where the client cannot know it`() {
        let closing = ResponseWriter.Framing(isHead: false, isHTTP10: false, keepsAlive: false)
        let old = ResponseWriter.Framing(isHead: false, isHTTP10: true, keepsAlive: true)

        #expect(!written(Response(), plain).contains("Connection"))
        #expect(written(Response(), closing).contains("\r\nConnection: close\r\n"))
        #expect(written(Response(), old).contains("\r\nConnection: keep-alive\r\n"))
    }

    @Test func `a stream is chunked in 1.1`() {
        var bytes: [UInt8] = []
        ResponseWriter.writeChunk([UInt8](repeating: 0x61, count: 26), framing: plain, into: &bytes)
        ResponseWriter.writeChunk([], framing: plain, into: &bytes)
        ResponseWriter.writeLastChunk(framing: plain, into: &bytes)

        #expect(written(stream, plain).hasSuffix("\r\nTransfer-Encoding: chunked\r\n\r\n"))
        #expect(String(decoding: bytes, as: UTF8.self) == "1a\r\n\(repeated("a", 26))\r\n0\r\n\r\n")
        #expect(plain.staysOpen(after: stream))
    }

    @Test func `a stream ends with the connection in 1.0`() {
        let old = ResponseWriter.Framing(isHead: false, isHTTP10: true, keepsAlive: true)
        var bytes: [UInt8] = []
        ResponseWriter.writeChunk([UInt8]("abc".utf8), framing: old, into: &bytes)
        ResponseWriter.writeLastChunk(framing: old, into: &bytes)

        #expect(written(stream, old).hasSuffix("\r\nConnection: close\r\n\r\n"))
        #expect(String(decoding: bytes, as: UTF8.self) == "abc")
        #expect(!old.staysOpen(after: stream))
        #expect(old.staysOpen(after: Response()))
    }

    @Test func `no field can begin a line of its own`() {
        let response = Response(headers: [
            "Location": "/a\r\nSet-Cookie: evil=1", "X\r\nEvil": "1", "Y: z\u{0}": "1", "": "1",
            "Z": "a\u{0}b\u{7F}\tc",
        ])

        let text = written(response, plain)

        #expect(
            text == """
                HTTP/1.1 200 OK\r\nDate: \(date)\r\nLocation: /a  Set-Cookie: evil=1\r\nZ: a b  c\r\n\
                Content-Length: 0\r\n\r\n
                """)
    }

    @Test func `the fields of framing are the writer's own`() {
        let response = Response(headers: [
            "content-length": "99", "Transfer-Encoding": "chunked", "Connection": "x", "Date": "today",
        ])

        #expect(written(response, plain) == "HTTP/1.1 200 OK\r\nDate: \(date)\r\nContent-Length: 0\r\n\r\n")
    }

    @Test func `a status that is none becomes 500`() {
        #expect(written(Response(status: 42), plain).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(written(Response(status: 999), plain).hasPrefix("HTTP/1.1 500 Internal Server Error\r\n"))
        #expect(written(Response(status: 299), plain).hasPrefix("HTTP/1.1 299 Unknown\r\n"))
    }

    /// Expected values: the example of RFC 9110 §5.6.7, and `date -u -R -d @SECONDS` of GNU coreutils.
    @Test(arguments: [
        (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
        (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"), (1_709_251_199, "Thu, 29 Feb 2024 23:59:59 GMT"),
        (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"), (-1, "Wed, 31 Dec 1969 23:59:59 GMT"),
    ])
    func `dates are written as the standard says`(_ seconds: Int, _ text: String) {
        #expect(HTTPDate.text(secondsSince1970: seconds) == text)
    }
}
