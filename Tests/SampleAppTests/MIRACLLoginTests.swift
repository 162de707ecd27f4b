import Crypto
import Essentials
import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

/// The relying party of MIRACL, each of its checks broken alone.
@Suite struct MIRACLLoginTests {
    struct Scene {
        let bench: TestBench<SampleApp>
        let provider: StubProvider
        let issuer: String

        /// A login as an app begins it: what the authorize URL says, and the cookie beside it.
        func begin() throws -> (query: Form, cookie: String) {
            let begun = bench.send(.post, "/app/authzurl")
            try #require(begun.status == .ok, "\(begun.text)")
            let url = try #require(begun.fields["authorizeURL"])
            #expect(url.hasPrefix(issuer + "/authorize?"))
            let query = try #require(url.split(separator: "?", maxSplits: 1).last)
            let cookie = try #require(begun.headers["Set-Cookie"]?.split(separator: ";").first)
            let form = Form(String(query))
            provider.change { $0.claims["nonce"] = form["nonce"].map(JSONValue.string) }
            return (form, String(cookie))
        }

        /// What the sample app sends: JSON, labelled as a form.
        func trade(_ body: String = "{\"code\": \"c\", \"userID\": \"\(StubProvider.user)\"}") -> Response {
            bench.post(
                "/app/authtoken", raw: body, headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }

        func comeBack(_ query: String, _ cookie: String?) -> Response {
            var headers: Headers = [:]
            headers["Cookie"] = cookie
            return bench.get("/app/login?" + query, headers: headers)
        }
    }

    private func withScene(_ body: (Scene) throws -> Void) throws {
        let time = ManualTime()
        let provider = try StubProvider(now: { time.now })
        try provider.run { issuer in
            let settings: JSONValue = [
                "issuer": .string(issuer), "client_id": .string(StubProvider.clientID),
                "client_secret": "s:cret",
            ]
            let fixtures: JSONValue = ["app": ["miracl_login": settings]]
            let bench = try TestBench(SampleApp.self, fixtures: fixtures.text)
            try body(Scene(bench: bench, provider: provider, issuer: issuer))
            #expect(bench.reports.lines == [])
            #expect(bench.misshapenExplanations == [])
        }
    }

    private func expect(_ response: Response, _ status: Status, _ text: String, _ scene: Scene, _ why: String)
    {
        #expect(response.status == status)
        #expect(response.text == text + "\n")
        #expect(scene.bench.explanation?.contains(why) == true, "\(scene.bench.explanation ?? "nothing")")
    }

    @Test func `an app is told where its user signs in, each time with another state and nonce`() throws {
        try withScene { scene in
            let (first, second) = (try scene.begin().query, try scene.begin().query)

            #expect(first["client_id"] == StubProvider.clientID)
            #expect(first["redirect_uri"] == "http://localhost:8420/app/login")
            #expect(first["response_type"] == "code")
            #expect(first["scope"] == "openid email")
            #expect(first["state"] != second["state"])
            #expect(first["nonce"] != second["nonce"])
            #expect(first["nonce"]?.utf8.count == 64)
        }
    }

    @Test func `an app's code is traded with the credentials of RFC 6749`() throws {
        try withScene { scene in
            _ = try scene.begin()

            let traded = scene.trade()

            #expect(traded.status == .ok)
            #expect(traded.fields["access_token"] == "at")
            let request = try #require(scene.provider.requests.first { $0.path == "/miracl/oidc/token" })
            #expect(request.form["grant_type"] == "authorization_code")
            #expect(request.form["code"] == "c")
            #expect(request.form["redirect_uri"] == "http://localhost:8420/app/login")
            let expected = "Basic " + Base64.encode(Array("shop%20client:s%3Acret".utf8))
            #expect(request.headers["Authorization"] == expected)
        }
    }

    @Test func `a code of another user is refused, and its login is spent`() throws {
        try withScene { scene in
            _ = try scene.begin()

            let wrong = scene.trade(#"{"code": "c", "userID": "eve@example.org"}"#)

            expect(wrong, .unauthorized, "The code is not of this user.", scene, "The code is of ada@")
            expect(scene.trade(), .badRequest, "This login was used already.", scene, "has already come back")
        }
    }

    @Test func `the user may be named by the mail address`() throws {
        try withScene { scene in
            _ = try scene.begin()
            scene.provider.change { $0.claims["email"] = "mail@example.org" }

            #expect(scene.trade(#"{"code": "c", "userID": "mail@example.org"}"#).status == .ok)
        }
    }

    @Test(arguments: [
        ("no JSON", "The request cannot be read."), (#"{"userID": "a"}"#, "The request has no code."),
        (#"{"code": "c"}"#, "The request has no userID."),
        (#"{"code": "", "userID": "a"}"#, "The request has no code."),
        (#"{"code": 5, "userID": "a"}"#, "The request has no code."),
    ])
    func `a request that is none is refused before anybody is asked`(_ body: String, _ text: String) throws {
        try withScene { scene in
            let refused = scene.trade(body)

            #expect(refused.status == .badRequest)
            #expect(refused.text == text + "\n")
            #expect(scene.provider.requests.isEmpty)
        }
    }

    @Test(arguments: [Status.badRequest, .unauthorized])
    func `a code that the token endpoint refuses is 400`(_ status: Status) throws {
        try withScene { scene in
            _ = try scene.begin()
            scene.provider.change { $0.tokenStatus = status }

            expect(
                scene.trade(), .badRequest, "The code is not good.", scene,
                "The token endpoint refused the code: \(status.code) {\"error\":\"invalid_grant\"}.")
        }
    }

    @Test(arguments: [
        ("iss", JSONValue.string("https://evil.example"), "of the issuer https://evil.example"),
        ("aud", "other", "is for other"),
        ("aud", .array(["shop client", "other"]), "is for shop client, other"),
        ("exp", 1, "expired"), ("exp", .null, "the payload is malformed"),
        ("nonce", "guess", "does not belong to a login"),
    ])
    func `an ID token that is not for us is refused`(
        _ claim: String, _ value: JSONValue, _ why: String
    ) throws {
        try withScene { scene in
            _ = try scene.begin()
            scene.provider.change { $0.claims[claim] = value }

            expect(scene.trade(), .unauthorized, "The token is not right.", scene, why)
        }
    }

    @Test func `several audiences are fine when we are the authorized party`() throws {
        try withScene { scene in
            _ = try scene.begin()
            scene.provider.change {
                $0.claims["aud"] = ["shop client", "other"]
                $0.claims["azp"] = "shop client"
            }

            #expect(scene.trade().status == .ok)
        }
    }

    @Test func `an ID token with a wrong signature is refused`() throws {
        try withScene { scene in
            _ = try scene.begin()
            scene.provider.change { $0.isSignatureRight = false }

            expect(
                scene.trade(), .unauthorized, "The token is not right.", scene, "the signature is wrong")
        }
    }

    @Test func `metadata of another issuer is not believed`() throws {
        try withScene { scene in
            scene.provider.change { $0.issuer = "https://evil.example" }

            let refused = scene.bench.send(.post, "/app/authzurl")

            expect(
                refused, .badGateway, "MIRACL could not be used. Try again in a moment.", scene,
                "is of the issuer https://evil.example")
        }
    }

    @Test func `a provider that does not answer is told`() throws {
        let bench = try TestBench(
            SampleApp.self, fixtures: #"{"app": {"miracl_login": {"issuer": "http://127.0.0.1:1/miracl"}}}"#)

        #expect(bench.send(.post, "/app/authzurl").status == .badGateway)
        #expect(bench.explanation?.contains("MIRACL did not answer") == true)
        let page = bench.send(.post, "/app/miracl/login")
        #expect(page.status == .badGateway)
        #expect(page.text.contains("<h1>Sorry</h1>"))
    }

    @Test func `a browser that comes back is signed in, once`() throws {
        try withScene { scene in
            let (query, cookie) = try scene.begin()
            let state = try #require(query["state"])

            let entered = scene.comeBack("code=c&state=" + state, cookie)

            #expect(entered.status == .seeOther)
            #expect(entered.headers["Location"] == "/app/miracl")
            let session = try #require(entered.headers["Set-Cookie"]?.split(separator: ";").first)
            let home = scene.bench.get("/app/miracl", headers: ["Cookie": String(session)])
            #expect(home.text.contains("data-user=\"ada@example.org\""))
            let again = scene.comeBack("code=c&state=" + state, cookie)
            #expect(again.status == .badRequest)
            #expect(again.text.contains("This login was used already."))
            let out = scene.bench.send(.post, "/app/miracl/logout", headers: ["Cookie": String(session)])
            #expect(out.status == .seeOther)
            #expect(
                scene.bench.get("/app/miracl", headers: ["Cookie": String(session)]).text.contains(
                    "Nobody is signed in"))
        }
    }

    @Test func `a login comes back in its own browser, with its own nonce, and only if it began`() throws {
        try withScene { scene in
            let (query, cookie) = try scene.begin()
            let back = "code=c&state=" + (query["state"] ?? "")

            for (query, cookie) in [(back, nil), (back, "miracl_login=other"), ("code=c&state=x", cookie)] {
                let refused = scene.comeBack(query, cookie)
                #expect(refused.status == .badRequest)
                #expect(refused.text.contains("There is no such login in this browser."))
            }
            scene.provider.change { $0.claims["nonce"] = "guess" }
            let replayed = scene.comeBack(back, cookie)
            #expect(replayed.status == .unauthorized)
            #expect(scene.bench.explanation == "The nonce of the ID token is not that of the login.")
            #expect(replayed.headers["Set-Cookie"] == nil)
        }
    }

    @Test func `a login that was denied is told as a page`() throws {
        try withScene { scene in
            let (query, cookie) = try scene.begin()

            let page = scene.comeBack("error=access_denied&state=" + (query["state"] ?? ""), cookie)

            #expect(page.status == .badRequest)
            #expect(page.text.contains("Nobody was signed in."))
            #expect(scene.bench.explanation?.contains("access_denied") == true)
        }
    }

    @Test func `the button of the page leads to the provider, and forms of other sites do not`() throws {
        try withScene { scene in
            #expect(scene.bench.get("/app/miracl").text.contains("action=\"/app/miracl/login\""))
            let sent = scene.bench.send(.post, "/app/miracl/login")
            #expect(sent.status == .seeOther)
            #expect(sent.headers["Location"]?.hasPrefix(scene.issuer + "/authorize?") == true)
            #expect(sent.headers["Set-Cookie"]?.hasPrefix("miracl_login=") == true)
            let foreign = scene.bench.send(
                .post, "/app/miracl/login", headers: ["Origin": "https://evil.example"])
            #expect(foreign.status == .forbidden)
        }
    }

    @Test func `the mobile login of another guide lives beside it`() throws {
        try withScene { scene in
            let bare = scene.bench.get("/app/login")
            #expect(bare.status == .seeOther)
            #expect(bare.headers["Location"] == "/app/miracl")
            #expect(scene.bench.send(.post, "/app/login").fields == ["error": "authentication_required"])
        }
    }

    @Test func `settings that make no sense are refused`() {
        for settings in [
            #"{"issuer": "ftp://a"}"#, #"{"issuer": "https://a/"}"#, #"{"session_seconds": 0}"#,
        ] {
            #expect(throws: (any Error).self) {
                try TestBench(SampleApp.self, fixtures: "{\"app\": {\"miracl_login\": \(settings)}}")
            }
        }
    }
}
