extension UpstreamSubject {
    var corpus: [[UInt8]] { (Self.answers + Self.requests + Self.bodies).map { Array($0.utf8) } }

    var dictionary: [[UInt8]] {
        (Self.addresses + Self.pieces).map { Array($0.utf8) } + [[0xC3], [0xF0, 0x9F], [0x00], [0xFF]]
    }

    private static let addresses = [
        "https://tenant.example", "http://tenant.example", "https://tenant.example:443",
        "https:\\/\\/tenant.example",
        "https%3A%2F%2Ftenant.example", "https%3a%2f%2ftenant.example", "http://127.0.0.1:8000/base",
        "https://login.example/as",
        "http://localhost:8420/hanko", "https://localhost:8420/w/a/hanko", "https://tenant.example/base",
        "https://[2001:db8::1]:8443",
    ]

    private static let pieces = [
        "\r\n", "\"", "\\\"", "\\", "\\u0065", "\"issuer\":\"", "?iss=", "&iss=", "; Domain=.tenant.example",
        "; Path=/", "; Secure",
        "; SameSite=None", "__Host-a=b", "eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.c2ln", "\"access_token\":",
        "\"password\":[\"a\",\"b\"]",
        "\"pin\":1234", "masked-", "masked-abcdefghij", "<input type=hidden name=password value='x'>",
        "href=\"/login\"", "action=/", "=", "?",
        "#", "&", "{", "}", "[", "]", ",", ":", "//", "/..", "/%2e%2e;/", "understudy_control=x; ",
        "Via: 1.1 understudy-fuzz\r\n",
    ]

    private static let answers = [
        "HTTP/1.1 302 Found\r\nLocation: https://tenant.example/cb?code=abc&iss=https%3A%2F%2Ftenant.example\r\nSet-Cookie: sid=1; Domain=tenant.example; Path=/base/x; Secure; SameSite=None\r\nContent-Length: 0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nStrict-Transport-Security: max-age=1\r\nConnection: X-A\r\nX-A: b\r\nContent-Length: 98\r\n\r\n"
            + #"{"issuer":"https://tenant.example","x":"https:\/\/tenant.example\/y","access_token":"s","pin":1234}"#,
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Security-Policy: form-action https://tenant.example; default-src 'self'\r\nTransfer-Encoding: chunked\r\n\r\n2d\r\n<a href=\"/login\"><img src='/base/x'><form acti\r\n1b\r\non=https://tenant.example/>\r\n0\r\n\r\n",
        "HTTP/1.1 401\r\nWWW-Authenticate: Bearer resource_metadata=\"https://tenant.example/.well-known/x\"\r\nAccess-Control-Allow-Origin: https://tenant.example\r\nContent-Encoding: gzip\r\nContent-Type: text/plain\r\n\r\nend",
    ]

    private static let requests = [
        "GET /authorize?redirect_uri=http%3A%2F%2Flocalhost%3A8420%2Fhanko%2Fcb HTTP/1.1\r\nHost: localhost:8420\r\nCookie: understudy_control=x; sid=1\r\nOrigin: http://localhost:8420\r\nReferer: http://localhost:8420/hanko/x\r\nX-Forwarded-For: a\r\n\r\n",
        "POST /token HTTP/1.1\r\nHost: a\r\nConnection: close, X-B\r\nX-B: 1\r\nExpect: 100-continue\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 20\r\n\r\npassword=a&code=1234",
    ]

    private static let bodies = [
        #"{"token":{"id":"a","password":"b"},"tokens":["x"],"secret":["a",["b",1]],"e":{"code":"c","otp":"1"},"n":[1,-2.5e3,true,null]}"#,
        "<html><a href=\"/x\">a</a><meta http-equiv=refresh content=\"0;url=/y\"><input name=\"id_token\" value=\"eyJhbGciOiJub25lIn0.e30.\"></html>",
        "grant_type=password&username=ada&password=b%26c&client_secret=d&code=e",
        "sid=1; Domain=.tenant.example; Path=/; Secure; HttpOnly",
        "https://tenant.example/base?access_token=1#id_token=2&state=https://login.example/as",
        "__Host-sid=1; Path=/; Secure",
    ]
}
