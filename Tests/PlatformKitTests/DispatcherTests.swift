import HTTP
import PlatformKit
import TestKit
import Testing

@Suite struct DispatcherTests {
    @Test func `a platform keeps the promises of every platform`() throws {
        try checkConformance(of: Acme.self)
    }

    @Test func `a refusal is terse on the wire and explained in the journal`() throws {
        let bench = try TestBench(Acme.self)

        let response = bench.get("/acme/notes/nine")

        #expect(response.status == .notFound)
        #expect(response.text == "no such note")
        #expect(bench.explanation == "There is no note \"nine\".")
    }

    @Test func `a refusal says why in its answer when it is asked, and not otherwise`() throws {
        let bench = try TestBench(Acme.self)
        let field = "X-Understudy-Explanation"
        #expect(bench.get("/acme/notes/nine").headers[field] == nil)
        let asked: Headers = ["X-Understudy-Explain": "1"]
        #expect(bench.get("/acme/notes/nine", headers: asked).headers[field] == "There is no note \"nine\".")
        #expect(bench.get("/acme/where", headers: asked).headers[field] == nil, "nothing is refused")
        #expect(bench.get("/nowhere", headers: asked).headers[field]?.hasPrefix("Nothing answers at") == true)

        // Source: RFC 8187 §3.2.1; the euro sign and the pound sign are its examples in §3.2.3.
        let odd = bench.get("/acme/notes/%C2%A3%20and%20%E2%82%AC%20rates%0A%E2%80%A6", headers: asked)
        #expect(odd.headers[field] == "There is no note \"? and ? rates ...\".")
        #expect(
            odd.headers[field + "*"]
                == "UTF-8''There%20is%20no%20note%20%22%C2%A3%20and%20%E2%82%AC%20rates%20%E2%80%A6%22.")
    }

    @Test
    func `what has no place in a field is written in ASCII, and the whole of it can be read beside that`()
        throws
    {
        let bench = try TestBench(Acme.self)
        let asked: Headers = ["X-Understudy-Explain": "1"]
        let response = bench.get(
            "/acme/notes/RFC%206749%20%C2%A74.1%20%E2%86%92%20%C2%A7%205", headers: asked)
        #expect(
            response.headers["X-Understudy-Explanation"]
                == "There is no note \"RFC 6749 section 4.1 -> section 5\".")
        #expect(response.toldExplanation == "There is no note \"RFC 6749 §4.1 → § 5\".")
        #expect(bench.get("/acme/notes/nine", headers: asked).toldExplanation == "There is no note \"nine\".")
        #expect(bench.get("/acme/where").toldExplanation == nil)
    }

    @Test func `where a control token is asked for, the journal's sentence is for those who have it`() throws
    {
        let bench = try TestBench(Acme.self, controlToken: "open-sesame")
        func told(_ headers: Headers) -> String? {
            bench.get("/acme/notes/nine", headers: headers).toldExplanation
        }
        #expect(told(["X-Understudy-Explain": "1"]) == nil)
        #expect(told(["X-Understudy-Explain": "open-sesam"]) == nil)
        #expect(told(["X-Understudy-Explain": "open-sesame"]) != nil)
        #expect(
            bench.journal.first?.exchange?.requestHeaders["X-Understudy-Explain"] == "1",
            "the token is no one's to read")
        #expect(told(["X-Understudy-Explain": "1", "Authorization": "Bearer open-sesame"]) != nil)
        #expect(told(["X-Understudy-Explain": "1", "Cookie": "understudy_control=open-2d-sesame"]) == nil)
        #expect(told(["X-Understudy-Explain": "1", "Cookie": "understudy_control=open-45-sesame"]) != nil)

        let open = try TestBench(Acme.self, controlToken: "open-sesame") { $0.explains = true }
        #expect(open.get("/acme/notes/nine").toldExplanation != nil, "--explain is for everybody")
    }

    @Test func `the journal, which is handed on as a file, keeps no control token`() throws {
        let bench = try TestBench(Acme.self, controlToken: "open-sesame")
        _ = bench.get(
            "/acme/notes/nine",
            headers: [
                "Authorization": "Bearer open-sesame", "Accept": "open-sesame-seeds",
                "Cookie": "a=1; understudy_control=open-45-sesame; b=understudy_control",
            ])
        let kept = bench.journal.first?.exchange?.requestHeaders
        #expect(kept?["Authorization"] == "Bearer hidden")
        #expect(kept?["Cookie"] == "a=1; understudy_control=hidden; b=understudy_control")
        #expect(kept?["Accept"] == "open-sesame-seeds")
    }

    @Test func `which worlds there are is told to those alone who may ask for the list`() throws {
        let near = try TestBench(Acme.self)
        #expect(near.get("/w/blue/acme/where").text.contains("There is no world “blue”, only default."))
        let far = try TestBench(Acme.self, controlToken: "open-sesame")
        for headers in [[:], ["Authorization": "Bearer wrong"]] as [Headers] {
            let answer = far.get("/w/blue/acme/where", headers: headers)
            #expect(answer.status == .notFound)
            #expect(answer.text.contains("There is no world “blue”.") && !answer.text.contains("default"))
        }
        let known = far.get("/w/blue/acme/where", headers: ["Authorization": "Bearer open-sesame"])
        #expect(known.text.contains("only default."))
    }

    @Test(arguments: ["*", "%00", "local,host", "[]", "a..b"])
    func `what is no host name is refused as such`(_ host: String) throws {
        let refused = try TestBench(Acme.self).get("/acme/where", headers: ["Host": host])
        #expect(refused.status.code == 421)
        #expect(refused.text.contains("“\(host)” in the header Host is no host name"))
    }

    @Test func `an error that nobody mapped is our bug, in the platform's own shape`() throws {
        let bench = try TestBench(Acme.self)

        let response = bench.get("/acme/break?really=yes")

        #expect(response.status == .internalServerError)
        #expect(response.text == "broken")
        #expect(bench.journal.first?.isBug == true)
        #expect(bench.reports.lines.count == 1)
        #expect(bench.reports.lines.first?.contains("GET /acme/break") == true)
    }

    @Test func `a body that was not taken is refused in the platform's own shape, and in the journal`() throws
    {
        let bench = try TestBench(Acme.self)
        var request = Request(.post, "/acme/notes")
        request.fault = WireFault(.contentTooLarge, "the body is larger than the 5 bytes accepted here")

        let response = bench.send(request)

        #expect(response.status == .contentTooLarge && response.text == "what?")
        #expect(bench.explanation == "The body is larger than the 5 bytes accepted here.")
        #expect(bench.journal.allSatisfy { $0.kind == .request }, "nothing was done")
    }

    @Test func `an event carries the id of the request that caused it`() throws {
        let bench = try TestBench(Acme.self)

        let response = bench.send(.post, "/acme/notes", body: Array("hello".utf8))

        let id = try #require(response.headers["X-Request-Id"])
        #expect(bench.journal.map(\.correlation) == [id, id])
        #expect(bench.journal.map(\.kind) == [.request, .event])
        #expect(bench.journal.last?.explanation == "Somebody wrote a note of 5 characters.")
    }

    @Test func `a client's own request id is kept when it is harmless`() throws {
        let bench = try TestBench(Acme.self)
        #expect(
            bench.get("/acme/where", headers: ["X-Request-Id": "abc-1"]).headers["X-Request-Id"] == "abc-1")
        let replaced = bench.get("/acme/where", headers: ["X-Request-Id": "a b"]).headers["X-Request-Id"]
        #expect(replaced != "a b")
    }

    @Test(arguments: [
        ("/acme/world", "localhost:8420", "http://localhost:8420"),
        ("/w/blue/acme/world", "localhost:8420", "http://localhost:8420/w/blue"),
        ("/world", "acme.localhost:8420", "http://localhost:8420"),
        ("/world", "blue--acme.localhost", "http://localhost/w/blue"),
        ("/acme/world", "[::1]:9", "http://[::1]:9"),
    ])
    func `the world's URL leads to every platform by its path`(_ path: String, _ host: String, _ url: String)
        throws
    {
        let bench = try TestBench(Acme.self)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)

        #expect(bench.get(path, headers: ["Host": host]).text == url)
    }

    @Test(arguments: [
        ("/acme/where", "localhost:8420", "http://localhost:8420/acme"),
        ("/w/default/acme/where", "localhost:8420", "http://localhost:8420/w/default/acme"),
        ("/where", "acme.localhost:8420", "http://acme.localhost:8420"),
        ("/where", "default--acme.localhost", "http://default--acme.localhost"),
        ("/acme/where", "127.0.0.1:9", "http://127.0.0.1:9/acme"),
    ])
    func `the base URL is the one that the client used`(_ path: String, _ host: String, _ base: String) throws
    {
        let bench = try TestBench(Acme.self)
        #expect(bench.get(path, headers: ["Host": host]).text == base)
    }

    @Test func `a proxy on this machine may say how the client reached it, another may not`() throws {
        let bench = try TestBench(Acme.self)
        let forwarded: Headers = ["X-Forwarded-Proto": "https", "X-Forwarded-Host": "auth.test.localhost"]
        #expect(bench.get("/acme/where", headers: forwarded).text == "https://auth.test.localhost/acme")

        var request = Request(.get, "/acme/where", headers: forwarded)
        request.peer = Request.Peer(address: "192.0.2.7", isLoopback: false, isSecure: false)
        #expect(bench.send(request).text == "http://localhost:8420/acme")
    }

    @Test func `a foreign host name is refused first of all, and the journal says what to write`()
        throws
    {
        let bench = try TestBench(Acme.self)
        let response = bench.get("/acme/where", headers: ["Host": "evil.example"])
        #expect(response.status == .misdirectedRequest)
        #expect(response.text.contains("--allow-host evil.example"))
        let entry = try #require(bench.journal.first)
        #expect(bench.journal.count == 1)
        #expect(entry.exchange?.status == 421 && entry.exchange?.target == "/acme/where")
        #expect(entry.platform == nil && entry.correlation == response.headers["X-Request-Id"])
        #expect(entry.explanation?.contains("start with --allow-host evil.example, or call") == true)
        #expect(entry.explanation?.contains("alias: of the service in GitLab") == true)
        #expect(response.explanation == entry.explanation)
    }

    @Test func `a rebound web page cannot hide its host behind a proxy's header`() throws {
        let bench = try TestBench(Acme.self)
        let headers: Headers = ["Host": "evil.example:8420", "X-Forwarded-Host": "localhost:8420"]
        let response = bench.get("/acme/where", headers: headers)
        #expect(response.status == .misdirectedRequest)
        #expect(bench.journal.map(\.exchange?.status) == [421])
    }

    @Test(arguments: [
        "localhost:80@evil.example", "a\"><script>", "a/b?c", "a\tb", "[::1", "h\u{E9}", "localhost:0x",
        "localhost:99999",
    ])
    func `what a proxy says of the host is a host name or refused`(_ host: String) throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get("/acme/where", headers: ["X-Forwarded-Host": host])
        #expect(response.status == .badRequest)
        #expect(response.headers["Content-Type"] == "application/problem+json")
    }

    @Test(arguments: ["localhost.", "LOCALHOST.:8420", "[::ffff:127.0.0.1]:8420"])
    func `the root's dot and an address of either kind do not make a name foreign`(_ host: String) throws {
        let bench = try TestBench(Acme.self)
        #expect(bench.get("/acme/where", headers: ["Host": host]).text == "http://\(host)/acme")
    }

    // RFC 9110 §9.3.7.
    @Test func `OPTIONS of the whole server says what methods there are`() throws {
        let bench = try TestBench(Acme.self)
        let response = bench.send(.options, "/*")
        #expect(response.status == .noContent)
        #expect(response.headers["Allow"] == "DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT")
    }

    @Test func `an unknown world is a problem that names the worlds there are`() throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get("/w/nowhere/acme/where")
        #expect(response.status == .notFound)
        #expect(response.headers["Content-Type"] == "application/problem+json")
        #expect(response.fields["detail"] == "There is no world “nowhere”, only default.")
    }

    @Test func `a request to a world that is not there is an entry of the default one`() throws {
        let bench = try TestBench(Acme.self, controlToken: "open-sesame") { $0.explains = true }
        let response = bench.get("/w/defualt/acme/where")
        #expect(response.status == .notFound)
        let entry = try #require(bench.journal.first)
        #expect(bench.journal.count == 1 && entry.platform == nil)
        #expect(entry.exchange?.status == 404 && entry.exchange?.target == "/w/defualt/acme/where")
        #expect(entry.correlation == response.headers["X-Request-Id"])
        #expect(
            entry.explanation
                == "There is no world “defualt”, only default. Did you mean “default”?")
        #expect(response.explanation == entry.explanation, "for the log of the program")
        #expect(response.toldExplanation?.contains("only default") == false, "names are not for everybody")
        #expect(!response.text.contains("only default"))

        _ = bench.get("/acme/where", headers: ["Host": "blue--acme.localhost:8420"])
        #expect(bench.explanation?.hasPrefix("There is no world “blue”") == true)
    }

    @Test func `pages and calls of the console in a world that is not there are no entries, as in any world`()
        throws
    {
        let bench = try TestBench(Acme.self)
        for path in ["/_understudy/v1/outbox", "/_console/app.js"] {
            #expect(bench.get("/w/gone" + path).status == .notFound)
        }
        #expect(bench.journal.isEmpty)
    }

    @Test func `a path that belongs to nobody is explained and recorded`() throws {
        let bench = try TestBench(Acme.self)
        let response = bench.get("/akme/where")
        #expect(response.status == .notFound)
        #expect(
            response.fields["detail"]
                == "Nothing answers at /akme/where. Did you mean /acme/where? The platforms live under /acme."
        )
        #expect(bench.journal.first?.exchange?.target == "/akme/where")
    }

    @Test func `a wrong method gets the platform's 405`() throws {
        let bench = try TestBench(Acme.self)
        #expect(bench.delete("/acme/notes/1").status == .methodNotAllowed)
        #expect(bench.explanation == "The path /acme/notes/1 does not accept DELETE, only GET, HEAD.")
    }

    @Test func `a listed origin may read the answer, another may not`() throws {
        let bench = try TestBench(Acme.self)
        let listed = bench.get("/acme/where", headers: ["Origin": "http://page.example"])
        #expect(listed.headers["Access-Control-Allow-Origin"] == "http://page.example")
        #expect(listed.headers["Access-Control-Expose-Headers"] == "X-Acme")
        #expect(listed.headers["Vary"] == "Origin")

        let other = bench.get("/acme/where", headers: ["Origin": "http://other.example"])
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
        #expect(other.status == .ok)
    }

    @Test func `a preflight is answered for the platform`() throws {
        let bench = try TestBench(Acme.self)
        let headers: Headers = [
            "Origin": "http://page.example", "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "content-type,x-y",
        ]
        let response = bench.send(.options, "/acme/notes", headers: headers)
        #expect(response.status == .noContent)
        #expect(response.headers["Access-Control-Allow-Methods"] == "GET,HEAD,PUT,PATCH,POST,DELETE")
        #expect(response.headers["Access-Control-Allow-Headers"] == "content-type,x-y")
        #expect(response.headers["Access-Control-Max-Age"] == "7200")
    }
}
