import HTTP
import Testing

/// Messages that RFC 9112 and RFC 9110 forbid, or that pass a limit, and the status that answers each.
struct Refusal: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let status: Int

    init(_ name: String, _ status: Int, _ text: String) {
        (self.name, self.bytes, self.status) = (name, [UInt8](text.utf8), status)
    }

    /// A request that is fine but for `fields`.
    init(_ name: String, _ status: Int, fields: String, body: String = "") {
        self.init(name, status, "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n\(body)")
    }

    /// A chunked request that is fine but for its body.
    init(_ name: String, _ status: Int, chunks: String) {
        self.init(name, status, fields: "Transfer-Encoding: chunked", body: chunks)
    }

    var testDescription: String { name }

    static let all = requestLines + targets + hosts + fieldLines + lengths + codings + chunks + limits

    static let requestLines = [
        Refusal("no version", 400, "GET /\r\nHost: a\r\n\r\n"),
        Refusal("only a method", 400, "GET\r\n\r\n"),
        Refusal("empty method", 400, " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("method that is no token", 400, "G@T / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal(
            "method beyond all methods", 501,
            String(repeating: "A", count: 33) + " / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("CONNECT", 501, "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n"),
        Refusal("two empty lines first", 400, "\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("version 2.0", 505, "GET / HTTP/2.0\r\nHost: a\r\n\r\n"),
        Refusal("version 0.9", 505, "GET / HTTP/0.9\r\nHost: a\r\n\r\n"),
        Refusal("version 1.2", 505, "GET / HTTP/1.2\r\nHost: a\r\n\r\n"),
        Refusal("version 1.1 and more", 505, "GET / HTTP/1.10\r\nHost: a\r\n\r\n"),
        Refusal("HTTP/2 with prior knowledge", 505, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Refusal("lower-case version", 400, "GET / http/1.1\r\nHost: a\r\n\r\n"),
        Refusal("another protocol", 400, "GET / FTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("space after the version", 400, "GET / HTTP/1.1 \r\nHost: a\r\n\r\n"),
        Refusal("garbage", 400, "SSH-2.0-OpenSSH_9.2p1\r\n"),
        Refusal("TLS", 400, "\u{16}\u{3}\u{1}"),
        Refusal("NUL", 400, "GET /\0 HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("bare LF after the request line", 400, "GET / HTTP/1.1\nHost: a\r\n\r\n"),
        Refusal("bare CR in the request line", 400, "GET /\rHTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    static let targets = [
        Refusal("space in the target", 400, "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("two spaces before the target", 400, "GET  / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("two spaces and no target", 400, "GET  HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("tab in the target", 400, "GET /a\tb HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("non-ASCII target", 400, "GET /ä HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("DEL in the target", 400, "GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("fragment", 400, "GET /a#b HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("relative target", 400, "GET a HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("asterisk but not OPTIONS", 400, "GET * HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("absolute target of another scheme", 400, "GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("absolute target without host", 400, "GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("absolute target with user information", 400, "GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("absolute target, no Host", 400, "GET http://a/ HTTP/1.1\r\n\r\n"),
    ]

    static let hosts = [
        Refusal("no Host", 400, "GET / HTTP/1.1\r\n\r\n"),
        Refusal("Host twice", 400, "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n"),
        Refusal("Host twice in 1.0", 400, "GET / HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n"),
        Refusal("empty Host", 400, "GET / HTTP/1.1\r\nHost:\r\n\r\n"),
        Refusal("Host with a path", 400, "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n"),
        Refusal("Host with user information", 400, "GET / HTTP/1.1\r\nHost: u@a\r\n\r\n"),
        Refusal("Host with a space", 400, "GET / HTTP/1.1\r\nHost: a b\r\n\r\n"),
        Refusal("Host with a port that is none", 400, "GET / HTTP/1.1\r\nHost: a:b\r\n\r\n"),
        Refusal("Host with a port too high", 400, "GET / HTTP/1.1\r\nHost: a:65536\r\n\r\n"),
        Refusal("Host with a port too long", 400, "GET / HTTP/1.1\r\nHost: a:000080\r\n\r\n"),
        Refusal("Host with an open bracket", 400, "GET / HTTP/1.1\r\nHost: [::1\r\n\r\n"),
        Refusal("Host with a name in brackets", 400, "GET / HTTP/1.1\r\nHost: [local]\r\n\r\n"),
        Refusal("Host with text after the bracket", 400, "GET / HTTP/1.1\r\nHost: [::1]x\r\n\r\n"),
        Refusal("Host with IPv6 without brackets", 400, "GET / HTTP/1.1\r\nHost: ::1\r\n\r\n"),
        Refusal("Host with a broken percent", 400, "GET / HTTP/1.1\r\nHost: a%2\r\n\r\n"),
        Refusal("Host that is not ASCII", 400, "GET / HTTP/1.1\r\nHost: ä\r\n\r\n"),
    ]

    static let fieldLines = [
        Refusal("space before the colon", 400, fields: "X : 1"),
        Refusal("tab before the colon", 400, fields: "X\t: 1"),
        Refusal("folded line", 400, fields: "X: 1\r\n 2"),
        Refusal("line folded by a tab", 400, fields: "X: 1\r\n\t2"),
        Refusal("white space before the first field", 400, "GET / HTTP/1.1\r\n Host: a\r\n\r\n"),
        Refusal("no colon", 400, fields: "X 1"),
        Refusal("no name", 400, fields: ": 1"),
        Refusal("name that is no token", 400, fields: "X(1): 1"),
        Refusal("name that is not ASCII", 400, fields: "Ä: 1"),
        Refusal("NUL in a value", 400, fields: "X: a\0b"),
        Refusal("bare CR in a value", 400, fields: "X: a\rb"),
        Refusal("bare LF in a value", 400, fields: "X: a\nb"),
        Refusal("escape in a value", 400, fields: "X: \u{1B}[31m"),
        Refusal("CR CR LF", 400, fields: "X: a\r"),
        Refusal("unknown expectation", 417, fields: "Expect: 200-maybe"),
        Refusal("two expectations, one unknown", 417, fields: "Expect: 100-continue\r\nExpect: x"),
    ]

    static let lengths = [
        Refusal(
            "both length and chunked", 400, fields: "Content-Length: 5\r\nTransfer-Encoding: chunked",
            body: "0\r\n\r\n"),
        Refusal("both, the other way round", 400, fields: "Transfer-Encoding: chunked\r\nContent-Length: 5"),
        Refusal("differing lengths", 400, fields: "Content-Length: 1\r\nContent-Length: 2", body: "ab"),
        Refusal("equal lengths", 400, fields: "Content-Length: 1\r\nContent-Length: 1", body: "a"),
        Refusal("list of lengths", 400, fields: "Content-Length: 1, 1", body: "a"),
        Refusal("length with plus", 400, fields: "Content-Length: +5", body: "hello"),
        Refusal("length with minus", 400, fields: "Content-Length: -1"),
        Refusal("length with letter", 400, fields: "Content-Length: 5x", body: "hello"),
        Refusal("length in hexadecimal", 400, fields: "Content-Length: 0x5", body: "hello"),
        Refusal("length with fraction", 400, fields: "Content-Length: 5.0", body: "hello"),
        Refusal("empty length", 400, fields: "Content-Length:"),
        Refusal("length beyond 64 bits", 400, fields: "Content-Length: 18446744073709551617"),
        Refusal("length in other digits", 400, fields: "Content-Length: ٥", body: "hello"),
    ]

    static let codings = [
        Refusal("unknown coding", 501, fields: "Transfer-Encoding: zip"),
        Refusal("known but not spoken coding", 501, fields: "Transfer-Encoding: gzip, chunked"),
        Refusal("identity", 501, fields: "Transfer-Encoding: identity"),
        Refusal("almost chunked", 501, fields: "Transfer-Encoding: xchunked"),
        Refusal("chunked with a parameter", 501, fields: "Transfer-Encoding: chunked;q=1"),
        Refusal("chunked, but not last", 400, fields: "Transfer-Encoding: chunked, gzip"),
        Refusal("chunked twice", 400, fields: "Transfer-Encoding: chunked, chunked"),
        Refusal(
            "chunked in two fields", 400, fields: "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        Refusal("empty coding", 400, fields: "Transfer-Encoding:"),
        Refusal("vertical tab before chunked", 400, fields: "Transfer-Encoding: \u{B}chunked"),
        Refusal("chunked in 1.0", 400, "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    static let chunks = [
        Refusal("chunk size that is none", 400, chunks: "x\r\n"),
        Refusal("empty chunk size", 400, chunks: "\r\n"),
        Refusal("chunk size with sign", 400, chunks: "+1\r\na\r\n0\r\n\r\n"),
        Refusal("chunk size with prefix", 400, chunks: "0x1\r\na\r\n0\r\n\r\n"),
        Refusal("space before the chunk size", 400, chunks: " 1\r\na\r\n0\r\n\r\n"),
        Refusal("space after the chunk size", 400, chunks: "1 \r\na\r\n0\r\n\r\n"),
        Refusal("chunk size beyond 64 bits", 400, chunks: "10000000000000001\r\na\r\n0\r\n\r\n"),
        Refusal("bare LF after the chunk size", 400, chunks: "1\na\r\n0\r\n\r\n"),
        Refusal("bare CR after the chunk size", 400, chunks: "1\ra\r\n0\r\n\r\n"),
        Refusal("chunk longer than its size", 400, chunks: "1\r\nab\r\n0\r\n\r\n"),
        Refusal("LF alone after the data", 400, chunks: "1\r\na\n0\r\n\r\n"),
        Refusal("CR without LF after the data", 400, chunks: "1\r\na\rx0\r\n\r\n"),
        Refusal("extension without name", 400, chunks: "1;\r\na\r\n0\r\n\r\n"),
        Refusal("line break in an extension", 400, chunks: "1;a=\"\n\"\r\na\r\n0\r\n\r\n"),
        Refusal("extension without end", 400, chunks: "1;a=" + String(repeating: "b", count: 2000)),
        Refusal("extensions without end", 400, chunks: repeated("1;a=\(repeated("b", 900))\r\nx\r\n", 80)),
        Refusal("trailer that is no field", 400, chunks: "0\r\nx\r\n\r\n"),
        Refusal("folded trailer", 400, chunks: "0\r\nX: 1\r\n 2\r\n\r\n"),
        Refusal("trailers too long", 431, chunks: "0\r\nX: " + repeated("x", 70_000)),
        Refusal("too many trailers", 431, chunks: "0\r\n" + repeated("X: 1\r\n", 101)),
    ]

    static let limits = [
        Refusal(
            "request line too long", 414, "GET /" + repeated("a", 65_536) + " HTTP/1.1\r\nHost: a\r\n\r\n"),
        Refusal("request line without end", 414, repeated("a", 65_537)),
        Refusal("field too long", 431, fields: "X: " + repeated("a", 65_536)),
        Refusal(
            "fields too long together", 431,
            fields: "X: " + repeated("a", 40_000) + "\r\nY: " + repeated("a", 40_000)),
        Refusal("too many fields", 431, fields: repeated("X: 1\r\n", 100)),
        Refusal("declared body too large", 413, fields: "Content-Length: 4194305"),
        Refusal(
            "declared body too large, with Expect", 413,
            fields: "Expect: 100-continue\r\nContent-Length: 4194305"),
        Refusal("chunk too large", 413, chunks: "400001\r\n"),
        Refusal(
            "chunks too large together", 413, chunks: "200000\r\n\(repeated("a", 0x200000))\r\n200001\r\n"),
    ]
}

func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

struct RefusalTests {
    @Test(arguments: Refusal.all)
    func `a message that the standards forbid is refused with the status they name`(_ refusal: Refusal) {
        var parser = RequestParser.standard()

        let outcomes = parser.feed(refusal.bytes)

        guard case .refused(let status, let reason)? = outcomes.last else {
            Issue.record("not refused: \(outcomes)")
            return
        }
        #expect(outcomes.count == 1)
        #expect(status == refusal.status)
        #expect(reason.count > 20 && reason.utf8.allSatisfy { $0 >= 0x20 })
    }

    @Test(arguments: Refusal.all.filter { $0.bytes.count < 3000 })
    func `after a refusal nothing else is heard`(_ refusal: Refusal) {
        var parser = RequestParser.standard()
        let first = parser.feed(refusal.bytes)

        let second = parser.feed("GET / HTTP/1.1\r\nHost: a\r\n\r\n")

        #expect(second == [first.last])
        #expect(parser.bufferedBytes == 0)
        #expect(parser.phase == .idle)
    }

    @Test func `the limits are those that were set`() {
        var limits = Limits()
        (limits.headBytes, limits.headerFields, limits.bodyBytes) = (60, 2, 3)
        let start = "PUT / HTTP/1.1\r\nHost: a\r\n"
        let cases: [(String, Int)] = [
            ("PUT /\(repeated("a", 45)) HTTP/1.1\r\n", 414), (start + "X: \(repeated("a", 30))\r\n\r\n", 431),
            (start + "X:\r\nY:\r\n\r\n", 431), (start + "Content-Length: 4\r\n\r\n", 413),
        ]

        for (text, status) in cases {
            var parser = RequestParser.standard(limits)
            guard case .refused(status, _)? = parser.feed(text).last else {
                Issue.record("\(text) is not answered with \(status)")
                continue
            }
        }
        var parser = RequestParser.standard(limits)
        #expect(
            parser.feed(start + "Content-Length: 3\r\n\r\nabc").first?.description.hasPrefix("PUT / ") == true
        )
    }

    @Test func `a declared body beyond the route's own limit is refused before a byte of it is read`() {
        var parser = RequestParser(limits: Limits(), peer: .local) { method, path in
            method == .put && path == "/big" ? 10 : nil
        }

        let fine = parser.feed("PUT /small HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n01234567890")
        let refused = parser.feed("PUT /big?x HTTP/1.1\r\nHost: a\r\nContent-Length: 11\r\n\r\n")

        #expect(fine.count == 1)
        #expect(refused == [.refused(413, reason: "the body is larger than the 10 bytes accepted here")])
    }
}
