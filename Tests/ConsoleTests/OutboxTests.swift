import Dispatch
import Essentials
import HTTP
import TestKit
import Testing

@testable import Console
@testable import PlatformKit

@Suite struct OutboxTests {
    private struct List: Decodable {
        struct Message: Decodable { let id: Int }
        let messages: [Message]
    }

    private func ids(_ response: Response) throws -> [Int] { try response.json(List.self).messages.map(\.id) }

    @Test func `the newest code that fits is given`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("111111")
        try bench.deliver("222222", to: "grace@example.com", kind: "otp")
        try bench.deliver(nil, to: "linus@example.com", link: "http://localhost/verify")
        try bench.deliver(nil, subject: "Welcome")

        #expect(
            bench.get("/codes?to=ADA@example.com").fields == [
                "id": "1", "kind": "passcode", "to": "ada@example.com", "code": "111111", "source": "acme",
                "sentAt": "2026-01-02T03:04:05.000Z", "expiresAt": "2026-01-02T03:09:05.000Z",
            ])
        #expect(bench.get("/codes").fields["link"] == "http://localhost/verify")
        #expect(bench.get("/codes?kind=otp").fields["code"] == "222222")
        #expect(bench.get("/codes?to=ada%40example.com&after=1").status == .notFound)
    }

    @Test func `a code that was used up or has expired is no answer, unless it is asked for`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("111111")
        try bench.deliver("222222")
        try bench.world.change { turn in try turn.spend(code: "222222", sentTo: "ADA@example.com") }

        #expect(bench.get("/codes?to=ada@example.com").fields["code"] == "111111")
        #expect(
            bench.get("/codes?to=ada@example.com&after=1").detail(404).contains(
                "was used up at 2026-01-02T03:04:05"))
        let used = bench.get("/codes?to=ada@example.com&used=true").fields
        #expect(used["code"] == "222222")
        #expect(used["usedAt"] == "2026-01-02T03:04:05.000Z")

        try bench.world.clock.advance(seconds: 300)
        #expect(
            bench.get("/codes?to=ada@example.com&used=false").detail(404)
                .contains("used=true, or --used in a shell, returns it"))
        #expect(bench.get("/codes?to=ada@example.com&used=true").fields["code"] == "222222")
    }

    @Test func `who waits while only a used code is there has the fresh one`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("111111")
        try bench.world.change { turn in try turn.spend(code: "111111", sentTo: "ada@example.com") }
        DispatchQueue.global().async {
            while !bench.world.outbox.bell.isWatched {}
            try? bench.deliver("394857")
        }

        #expect(bench.get("/codes?to=ada@example.com&wait=60").fields["code"] == "394857")
    }

    @Test func `who looks for a code in vain learns who has one`() throws {
        let bench = try ConsoleBench()

        #expect(bench.get("/codes").detail(404) == "The world default has no code; nobody has one.")
        try bench.deliver("111111")
        try bench.deliver("222222")
        #expect(
            bench.get("/codes?to=grace@example.com&kind=otp&after=7").detail(404)
                == "The world default has no code of kind “otp” for grace@example.com after message 7; "
                + "there are codes for ada@example.com.")
    }

    @Test func `who waits for a code has it when it is sent`() throws {
        let bench = try ConsoleBench()
        DispatchQueue.global().async {
            while !bench.world.outbox.bell.isWatched {}
            try? bench.deliver("000000", to: "grace@example.com")
            try? bench.deliver("394857")
        }

        // Sixty seconds are the bound of a test that fails, not what it takes.
        #expect(bench.get("/codes?to=ada@example.com&wait=60").fields["code"] == "394857")
    }

    @Test func `messages are listed newest first, and chosen`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("1", subject: "Your code")
        try bench.deliver("2", to: "grace@example.com", kind: "otp")
        try bench.deliver("3")

        #expect(try ids(bench.get("/outbox")) == [3, 2, 1])
        #expect(try ids(bench.get("/outbox?limit=2")) == [3, 2])
        #expect(try ids(bench.get("/outbox?after=1")) == [3, 2])
        #expect(try ids(bench.get("/outbox?to=GRACE@example.com")) == [2])
        #expect(try ids(bench.get("/outbox?kind=otp")) == [2])
        #expect(try ids(bench.get("/outbox?subject=your")) == [1])
        #expect(try ids(bench.get("/outbox?subject=%25")) == [])
    }

    @Test func `messages are searched, the newest is given whole, and those to one recipient are deleted`()
        throws
    {
        let bench = try ConsoleBench()
        try bench.deliver("111111", subject: "Grüße")
        try bench.deliver("222222", to: "grace@example.com", subject: "Other")
        try bench.deliver("333333", subject: "Third")

        #expect(try ids(bench.get("/outbox?q=gr%C3%9C%C3%9Fe")) == [1])
        #expect(try ids(bench.get("/outbox?q=222222")) == [2])
        #expect(try ids(bench.get("/outbox?q=example.com&limit=2")) == [3, 2])
        #expect(bench.get("/outbox/latest?to=GRACE@example.com").fields["code"] == "222222")
        #expect(
            bench.get("/outbox/latest?q=nothing").detail(404)
                == "The outbox of the world default has no message that fits.")
        #expect(bench.delete("/outbox?to=Ada@example.com").status == .noContent)
        #expect(try ids(bench.get("/outbox")) == [2])
        #expect(bench.delete("/outbox/latest").status == .noContent)
        #expect(
            bench.delete("/outbox/latest").detail(404) == "The outbox of the world default has no message.")
    }

    @Test func `a mail from outside says why a number is the code, when it is asked`() throws {
        let bench = try ConsoleBench()
        let raw = "Subject: Your order 55120934\r\n\r\nYour code is 482913. https://example.test/verify/1\r\n"
        let message = Message(
            kind: "passcode", from: .init("shop@example.com"), to: .init("ada@example.com"),
            subject: "Your order 55120934",
            text: "Your code is 482913. https://example.test/verify/1\n", code: "482913",
            source: Message.fromOutside)
        _ = try bench.world.receive([message], raw: Array(raw.utf8))

        let explained = bench.get("/outbox/1?explain=1").text
        #expect(
            explained.contains(#"“order” names it as another number"#)
                && explained.contains(#"“code” stands one word before it"#))
        #expect(explained.contains(#""goal":"verify""#) && explained.contains(#""parts":["text"]"#))
        #expect(
            !bench.get("/outbox/1").text.contains("explanation")
                && bench.get("/outbox/1").text.contains(#""codes":[{"#))
        #expect(bench.get("/outbox/1?explain=2").status == .badRequest)
        #expect(bench.get("/outbox/1/raw?explain=1").status == .badRequest)
    }

    @Test func `a text message of a back end is kept with its code, and refused where it says too little`()
        throws
    {
        let bench = try ConsoleBench()
        let made = bench.post("/outbox", #"{"to":"+14155550100","text":"Your code is 482913","from":"Shop"}"#)
        #expect(made.status == .created)
        #expect(made.text.contains(#""channel":"sms""#) && made.text.contains(#""source":"api""#))
        #expect(made.text.contains(#""codes":[{"code":"482913""#) && !made.text.contains("attachments"))
        #expect(bench.get("/codes?to=%2B14155550100").fields["code"] == "482913")
        #expect(bench.get("/outbox/latest?explain=1").text.contains(#""isCode":true"#))
        #expect(bench.world.journal.entries().contains { $0.event == "text message received" })

        for body in [
            #"{"text":"x"}"#, #"{"to":"+1"}"#, #"{"to":" +1","text":"x"}"#, #"{"to":"","text":"x"}"#,
            #"{"to":"+1","text":""}"#, #"{"to":"+1\u0007","text":"x"}"#,
            #"{"to":"+1","text":"x","html":"y"}"#,
            #"{"to":"+1","text":7}"#,
        ] {
            #expect(bench.post("/outbox", body).status == .badRequest, "\(body)")
        }
        let long = String(repeating: "x", count: 10_001)
        #expect(bench.post("/outbox", #"{"to":"+1","text":"\#(long)"}"#).status == .badRequest)
        #expect(try bench.world.outbox.messages(OutboxStore.Query()).count == 1)
    }

    /// What came by SMTP is looked into when one message is asked for.
    @Test func `attachments of a mail from outside are listed and saved, never shown`() throws {
        let bench = try ConsoleBench()
        let raw = [
            "Content-Type: multipart/mixed; boundary=b", "", "--b",
            "Content-Type: text/plain; charset=x-none", "", "Hi", "--b",
            "Content-Type: text/html",
            "Content-Disposition: attachment; filename*=utf-8''%C3%84%20%22b%22.html",
            "Content-Transfer-Encoding: base64", "", "PGI+", "--b--", "",
        ].joined(separator: "\r\n")
        let message = Message(
            kind: "", from: .init("shop@example.com"), to: .init("ada@example.com"), subject: "Hi",
            text: "Hi",
            source: Message.fromOutside)
        _ = try bench.world.receive([message], raw: Array(raw.utf8))

        let shown = bench.get("/outbox/1").text
        #expect(shown.contains(#"{"name":"Ä \"b\".html","number":1,"size":3,"type":"text/html"}"#))
        #expect(shown.contains("The charset “x-none” is not known"))
        #expect(!bench.get("/outbox").text.contains("attachments"))
        let attachment = bench.get("/outbox/1/attachments/1")
        #expect(attachment.text == "<b>")
        #expect(attachment.headers["Content-Type"] == "application/octet-stream")
        #expect(
            attachment.headers["Content-Disposition"] == "attachment; filename*=UTF-8''%C3%84%20%22b%22.html")
        #expect(attachment.headers["Content-Security-Policy"] == "default-src 'none'; sandbox")
        #expect(bench.get("/outbox/1/raw").text == raw)
        #expect(bench.get("/outbox/1/attachments/2").status == .notFound)
        #expect(bench.get("/outbox/1/attachments/0").status == .badRequest)
        #expect(bench.get("/outbox/2/attachments/1").status == .notFound)
        try bench.deliver("394857")
        #expect(bench.get("/outbox/2/attachments/1").status == .notFound)
    }

    @Test func `one message is shown, raw, as HTML, and deleted`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857", html: "<p>394857</p><script>alert(1)</script>")

        #expect(
            bench.get("/outbox/1").fields == [
                "id": "1", "channel": "mail", "kind": "passcode", "subject": "A code", "text": "Hello",
                "code": "394857", "sentAt": "2026-01-02T03:04:05.000Z",
                "expiresAt": "2026-01-02T03:09:05.000Z",
                "source": "acme", "html": "true",
            ])
        #expect(
            bench.get("/outbox/1").text.contains(
                "\"from\":{\"address\":\"acme@example.com\",\"name\":\"Acme\"}"))
        let raw = bench.get("/outbox/1/raw")
        #expect(raw.headers["Content-Type"] == "message/rfc822")
        #expect(raw.text.contains("To: ada@example.com\r\nSubject: A code\r\n"))
        let html = bench.get("/outbox/1/html")
        #expect(html.text == "<p>394857</p><script>alert(1)</script>")
        let policy = try #require(html.headers["Content-Security-Policy"])
        #expect(
            policy.hasPrefix(
                "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; sandbox allow-popups"))
        #expect(!policy.contains("allow-scripts") && !policy.contains("script-src"))
        #expect(html.headers["X-Content-Type-Options"] == "nosniff")

        #expect(bench.delete("/outbox/1").status == .noContent)
        for call in ["/outbox/1", "/outbox/1/raw", "/outbox/1/html"] {
            #expect(bench.get(call).detail(404) == "The outbox of the world default has no message 1.")
        }
        #expect(bench.delete("/outbox/1").status == .notFound)
    }

    @Test func `a message without HTML says so`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("1")
        #expect(bench.get("/outbox/1/html").detail(404) == "Message 1 has no HTML part.")
    }

    @Test(arguments: ["/outbox?wait=60", "/outbox/1?wait=60", "/outbox/1/raw?wait=60"])
    func `a message that is not there yet can be waited for`(_ call: String) throws {
        let bench = try ConsoleBench()
        DispatchQueue.global().async {
            while !bench.world.outbox.bell.isWatched {}
            try? bench.deliver("394857")
        }

        let response = bench.get(call)
        #expect(response.status == .ok)
        #expect(response.text.contains("ada@example.com"))
    }

    @Test func `all messages are deleted at once`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("1")
        try bench.deliver("2")

        #expect(bench.delete("/outbox").status == .noContent)
        #expect(bench.get("/outbox").text == "{\"messages\":[]}")
        try bench.deliver("3")
        #expect(try ids(bench.get("/outbox")) == [3], "ids are not used again")
    }

    @Test func `the outbox of a world is its own`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        try bench.deliver("1", in: try bench.worlds.world("blue"))

        #expect(bench.get("/outbox").text == "{\"messages\":[]}")
        #expect(try ids(bench.send(.get, "/w/blue/_understudy/v1/outbox")) == [1])
    }
}
