extension HTTPSubject {
    var corpus: [[UInt8]] { Self.messages.map { [UInt8]($0.utf8) } }
    var dictionary: [[UInt8]] { Self.pieces.map { [UInt8]($0.utf8) } + Self.bytes }

    private static let messages =
        goodRequests + badRequests + answers + [
            "a=1&b=%20+&%C3%A9=%zz&=&&", "/users/%2e%2e/..//a?b#c", "sid=1; a=\"b;c\"; theme=",
        ]

    private static let goodRequests = [
        "GET / HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET /users/me?x=1&y HTTP/1.1\r\nHost: localhost:8420\r\nAccept: */*\r\nCookie: a=b; c=d\r\n\r\n",
        "HEAD /files/a%2Fb HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: [::1]:80\r\n\r\n",
        "GET http://b:81/c?d HTTP/1.1\r\nHost: a\r\nConnection: x, close\r\n\r\n",
        "POST /users HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello",
        "POST /users HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\nok",
        "PUT /users/1 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1;a=\"b\"\r\n!\r\n0\r\nX: y\r\n\r\n",
        "\r\nDELETE /users/%C3%A9 HTTP/1.1\r\nhost:\ta \t\r\nX:\r\nY: \u{C6}\u{1F642}\r\n\r\n",
    ]

    private static let badRequests = [
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
        "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "GET / HTTP/2.0\r\n\r\n", "GET /a b HTTP/1.1\r\n", "GET / HTTP/1.1\r\nX : y\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n", "GET / HTTP/1.1\nHost: a\n\n", "GET /\r\r\n",
        "CONNECT a:1 HTTP/1.1\r\n",
    ]

    private static let answers = [
        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
        "HTTP/1.0 404 Not Found\r\nX: y\r\n\r\nuntil the end", "HTTP/1.1 204\r\n\r\n",
    ]

    private static let pieces = [
        "\r\n", "\r\n\r\n", "\r", "\n", " ", "\t", ":", ": ", ";", ",", "/", "?", "#", "%", "%2", "%00", "*",
        "@", "[", "]", "\"",
        "Host: a\r\n", "Content-Length: 3\r\n", "Content-Length: 99999999999999999999\r\n",
        "Content-Length: -1\r\n",
        "Transfer-Encoding: chunked\r\n", "Transfer-Encoding: x\r\n", "Connection: close\r\n",
        "Expect: 100-continue\r\n",
        "0\r\n\r\n", "1\r\na\r\n", "ffffffffffffffff\r\n", "7fffffffffffffff\r\n", "100\r\n", "HTTP/1.1",
        "HTTP/1.0", "GET / HTTP/1.1\r\n",
        "http://a", "X: 1\r\n", "\r\n X", String(repeating: "a", count: 300),
        String(repeating: "X: 1\r\n", count: 60),
    ]

    private static let bytes: [[UInt8]] = [
        [0], [0x7F], [0x80], [0xFF], [0xC3, 0x28], [0xEF, 0xBB, 0xBF], [0x0B], [0x1B],
    ]
}
