import HTTP
import Testing

/// Messages that RFC 9112 and RFC 9110 allow, and what they say.
struct Acceptance: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let method: String
    let path: String
    var query: String?
    var headers: [String: String]
    var body: String
    var keepsAlive: Bool
    var isHTTP10: Bool

    init(
        _ name: String, _ text: String, _ method: String = "GET", _ path: String = "/", query: String? = nil,
        headers: [String: String] = [:], body: String = "", keepsAlive: Bool = true, isHTTP10: Bool = false
    ) {
        self.init(
            name, bytes: [UInt8](text.utf8), method, path, query: query, headers: headers, body: body,
            keepsAlive: keepsAlive, isHTTP10: isHTTP10)
    }

    init(
        _ name: String, bytes: [UInt8], _ method: String = "GET", _ path: String = "/", query: String? = nil,
        headers: [String: String] = [:], body: String = "", keepsAlive: Bool = true, isHTTP10: Bool = false
    ) {
        (self.name, self.bytes, self.method, self.path, self.query) = (name, bytes, method, path, query)
        (self.headers, self.body, self.keepsAlive, self.isHTTP10) = (headers, body, keepsAlive, isHTTP10)
    }

    var testDescription: String { name }

    private static let chunkedHead = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let all = targets + hosts + fields + connections + bodies

    static let targets = [
        Acceptance("plain", "GET / HTTP/1.1\r\nHost: a\r\n\r\n"),
        Acceptance(
            "path and query", "GET /a/b%20c?d=e&f HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/a/b%20c",
            query: "d=e&f"),
        Acceptance("empty query", "GET /? HTTP/1.1\r\nHost: a\r\n\r\n", query: ""),
        Acceptance("question marks in the query", "GET /?a?b HTTP/1.1\r\nHost: a\r\n\r\n", query: "a?b"),
        Acceptance("two slashes", "GET //a HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "//a"),
        Acceptance("broken percent-encoding is kept", "GET /%zz HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/%zz"),
        Acceptance(
            "absolute target replaces Host", "GET http://b:81/c?d HTTP/1.1\r\nHost: a\r\n\r\n", "GET", "/c",
            query: "d",
            headers: ["Host": "b:81"]),
        Acceptance(
            "absolute target without path", "GET HTTPS://b HTTP/1.1\r\nHost: a\r\n\r\n",
            headers: ["Host": "b"]),
        Acceptance(
            "absolute target with query alone", "GET http://b?c HTTP/1.1\r\nHost: a\r\n\r\n", query: "c"),
        Acceptance("OPTIONS for the server", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n", "OPTIONS", "/*"),
        Acceptance("unknown method", "BREW /pot HTTP/1.1\r\nHost: a\r\n\r\n", "BREW", "/pot"),
        Acceptance("lower-case method is another method", "get / HTTP/1.1\r\nHost: a\r\n\r\n", "get"),
        Acceptance("empty line first", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n"),
    ]

    static let hosts = [
        Acceptance(
            "host and port", "GET / HTTP/1.1\r\nHost: localhost:8420\r\n\r\n",
            headers: ["host": "localhost:8420"]),
        Acceptance("IPv4", "GET / HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", headers: ["Host": "127.0.0.1:1"]),
        Acceptance("IPv6", "GET / HTTP/1.1\r\nHost: [::1]:65535\r\n\r\n", headers: ["Host": "[::1]:65535"]),
        Acceptance("IPv6 with IPv4", "GET / HTTP/1.1\r\nHost: [::ffff:1.2.3.4]\r\n\r\n"),
        Acceptance("empty port", "GET / HTTP/1.1\r\nHost: a:\r\n\r\n", headers: ["Host": "a:"]),
        Acceptance("percent in host", "GET / HTTP/1.1\r\nHost: a%41\r\n\r\n"),
        Acceptance("world and platform", "GET / HTTP/1.1\r\nHost: blue--hanko.localhost:1\r\n\r\n"),
        Acceptance("no Host in 1.0", "GET / HTTP/1.0\r\n\r\n", keepsAlive: false, isHTTP10: true),
    ]

    static let fields = [
        Acceptance(
            "blanks around the value", "GET / HTTP/1.1\r\nHost:\t a \t\r\nX:  b c\t d  \r\n\r\n",
            headers: ["Host": "a", "X": "b c\t d"]),
        Acceptance(
            "empty value", "GET / HTTP/1.1\r\nHost: a\r\nX:\r\nY: \r\n\r\n", headers: ["X": "", "Y": ""]),
        Acceptance(
            "colons in the value", "GET / HTTP/1.1\r\nHost: a\r\nX: b:c: d\r\n\r\n", headers: ["X": "b:c: d"]),
        Acceptance("UTF-8 value", "GET / HTTP/1.1\r\nHost: a\r\nX: Æsir 🙂\r\n\r\n", headers: ["X": "Æsir 🙂"]),
        Acceptance(
            "ISO 8859-1 value",
            bytes: [UInt8]("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8) + [0xC6, 0x73] + [UInt8]("\r\n\r\n".utf8),
            headers: ["X": "Æs"]),
        Acceptance(
            "every mark in a name", "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09Az: b\r\n\r\n",
            headers: ["!#$%&'*+-.^_`|~09aZ": "b"]),
        Acceptance("a hundred fields", "GET / HTTP/1.1\r\nHost: a\r\n\(repeated("X: 1\r\n", 99))\r\n"),
    ]

    static let connections = [
        Acceptance("close", "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", keepsAlive: false),
        Acceptance(
            "close in a list", "GET / HTTP/1.1\r\nHost: a\r\nConnection: x ,, Close\r\n\r\n",
            keepsAlive: false),
        Acceptance(
            "close in a second field",
            "GET / HTTP/1.1\r\nHost: a\r\nConnection: x\r\nConnection: close\r\n\r\n", keepsAlive: false),
        Acceptance("close inside a word", "GET / HTTP/1.1\r\nHost: a\r\nConnection: closed\r\n\r\n"),
        Acceptance("1.0 keep-alive", "GET / HTTP/1.0\r\nConnection: Keep-Alive\r\n\r\n", isHTTP10: true),
        Acceptance(
            "close wins", "GET / HTTP/1.0\r\nConnection: keep-alive, close\r\n\r\n", keepsAlive: false,
            isHTTP10: true),
    ]

    static let bodies = [
        Acceptance(
            "length", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello", "POST", body: "hello"),
        Acceptance("length zero", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n", "POST"),
        Acceptance(
            "length with zeros", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0005\r\n\r\nhello", "POST",
            body: "hello"),
        Acceptance("body of GET", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\nok", body: "ok"),
        Acceptance(
            "length in 1.0", "POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\nok", "POST", body: "ok",
            keepsAlive: false, isHTTP10: true),
        Acceptance(
            "Expect in 1.0 is not heard",
            "POST / HTTP/1.0\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok", "POST", body: "ok",
            keepsAlive: false, isHTTP10: true),
        Acceptance(
            "Expect with the body at once",
            "POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 2\r\n\r\nok", "POST",
            body: "ok"),
        Acceptance(
            "chunks", chunkedHead + "5\r\nhello\r\nA\r\n, world...\r\n0\r\n\r\n", "POST",
            body: "hello, world..."),
        Acceptance("no chunks", chunkedHead + "0\r\n\r\n", "POST"),
        Acceptance("many zeros", chunkedHead + "0002\r\nok\r\n00000\r\n\r\n", "POST", body: "ok"),
        Acceptance(
            "line ends in chunks", chunkedHead + "4\r\n\r\n\r\n\r\n0\r\n\r\n", "POST", body: "\r\n\r\n"),
        Acceptance("extensions", chunkedHead + "2;a=b;c=\"d e\"\r\nok\r\n0 ; x\r\n\r\n", "POST", body: "ok"),
        Acceptance(
            "trailers are dropped", chunkedHead + "2\r\nok\r\n0\r\nX: 1\r\nHost: evil\r\n\r\n", "POST",
            headers: ["Host": "a"], body: "ok"),
        Acceptance(
            "Chunked by another case",
            "POST / HTTP/1.1\r\nHost: a\r\ntransfer-encoding: CHUNKED\r\n\r\n0\r\n\r\n", "POST"),
    ]
}

struct AcceptanceTests {
    @Test(arguments: Acceptance.all)
    func `a message that the standards allow is understood`(_ acceptance: Acceptance) {
        var parser = RequestParser.standard()

        let outcomes = parser.feed(acceptance.bytes)

        guard
            case .request(let method, let path, let query, let headers, let body, let keepsAlive, let is10)? =
                outcomes.first,
            outcomes.count == 1
        else {
            Issue.record("not accepted: \(outcomes)")
            return
        }
        #expect(method == acceptance.method)
        #expect(path == acceptance.path)
        #expect(query == acceptance.query)
        for (name, value) in acceptance.headers { #expect(headers.values(of: name) == [value]) }
        #expect(String(decoding: body, as: UTF8.self) == acceptance.body)
        #expect(keepsAlive == acceptance.keepsAlive)
        #expect(is10 == acceptance.isHTTP10)
        #expect(parser.phase == .idle)
        #expect(parser.bufferedBytes == 0)
    }
}
