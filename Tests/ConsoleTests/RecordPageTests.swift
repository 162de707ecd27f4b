import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct RecordPageTests {
    private static let hostile = "<img src=x onerror=alert(1)>\"'&{{main}}"

    private func bench(token: String? = nil, user: String = "ada") throws -> ConsoleBench {
        let bench = try ConsoleBench(token: token)
        try Acme(bench.world).hand("a", to: user)
        return bench
    }

    private func submit(
        _ bench: ConsoleBench, _ form: String, to path: String = "/devices/acme/a", headers: Headers = [:]
    ) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return bench.send(.post, path, body: form, headers: headers)
    }

    private func shown(_ bench: ConsoleBench, _ query: String = "") -> [String] {
        bench.send(.get, "/devices" + query).text
            .matches(of: /<li class="record" data-id="acme\/([^"]+)"/).map { String($0.output.1) }
    }

    // MARK: the list

    @Test func `the page lists what platforms keep, and offers to make it`() throws {
        let bench = try bench()
        let page = bench.send(.get, "/devices")

        #expect(page.status == .ok)
        #expect(page.text.contains("<title>People and devices · Understudy</title>"))
        #expect(page.text.contains("<a href=\"/devices\" aria-current=\"page\">People and devices</a>"))
        #expect(page.text.contains("<a class=\"subject\" href=\"/devices/acme/a\">Phone of ada</a>"))
        #expect(page.text.contains("<span class=\"outcome moved\">new</span>"))
        #expect(page.headers["Referrer-Policy"] == "same-origin")
        #expect(!page.text.contains("{{") && !page.text.contains("input.user"))
        let place = try #require(page.text.firstMatch(of: /<a href="(\/devices\?create=[^"]+)">Hand out a/))
        let form = bench.send(.get, String(place.output.1))
        #expect(form.text.contains("<input name=\"input.user\" value=\"\""))
        #expect(page.text.firstMatch(of: /<script>|<style|style=| on[a-z]+=/) == nil)
    }

    @Test func `the page is filtered, and says when nothing is there`() throws {
        let bench = try bench()
        try Acme(bench.world).hand("b", to: "grace")
        _ = submit(bench, "action=enrol&input.pin=1")

        #expect(shown(bench).sorted() == ["a", "b"])
        #expect(shown(bench, "?platform=&kind=&state=&user=").sorted() == ["a", "b"])
        #expect(shown(bench, "?state=ACTIVE") == ["a"])
        #expect(shown(bench, "?user=grace") == ["b"])
        #expect(shown(bench, "?kind=device&platform=acme").count == 2)
        #expect(shown(bench, "?kind=user") == [])
        let nobody = bench.send(.get, "/devices?user=nobody").text
        #expect(nobody.contains("id=\"records-nothing\">"))
        #expect(nobody.contains("id=\"records-empty\" hidden>"))
        #expect(try ConsoleBench().send(.get, "/devices").text.contains("id=\"records-empty\">"))
    }

    @Test func `a form makes a record and leads to its page`() throws {
        let bench = try ConsoleBench()
        let made = submit(bench, "platform=acme&kind=device&input.user=ada", to: "/devices")

        #expect(made.status == .seeOther)
        #expect(made.headers["Location"] == "/devices/acme/of-ada")
        let asked = submit(bench, "platform=acme&kind=otp", to: "/devices")
        #expect(asked.headers["Location"] == "/transactions/asked")
    }

    @Test(
        arguments: [
            (
                "platform=acme&kind=device&input.user=nobody", 409,
                "it was refused, because tests want a refusal"
            ),
            ("platform=acme&kind=device", 400, "The value “user” is missing."),
            ("platform=acme&kind=cat", 400, "No “cat” can be created here"),
            (
                "kind=device", 400,
                "The value of “platform” must be one of acme, but is “”."
            ),
        ])
    func `a refusal is told on the list`(_ form: String, _ status: Int, _ sentence: String) throws {
        let refused = submit(try ConsoleBench(), form, to: "/devices")
        #expect(refused.status.code == status)
        #expect(refused.text.contains("<p class=\"refusal\" role=\"alert\">\(sentence)"))
    }

    @Test func `what was typed into a form that is refused stays`() throws {
        let refused = submit(
            try ConsoleBench(), "platform=acme&kind=device&input.user=nobody", to: "/devices")
        #expect(refused.text.contains("<h2 id=\"maker-title\">Hand out a device"))
        #expect(refused.text.contains("<input name=\"input.user\" value=\"nobody\""))
    }

    // MARK: one record

    @Test func `the page of a record shows what is known of it and what can be done`() throws {
        let page = try bench().send(.get, "/devices/acme/a")

        #expect(page.status == .ok)
        #expect(page.text.contains("<title>Phone of ada · Understudy</title>"))
        #expect(page.text.contains("<code class=\"code\" data-copy>acme:a</code>"))
        #expect(page.text.contains("<div><dt>Note</dt><dd>none</dd></div>"))
        #expect(page.text.contains("<li class=\"event\"><b>NEW</b>"))
        #expect(page.text.contains("<form class=\"inputs\" action=\"/devices/acme/a\" method=\"post\""))
        #expect(
            page.text.contains(
                "<input name=\"input.pin\" value=\"1234\" autocomplete=\"off\" spellcheck=\"false\" required>"
            ))
        #expect(
            page.text.contains(
                "<select name=\"input.colour\"><option value=\"\">None</option><option value=\"red\">red</option>"
            ))
        #expect(
            page.text.contains("<button class=\"grave\" name=\"action\" value=\"remove\">Remove</button>"))
        #expect(page.headers["Referrer-Policy"] == "same-origin")
    }

    @Test func `a form does its action and leads back to the record`() throws {
        let bench = try bench()
        let done = submit(
            bench, "action=enrol&input.pin=1&input.colour=blue",
            headers: ["Origin": "http://localhost:8420", "Sec-Fetch-Site": "same-origin"])

        #expect(done.status == .seeOther && done.headers["Location"] == "/devices/acme/a")
        let page = bench.send(.get, "/devices/acme/a").text
        #expect(page.contains("<span class=\"outcome good\">active</span>"))
        #expect(page.contains("<dt>Note</dt><dd>blue</dd>") && !page.contains("<svg"))
        _ = submit(bench, "action=block&input.note=one%0D%0Atwo")
        #expect(bench.send(.get, "/devices/acme/a").text.contains("<dt>Note</dt><dd>one\ntwo</dd>"))
    }

    @Test func `what cannot be undone is asked back`() throws {
        let bench = try bench()

        let asked = submit(bench, "action=remove&input.odd=%3Ci%3E")
        #expect(asked.status == .ok && asked.text.contains("<h1>Remove: are you sure?</h1>"))
        #expect(asked.text.contains("<input type=\"hidden\" name=\"input.odd\" value=\"&lt;i&gt;\">"))
        #expect(asked.headers["Referrer-Policy"] == "same-origin")
        #expect(shown(bench) == ["a"])
        let done = submit(bench, "action=remove&sure=yes")
        #expect(done.status == .seeOther && done.headers["Location"] == "/devices")
        #expect(shown(bench) == [])
    }

    @Test(
        arguments: [
            ("action=refuse", 409, "it was refused, because tests want a refusal"),
            ("action=enrol&input.pin=0000", 409, "Nobody takes 0000."),
            ("action=enrol", 400, "The value “pin” is missing."),
            ("", 400, "There is no action “”"),
        ])
    func `a refusal is told on the page`(_ form: String, _ status: Int, _ sentence: String) throws {
        let refused = submit(try bench(), form)
        #expect(refused.status.code == status)
        #expect(refused.text.contains("<p class=\"refusal\" role=\"alert\">\(sentence)"))
    }

    @Test func `what is typed stays when it is refused`() throws {
        let refused = submit(try bench(), "action=enrol&input.pin=0000&input.colour=blue").text
        #expect(refused.contains("<input name=\"input.pin\" value=\"0000\""))
        #expect(refused.contains("<option value=\"blue\" selected>"))
    }

    @Test func `what is not there is told by a page`() throws {
        let bench = try bench()
        for path in ["/devices/acme/none", "/devices/none/a"] {
            #expect(bench.send(.get, path).text.contains("<h1>Not found</h1>"))
            let posted = submit(bench, "action=enrol&input.pin=1", to: path)
            #expect(posted.status == .notFound && posted.text.contains("<h1>Not found</h1>"))
        }
    }

    // MARK: safe

    @Test(
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
        ] as [Headers])
    func `a form of another site changes nothing`(_ headers: Headers) throws {
        let bench = try bench()
        let make = "platform=acme&kind=device&input.user=eve"
        #expect(submit(bench, "action=remove&sure=yes", headers: headers).status == .forbidden)
        #expect(submit(bench, make, to: "/devices", headers: headers).status == .forbidden)
        #expect(shown(bench) == ["a"])
    }

    @Test func `without the token, nothing is shown or changed`() throws {
        let bench = try bench(token: "secret-token")

        #expect(submit(bench, "action=remove&sure=yes").status == .unauthorized)
        for path in ["/devices", "/devices/acme/a"] {
            #expect(!bench.send(.get, path).text.contains("Phone of ada"))
        }
        let cookie: Headers = ["Cookie": "understudy_control=secret-45-token"]
        #expect(bench.send(.get, "/devices", headers: cookie).text.contains("Phone of ada"))
        #expect(
            submit(bench, "action=enrol&input.pin=1", headers: cookie).status == .seeOther)
    }

    @Test func `nothing that a client says becomes markup`() throws {
        let hostile = Self.hostile
        let bench = try bench(user: hostile)
        try Acme(bench.world).hand(hostile, to: hostile)
        let typed = "input.pin=0000&input.colour=" + hostile.percentEncoded
        let pages = [
            bench.send(.get, "/devices"), bench.send(.get, "/devices/acme/a"),
            bench.send(.get, "/devices/acme/" + hostile.percentEncoded),
            bench.send(.get, "/devices?state=\(hostile.percentEncoded)&user=\(hostile.percentEncoded)"),
            submit(bench, "action=" + hostile.percentEncoded), submit(bench, "action=enrol&" + typed),
            submit(bench, "action=remove&" + typed),
            submit(bench, "platform=acme&kind=\(hostile.percentEncoded)", to: "/devices"),
            submit(bench, "platform=acme&kind=device&input.x=\(hostile.percentEncoded)", to: "/devices"),
        ]
        for (index, page) in pages.enumerated() {
            #expect(!page.text.contains("<img src=x"), "\(index)")
            #expect(page.text.matches(of: /<main/).count == 1, "\(index)")
        }
        #expect(bench.send(.get, "/devices/acme/" + hostile.percentEncoded).status == .ok)
    }
}
