import Essentials
import HTTP
import Testing

@testable import Comparison

/// Archives as the writers that people use make them, each by hand from what that writer's documentation or source says.
@Suite struct HARReaderTests {
    /// An archive of one entry whose members are replaced by those of `request` and `response`.
    private func exchange(request: String, response: String, rest: String = "") throws -> Exchange {
        let text = """
            {"log":{"version":"1.2","creator":{"name":"t","version":"1"},"entries":[
              {"startedDateTime":"2026-01-02T03:04:05.678+01:00","time":12.5\(rest),
               "request":\(request),"response":\(response)}]}}
            """
        let exchanges = try HARReader.exchanges(in: Array(text.utf8))
        return try #require(exchanges.first)
    }

    private let get = #"{"method":"GET","url":"https://a.example/x","headers":[]}"#
    private let noContent = #"{"status":204,"headers":[],"content":{"size":0,"mimeType":""}}"#

    // HTTP Archive 1.2, the examples of “entries”, “request”, “postData” and “content”.
    @Test func `the members of the specification are read`() throws {
        let exchange = try exchange(
            request: """
                {"method":"POST","url":"https://a.example/users?q=1#part","httpVersion":"HTTP/1.1","cookies":[],
                 "headers":[{"name":"Accept","value":"*/*"},{"name":"Cookie","value":"a=1"}],"queryString":[],
                 "postData":{"mimeType":"application/json","text":"{\\"a\\":1}"},"headersSize":150,"bodySize":7}
                """,
            response: """
                {"status":200,"statusText":"OK","httpVersion":"HTTP/1.1","cookies":[],
                 "headers":[{"name":"Content-Type","value":"application/json; charset=utf-8"}],
                 "content":{"size":2,"mimeType":"application/json","text":"e30=","encoding":"base64"},
                 "redirectURL":"","headersSize":160,"bodySize":2}
                """)
        #expect(exchange.number == 1)
        #expect(abs(exchange.startedAt.timeIntervalSince1970 - 1_767_319_445.678) < 0.001)
        #expect(exchange.seconds == 0.0125)
        #expect(exchange.request.method == "POST")
        #expect(exchange.request.url == "https://a.example/users?q=1")
        #expect(exchange.request.headers["accept"] == "*/*")
        #expect(exchange.request.body == Array(#"{"a":1}"#.utf8))
        #expect(exchange.response.status == 200)
        #expect(exchange.response.headers.mediaType == "application/json")
        #expect(exchange.response.body == Array("{}".utf8))
        #expect(!exchange.request.isCut && !exchange.response.isCut)
    }

    @Test func `why a text cannot be read is told`() {
        let marks = String(repeating: "\\u0301", count: 101)
        let error = #expect(throws: (any Error).self) {
            _ = try exchange(request: get, response: noContent, rest: #","comment":"a\#(marks)""#)
        }
        #expect("\(error.map { "\($0)" } ?? "")".contains("more than 100 combining marks in a row"))
    }

    // Chromium and Firefox: lower-case names, pseudo fields, form parameters, cookies in lists, lines joined.
    @Test func `what a browser writes of HTTP 2 is read`() throws {
        let exchange = try exchange(
            request: """
                {"method":"POST","url":"https://a.example/token","httpVersion":"h2",
                 "headers":[{"name":":authority","value":"a.example"},{"name":":method","value":"POST"},
                            {"name":"accept","value":"*/*"}],
                 "cookies":[{"name":"s","value":"1"},{"name":"t","value":"2"}],
                 "postData":{"mimeType":"application/x-www-form-urlencoded",
                             "params":[{"name":"grant_type","value":"password"},{"name":"note","value":"a%20b"}]}}
                """,
            response: """
                {"status":302,"headers":[{"name":"set-cookie","value":"a=1; Path=/\\nb=2"}],
                 "content":{"size":0,"mimeType":"x-unknown"},"redirectURL":"https://b.example/cb?code=1"}
                """)
        #expect(exchange.request.headers.fields.map(\.name) == ["accept", "Cookie", "Content-Type"])
        #expect(exchange.request.headers["Cookie"] == "s=1; t=2")
        #expect(String(decoding: exchange.request.body, as: UTF8.self) == "grant_type=password&note=a%20b")
        #expect(exchange.response.headers.values(of: "Set-Cookie") == ["a=1; Path=/", "b=2"])
        #expect(exchange.response.headers["Location"] == "https://b.example/cb?code=1")
        #expect(exchange.response.headers["Content-Type"] == nil)
    }

    // Apps that send JSON and call it a form: a writer that takes forms apart finds pairs in it, raw or decoded.
    @Test(arguments: [
        #"[{"name":"{\"code\": \"abc\"}","value":""}]"#,
        #"[{"name":"%7B%22code%22%3A%20%22abc%22%7D"}]"#,
        #"[{"name":"{\"code\": \"abc\", \"q\": \"x","value":"1"},{"name":"y","value":"2\"}"}]"#,
    ])
    func `an object that was taken apart as a form is put together`(params: String) throws {
        let exchange = try exchange(
            request: """
                {"method":"POST","url":"https://a.example/token","headers":[],
                 "postData":{"mimeType":"application/x-www-form-urlencoded","params":\(params)}}
                """, response: noContent)
        let body = try #require(exchange.request.content.json)
        #expect(body["code"]?.string == "abc")
        #expect(body["q"] == nil || body["q"]?.string == "x=1&y=2")
    }

    @Test func `a form that is called JSON is read from its parameters, files are not there`() throws {
        func posted(_ type: String) throws -> RecordedRequest {
            try exchange(
                request: """
                    {"method":"POST","url":"https://a.example/token","headers":[],
                     "postData":{"mimeType":"\(type)","params":[{"name":"a","value":"1 2"}]}}
                    """, response: noContent
            ).request
        }
        #expect(try posted("application/json").body == Array("a=1%202".utf8))
        #expect(try posted("multipart/form-data; boundary=x").isCut)
    }

    // HTTP Archive 1.2, “cookies”: what browsers leave out of the headers stands there.
    @Test func `cookies come from their list where there is no field`() throws {
        let exchange = try exchange(
            request: get,
            response: """
                {"status":200,"headers":[],"content":{"size":0,"mimeType":"text/plain"},
                 "cookies":[{"name":"s","value":"1","path":"/x","httpOnly":true,"secure":true,"sameSite":"Lax"}]}
                """)
        #expect(exchange.response.headers["Set-Cookie"] == "s=1; Path=/x; HttpOnly; Secure; SameSite=Lax")
        #expect(exchange.response.headers["Content-Type"] == "text/plain")
    }

    // mitmproxy writes microseconds; Charles an offset without a colon; Proxyman leaves out what is empty.
    @Test(arguments: [
        "2026-01-02T03:04:05.678901+00:00", "2026-01-02T03:04:05.678+0000", "2026-01-02T03:04:05.678Z",
    ])
    func `times of other proxies are read`(time: String) throws {
        let text =
            #"{"log":{"entries":[{"startedDateTime":"\#(time)","request":\#(get),"response":\#(noContent)}]}}"#
        let exchange = try #require(try HARReader.exchanges(in: Array(text.utf8)).first)
        #expect(abs(exchange.startedAt.timeIntervalSince1970 - 1_767_323_045.678) < 0.001)
        #expect(exchange.seconds == 0)
    }

    @Test func `a file that begins with a byte order mark is read`() throws {
        let bytes: [UInt8] = [0xEF, 0xBB, 0xBF] + Array(#"{"log":{"entries":[]}}"#.utf8)
        #expect(try HARReader.exchanges(in: bytes).isEmpty)
    }

    @Test func `what waited for another request comes after it`() throws {
        func entry(_ path: String, _ second: Int, milliseconds: Int) -> String {
            """
            {"startedDateTime":"2026-01-02T03:04:0\(second)Z","time":\(milliseconds),
             "request":{"method":"GET","url":"https://a.example/\(path)"},"response":\(noContent)}
            """
        }
        let entries = [
            entry("poll", 0, milliseconds: 5000), entry("later", 3, milliseconds: 10),
            entry("first", 0, milliseconds: 10),
        ]
        let text = #"{"log":{"entries":[\#(entries.joined(separator: ","))]}}"#
        let exchanges = try HARReader.exchanges(in: Array(text.utf8))
        #expect(exchanges.map(\.number) == [3, 2, 1])
    }

    @Test func `a body of which the writer kept the beginning is known as cut`() throws {
        let exchange = try exchange(
            request: get,
            response: """
                {"status":200,"headers":[],"content":{"size":9,"mimeType":"text/plain","text":"abc",
                 "comment":"The first 3 of 9 bytes."}}
                """)
        #expect(exchange.response.isCut)
        let empty = try self.exchange(
            request: get,
            response: #"{"status":200,"headers":[],"content":{"size":9,"mimeType":"text/plain"}}"#)
        #expect(empty.response.isCut)
    }

    // Sizes are of what came over the wire: of an answer that was packed they say less than, or something else than, its text.
    @Test func `a size that differs from the text cuts nothing`() throws {
        let exchange = try exchange(
            request: get,
            response:
                #"{"status":200,"headers":[],"content":{"size":900,"mimeType":"text/plain","text":"abc"}}"#)
        #expect(!exchange.response.isCut)
    }

    @Test(arguments: [
        (#"[]"#, "it is an array, not an object"),
        (#"{"entries":[]}"#, "it has no member “log”"),
        (#"{"log":7}"#, "“log” must be an object, not a number"),
        (#"{"log":{}}"#, "“log” has no member “entries”"),
        (#"{"log":{"entries":{}}}"#, "“log.entries” must be an array, not an object"),
        (#"{"log":{"entries":[7]}}"#, "entry 1: it has no member “request”"),
        (#"{"log":{"entries":[{"request":7}]}}"#, "entry 1: “request” must be an object, not a number"),
        (#"{"log":{"entries":"#, "it ends where a value is expected"),
        ("MZ\u{0}", "expected a value"),
    ])
    func `what is no archive is refused with the reason`(text: String, reason: String) throws {
        let error = #expect(throws: RecordingUnreadable.self) {
            try HARReader.exchanges(in: Array(text.utf8))
        }
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test(arguments: [
        (#"{"method":"GE T","url":"https://a"}"#, "“request.method” must be the name of a method"),
        (#"{"method":"GET","url":"/x"}"#, "“request.url” must be an absolute URL"),
        (
            #"{"method":"GET","url":"https://a","headers":{}}"#,
            "“request.headers” must be an array, not an object"
        ),
        (
            #"{"method":"GET","url":"https://a","headers":[{"name":1}]}"#,
            "“request.headers” must have objects"
        ),
        (
            #"{"method":"GET","url":"https://a","postData":{"text":"!","encoding":"base64"}}"#,
            "a body says that it is Base64, and is not"
        ),
    ])
    func `an entry that makes no sense is refused with its number`(request: String, reason: String) throws {
        let error = #expect(throws: RecordingUnreadable.self) {
            _ = try exchange(request: request, response: noContent)
        }
        #expect(error?.description.hasPrefix("entry 1: ") == true)
        #expect(error?.description.contains(reason) == true, "\(error?.description ?? "")")
    }

    @Test func `what nests without end is refused`() throws {
        let text = #"{"log":{"entries":"# + String(repeating: "[", count: 100_000)
        let error = #expect(throws: RecordingUnreadable.self) {
            try HARReader.exchanges(in: Array(text.utf8))
        }
        #expect(error?.description.contains("more than 200 levels are nested") == true)
    }

    // Source: savehar.py of mitmproxy 10: a broken connection has status 0 and an empty content, a text that cannot be decoded is null.
    @Test func `what mitmproxy writes of what it does not have is read`() throws {
        let broken = try exchange(
            request: """
                {"method":"POST","url":"https://a.example/x","httpVersion":"HTTP/1.1","cookies":[],"headers":[],
                 "queryString":[],"postData":{"mimeType":"","text":null,"params":[]},"headersSize":9,"bodySize":0}
                """,
            response: """
                {"status":0,"statusText":"","httpVersion":"","headers":[],"cookies":[],"content":{},"redirectURL":"",
                 "headersSize":-1,"bodySize":-1,"_transferSize":0,"_error":"Client disconnected."}
                """)
        #expect(broken.response.status == 0 && broken.request.body.isEmpty)
        let unreadable = try exchange(
            request: get,
            response:
                #"{"status":200,"headers":[],"content":{"size":3,"compression":0,"mimeType":"text/html","text":null}}"#
        )
        #expect(unreadable.response.isCut)
    }

    // Source: savehar.py: messages of a web socket stand in a member of their own; over HTTP/2 the status is 200 (RFC 8441 §5).
    @Test(arguments: [(101, true), (200, true), (403, false)])
    func `a web socket is known`(status: Int, isWebSocket: Bool) throws {
        let exchange = try exchange(
            request: #"{"method":"GET","url":"wss://a.example/socket","headers":[]}"#,
            response: #"{"status":\#(status),"headers":[],"content":{"size":0,"mimeType":""}}"#,
            rest:
                #","_resourceType":"websocket","_webSocketMessages":[{"type":"send","opcode":1,"data":"hi"}]"#
        )
        #expect(exchange.isWebSocket == isWebSocket)
        #expect(exchange.request.url == "https://a.example/socket")
    }

    // Writers say that nothing came by 0, -1 or null, or leave the answer out.
    @Test(arguments: [
        #""response":{"_charlesStatus":"FAILED","status":-1,"headers":[],"content":{"size":0,"mimeType":""}}"#,
        #""response":{"status":null,"headers":null}"#, #""response":null"#, #""comment":"aborted""#,
    ])
    func `an answer that never came is none`(response: String) throws {
        let text =
            #"{"log":{"entries":[{"startedDateTime":"2023-03-29T17:37:42.482-07:00","#
            + #""request":\#(get),\#(response)}]}}"#
        let exchange = try #require(try HARReader.exchanges(in: Array(text.utf8)).first)
        #expect(exchange.response.status == 0 && exchange.response.body.isEmpty && !exchange.response.isCut)
    }

    // Browsers list what never left them, proxies the tunnels that they could not look into.
    @Test(arguments: [
        "data:image/png;base64,AA==", "blob:https://a.example/1", "about:blank", "a.example:443",
    ])
    func `an address that is no request of HTTP hinders no other`(url: String) throws {
        let exchange = try exchange(
            request: #"{"method":"CONNECT","url":"\#(url)","headers":[]}"#, response: noContent)
        #expect(exchange.request.url == url)
    }

    // RFC 2045 §6.8: Base64 may stand in lines. HTTP Archive 1.2: every object may have a comment.
    @Test func `Base64 in lines and comments is read`() throws {
        let exchange = try exchange(
            request: get,
            response: """
                {"status":200,"headers":[{"name":"Content-Length","value":4}],"comment":"",
                 "content":{"size":4,"mimeType":"image/png","text":"iVB\\r\\nORw==","encoding":"Base64","comment":""}}
                """)
        #expect(exchange.response.body == [0x89, 0x50, 0x4E, 0x47])
        #expect(exchange.response.headers["Content-Length"] == "4" && !exchange.response.isCut)
    }

    // Firefox has the fields that a page gave its form before the form, and the parameters beside it.
    @Test func `a form of Firefox is read without the fields before it`() throws {
        let exchange = try exchange(
            request: """
                {"method":"POST","url":"https://a.example/token","headers":[],
                 "postData":{"mimeType":"application/x-www-form-urlencoded","params":[{"name":"a","value":"1 2"}],
                 "text":"Content-Type: application/x-www-form-urlencoded\\r\\nContent-Length: 5\\r\\n\\r\\na=1+2"}}
                """, response: noContent)
        #expect(String(decoding: exchange.request.body, as: UTF8.self) == "a=1+2")
    }

    @Test func `a body that this program passed on in pieces is known as missing`() throws {
        for (size, isCut) in [(-1, true), (300_000, true)] {
            let exchange = try exchange(
                request: get,
                response: """
                    {"status":200,"headers":[],"content":{"size":\(size),"mimeType":"image/png",
                     "comment":"The body is not kept: it was passed on in pieces, or has a coding that hides its secrets."}}
                    """)
            #expect(exchange.response.isCut == isCut && !exchange.request.isCut)
        }
        #expect(try !exchange(request: get, response: noContent).response.isCut)
    }

    // A clock that stands still at 09:05:00: the journal has the answers at that time, and starts before it.
    @Test func `a recording of this program is played when it was answered`() throws {
        let entries = ["04:59.997", "04:59.999"].map { start in
            #"{"startedDateTime":"2026-03-02T09:\#(start)Z","time":\#(start.hasSuffix("7") ? 2.780764 : 1.382001),"request":\#(get),"response":\#(noContent)}"#
        }.joined(separator: ",")
        func played(by creator: String) throws -> [Double] {
            let text = #"{"log":{"creator":{"name":"\#(creator)"},"entries":[\#(entries)]}}"#
            return try HARReader.exchanges(in: Array(text.utf8)).map(\.playedAt.timeIntervalSince1970)
        }
        #expect(try played(by: "Understudy") == [1_772_442_300, 1_772_442_300])
        #expect(try played(by: "mitmproxy").allSatisfy { $0 < 1_772_442_300 })
    }
}
