import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct AccessTests {
    private static let root = "/_understudy/v1"
    private static let token = "s3cr=t; ü"

    // MARK: other sites

    @Test(
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Origin": "http://localhost:3000"],
            ["Origin": "https://localhost:8420"], ["Origin": ""], ["Sec-Fetch-Site": "cross-site"],
            ["Sec-Fetch-Site": "same-site"], ["Sec-Fetch-Site": "anything"],
            ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document"],
            ["Origin": "http://localhost:8420", "Sec-Fetch-Site": "cross-site"],
        ] as [Headers])
    func `the control API refuses web pages of other sites`(_ headers: Headers) throws {
        let bench = try ConsoleBench()

        #expect(bench.get("/outbox", headers: headers).detail(403).contains("only pages of"))
        #expect(bench.get("/health", headers: headers).status == .forbidden)
        #expect(bench.get("/no/such/call", headers: headers).status == .forbidden)
        #expect(bench.post("/worlds", "{}", headers: headers).status == .forbidden)
        #expect(bench.worlds.names == ["default"])
    }

    @Test(
        arguments: [
            [:], ["Origin": "http://localhost:8420"], ["Origin": "HTTP://LOCALHOST:8420"],
            ["Sec-Fetch-Site": "same-origin", "Sec-Fetch-Mode": "cors"], ["Sec-Fetch-Site": "none"],
        ] as [Headers])
    func `the control API answers its own pages and what is no browser`(_ headers: Headers) throws {
        let bench = try ConsoleBench()
        #expect(bench.get("/outbox", headers: headers).status == .ok)
        #expect(bench.post("/worlds", "{}", headers: headers).status == .created)
    }

    @Test func `a page may be opened by a link from anywhere, in a tab of its own`() throws {
        let bench = try ConsoleBench()
        let link: Headers = [
            "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
        ]

        #expect(bench.send(.get, "/outbox", headers: link).status == .ok)
        for (name, value) in [("Sec-Fetch-Dest", "iframe"), ("Sec-Fetch-Mode", "no-cors")] {
            var headers = link
            headers[name] = value
            #expect(bench.send(.get, "/outbox", headers: headers).status == .forbidden, "\(name)")
        }
        #expect(
            bench.send(.get, "/_console/app.js", headers: ["Sec-Fetch-Site": "cross-site"]).status
                == .forbidden)
    }

    @Test func `no answer lets another origin read it`() throws {
        let bench = try ConsoleBench()
        for path in ["/", "/outbox", "/_understudy/v1/outbox", "/_console/app.js"] {
            let response = bench.send(.get, path, headers: ["Origin": "http://localhost:8420"])
            #expect(response.headers["Access-Control-Allow-Origin"] == nil)
            #expect(response.headers["Cross-Origin-Resource-Policy"] == "same-origin")
        }
        let preflight = bench.send(
            .options, "/_understudy/v1/worlds",
            headers: ["Origin": "http://localhost:8420", "Access-Control-Request-Method": "POST"])
        #expect(preflight.status == .methodNotAllowed)
    }

    // MARK: the token

    /// What says nothing of this server: files that are the same in each program of this version.
    private static let withoutToken: [String: Status] = [
        "/helpers": .ok, "/helpers/:name": .notFound, "/stubs": .ok, "/stubs/:name": .notFound,
        "/schema.json": .ok,
    ]

    @Test
    func
        `with a token, every call but the health checks, the files to take along, the certificate and the bin for callbacks asks for it`()
        throws
    {
        let bench = try ConsoleBench(token: Self.token)

        for call in Console.calls {
            let path = Self.root + call.path.replacing(":name", with: "default").replacing(":id", with: "1")
            let response = bench.send(
                call.method, path, body: "{}", headers: ["Content-Type": "application/json"])
            if ["/health", "/ready"].contains(call.path) {
                #expect(response.status == .ok)
            } else if call.path == "/callbacks" {
                #expect(response.status == .noContent)
            } else if let open = Self.withoutToken[call.path] {
                #expect(response.status == open, "\(call.path)")
            } else if call.path == "/ca/:file" {
                #expect(response.detail(404).contains("--tls auto"))
            } else {
                #expect(response.detail(401).hasPrefix("This call needs the control token"), "\(call.path)")
                #expect(response.headers["WWW-Authenticate"] == "Bearer realm=\"understudy\"")
            }
        }
        #expect(bench.send(.get, "/_understudy/v1/none").status == .unauthorized, "nor is told what there is")
        #expect(bench.worlds.names == ["default"])
    }

    @Test func `the token opens`() throws {
        let bench = try ConsoleBench(token: Self.token)

        for scheme in ["Bearer", "bearer"] {
            #expect(bench.get("/outbox", headers: ["Authorization": "\(scheme) \(Self.token)"]).status == .ok)
        }
    }

    @Test(
        arguments: [
            "Bearer ", "Bearer s3cr=t; u", "Bearer s3cr=t; ü ", "Bearer s3cr=t; üs3cr=t; ü",
            "Basic s3cr=t; ü", "s3cr=t; ü",
            "Bearer s3cr=t;",
        ])
    func `what is not quite the token does not open`(_ value: String) throws {
        let bench = try ConsoleBench(token: Self.token)
        #expect(bench.get("/outbox", headers: ["Authorization": value]).status == .unauthorized)
    }

    @Test func `a wrong token is told from a missing one`() throws {
        let response = try ConsoleBench(token: Self.token).get(
            "/outbox", headers: ["Authorization": "Bearer no"])
        #expect(
            response.detail(401)
                == "The token is not the one that the program was started with (--control-token).")
        #expect(
            response.headers["WWW-Authenticate"] == "Bearer realm=\"understudy\", error=\"invalid_token\"")
    }

    @Test func `a page that is opened with the token remembers it`() throws {
        let bench = try ConsoleBench(token: Self.token)

        let asked = bench.send(.get, "/outbox")
        #expect(asked.status == .unauthorized)
        #expect(asked.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(asked.text.contains("name=\"token\"") && !asked.text.contains("This is not the token"))

        let opened = bench.send(.get, "/outbox?q=ada&token=s3cr%3Dt%3B+%C3%BC&view=x")
        #expect(opened.status == .seeOther)
        #expect(opened.headers["Location"] == "/outbox?q=ada&view=x")
        let cookie = try #require(opened.headers["Set-Cookie"])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        // RFC 6265 §4.1.1: cookie-octet.
        #expect(cookie.wholeMatch(of: /understudy_control=[!#-+\--:<-\[\]-~]+; .*/) != nil, "\(cookie)")

        let brought: Headers = ["Cookie": "a=b; \(cookie.prefix { $0 != ";" })"]
        #expect(bench.send(.get, "/outbox", headers: brought).status == .ok)
        #expect(bench.get("/outbox", headers: brought).status == .ok)
        #expect(bench.get("/outbox", headers: ["Cookie": "understudy_control=s3cr"]).status == .unauthorized)
        #expect(bench.get("/outbox", headers: ["Cookie": "understudy_control="]).status == .unauthorized)
    }

    @Test func `a page that is opened with a wrong token says so`() throws {
        let response = try ConsoleBench(token: Self.token).send(.get, "/?token=no")
        #expect(response.status == .unauthorized)
        #expect(response.text.contains("This is not the token"))
        #expect(response.headers["Set-Cookie"] == nil)
    }

    @Test func `the way back from the token stays in its world, and in this program`() throws {
        let bench = try ConsoleBench(token: "t")
        _ = try bench.worlds.create(.init())
        let name = try #require(bench.worlds.names.first { $0 != "default" })

        #expect(bench.send(.get, "/w/\(name)/?token=t").headers["Location"] == "/w/\(name)/")
        #expect(bench.send(.get, "//evil.example/?token=t").headers["Location"] == nil)
    }

    @Test func `files of the pages need no token`() throws {
        let bench = try ConsoleBench(token: Self.token)
        #expect(bench.send(.get, "/_console/app.css").status == .ok)
    }

    @Test func `without a token none is asked for`() throws {
        let bench = try ConsoleBench()
        #expect(bench.get("/outbox", headers: ["Authorization": "Bearer anything"]).status == .ok)
        #expect(bench.send(.get, "/?token=x").status == .ok)
    }
}
