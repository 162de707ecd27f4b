import HTTP
import Testing

struct RequestWriterTests {
    private func written(
        _ method: Request.Method, _ target: String, _ headers: Headers, _ body: String = ""
    ) throws(WireFault) -> String {
        String(
            decoding: try RequestWriter.bytes(method, target, headers: headers, body: [UInt8](body.utf8)),
            as: UTF8.self)
    }

    @Test func `a request has its line, its fields and how its body comes`() throws {
        #expect(
            try written(
                .post, "/a?b", ["Host": "c", "X": "y", "content-length": "9", "Connection": "x"], "hello")
                == "POST /a?b HTTP/1.1\r\nHost: c\r\nX: y\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello"
        )
        #expect(
            try written(.get, "/", ["Host": "c"]) == "GET / HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n")
        #expect(
            try written(.post, "/", [:])
                == "POST / HTTP/1.1\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    }

    @Test func `a request behind which others may follow asks for nothing to be closed`() throws {
        let bytes = try RequestWriter.bytes(
            .get, "/", headers: ["Host": "c", "Connection": "close"], body: [], connection: .staysOpen)
        #expect(String(decoding: bytes, as: UTF8.self) == "GET / HTTP/1.1\r\nHost: c\r\n\r\n")
    }

    // RFC 6455 §1.2, the fields of the example.
    @Test func `a request for a web socket says so once`() throws {
        let bytes = try RequestWriter.bytes(
            .get, "/chat", headers: ["Host": "c", "upgrade": "h2c", "Connection": "close"], body: [],
            connection: .upgrades)
        #expect(
            String(decoding: bytes, as: UTF8.self)
                == "GET /chat HTTP/1.1\r\nHost: c\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    }

    @Test(arguments: ["", "G T", "GET\r\n"])
    func `a method that is no token is not sent`(_ method: String) {
        #expect(throws: WireFault.self) { try written(Request.Method(rawValue: method), "/", [:]) }
    }

    @Test(arguments: ["", "a", "/ HTTP/1.1\r\nX: y", "/ä", "/a b"])
    func `a target that is no path is not sent`(_ target: String) {
        #expect(throws: WireFault.self) { try written(.get, target, [:]) }
    }

    @Test(
        arguments: [["X": "a\r\nEvil: 1"], ["X": "a\u{0}"], ["": "a"], ["X\r\nY": "a"], ["X:": "a"]]
            as [Headers])
    func `a field that would be two is not sent`(_ headers: Headers) {
        #expect(throws: WireFault.self) { try written(.get, "/", headers) }
    }
}
