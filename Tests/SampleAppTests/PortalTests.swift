import Essentials
import HTTP
import PlatformKit
import SampleApp
import TestKit
import Testing

/// The portal's checks, each broken alone.
@Suite struct PortalTests {
    /// A browser in front of the portal, and the token server behind it.
    struct Scene {
        let bench: TestBench<SampleApp>
        let server: StubTokenServer
        /// Path of the login's page, and the cookie that came with it.
        var page = ""
        var cookie = ""

        init(_ server: StubTokenServer, url: String) throws {
            self.server = server
            bench = try TestBench(
                SampleApp.self,
                fixtures: """
                    {"app": {"portal": {"token_server": "\(url)", "client_id": "portal api", "client_secret": "s:cret",
                        "callback_username": "token-server", "callback_password": "pass"}}}
                    """)
        }

        mutating func begin() throws {
            let begun = bench.send(.post, "/app/portal/login")
            #expect(begun.status == .seeOther)
            page = try #require(begun.headers["Location"])
            cookie = try #require(begun.headers["Set-Cookie"]?.split(separator: ";").first.map(String.init))
        }

        func look(_ cookie: String? = nil) -> Response {
            bench.get(page, headers: ["Cookie": cookie ?? self.cookie])
        }

        func callBack(
            _ id: String = StubTokenServer.transactionID, as credentials: String? = "token-server:pass"
        ) -> Response {
            var headers: Headers = ["Content-Type": "application/json"]
            headers["Authorization"] = credentials.map { "Basic " + Data($0.utf8).base64EncodedString() }
            return bench.send(
                .post, "/app/portal/callback",
                body: Array("{\"callback_uri\":\"http://x\",\"transaction_id\":\"\(id)\"}".utf8),
                headers: headers)
        }
    }

    /// A login that began, with everything in order so far.
    private func withLogin(_ body: (inout Scene) throws -> Void) throws {
        let server = StubTokenServer()
        try server.run { url in
            var scene = try Scene(server, url: url)
            try scene.begin()
            try body(&scene)
            #expect(scene.bench.reports.lines == [])
            #expect(scene.bench.misshapenExplanations == [])
        }
    }

    @Test func `the app keeps the promises of every platform`() throws {
        // Nobody listens there: a server that happens to run at the default address is left alone.
        try checkConformance(
            of: SampleApp.self,
            fixtures: "{\"app\": {\"portal\": {\"token_server\": \"http://127.0.0.1:1/oauth\"}}}")
    }

    @Test func `an OTP that no QR code holds is the token server's fault, and is told`() throws {
        let server = StubTokenServer()
        server.start(
            """
            {"transaction_id": "t", "auth_method": "otp", "time_to_live": 300000, "otp": "\(String(repeating: "A", count: 3000))"}
            """)
        try server.run { url in
            var scene = try Scene(server, url: url)
            try scene.begin()

            #expect(scene.look().status == .badGateway)
            #expect(scene.bench.explanation?.contains("holds at most 2331 bytes") == true)
            #expect(scene.bench.reports.lines == [])
        }
    }

    @Test func `a scanned code that the user approves logs the browser in, once`() throws {
        try withLogin { scene in
            let waiting = scene.look()
            #expect(waiting.status == .ok)
            #expect(waiting.text.contains("data-otp=\"\(StubTokenServer.otp)\""))
            #expect(waiting.text.contains("<svg"))

            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)
            let entered = scene.look()
            #expect(entered.status == .seeOther)
            #expect(entered.headers["Location"] == "/app/portal")
            let session = try #require(entered.headers["Set-Cookie"]?.split(separator: ";").first)
            let home = scene.bench.get("/app/portal", headers: ["Cookie": String(session)])

            #expect(home.text.contains("data-user=\"ada\""))
            #expect(scene.look().text.contains("used already"))
        }
    }

    @Test func `the start names type, message and callback, with the credentials of RFC 6749`() throws {
        try withLogin { scene in
            let start = try #require(scene.server.requests.first)

            #expect(start.path == "/oauth/api/v4/authenticate/user")
            #expect(start.form["type"] == "qr-code")
            #expect(start.form["message"] == "Log in to the portal")
            #expect(start.form["callback_uri"] == "http://localhost:8420/app/portal/callback")
            #expect(start.form["user_id"] == nil)
            // RFC 6749 §2.3.1: both parts form-encoded before they are joined by a colon.
            let expected = "Basic " + Data("portal%20api:s%3Acret".utf8).base64EncodedString()
            #expect(start.headers["Authorization"] == expected)
        }
    }

    @Test(arguments: [nil, "token-server:wrong", "somebody:pass", "token-server"])
    func `a callback without the right credentials is refused and changes nothing`(_ credentials: String?)
        throws
    {
        try withLogin { scene in
            scene.server.approve("mallory")

            let refused = scene.callBack(as: credentials)

            #expect(refused.status == .unauthorized)
            #expect(refused.headers["WWW-Authenticate"] == "Basic realm=\"portal callback\"")
            #expect(scene.look().text.contains("Scan this code"))
        }
    }

    @Test func `a callback about somebody else's transaction is refused`() throws {
        try withLogin { scene in
            #expect(scene.callBack("00000000-0000-4000-8000-000000000000").status == .notFound)
            #expect(scene.server.requests.count == 1)
        }
    }

    @Test func `a callback is not believed: without a result no user is logged in`() throws {
        try withLogin { scene in
            scene.server.result(
                "{\"transaction_id\": \"\(StubTokenServer.transactionID)\", \"is_authenticated\": false}")

            #expect(scene.callBack().status == .conflict)
            #expect(scene.look().text.contains("Scan this code"))
        }
    }

    @Test func `an authentication of nobody logs nobody in`() throws {
        try withLogin { scene in
            scene.server.result(
                "{\"transaction_id\": \"\(StubTokenServer.transactionID)\", \"is_authenticated\": true}")

            #expect(scene.callBack().status == .conflict)
            #expect(scene.look().text.contains("Scan this code"))
        }
    }

    @Test func `the result of another transaction logs nobody in`() throws {
        try withLogin { scene in
            scene.server.result(
                "{\"transaction_id\": \"other\", \"is_authenticated\": true, \"user_id\": \"ada\"}")

            #expect(scene.callBack().status == .badGateway)
            #expect(scene.look().text.contains("Scan this code"))
        }
    }

    @Test func `a user who says no is told so, and may try again`() throws {
        try withLogin { scene in
            scene.server.deny()

            #expect(scene.callBack().status == .noContent)
            let told = scene.look()
            #expect(told.text.contains("User rejected push"))
            #expect(told.text.contains("Try again"))
        }
    }

    @Test func `the first result counts when the callback comes twice`() throws {
        try withLogin { scene in
            scene.server.deny()
            #expect(scene.callBack().status == .noContent)
            scene.server.approve("mallory")

            #expect(scene.callBack().status == .noContent)
            #expect(scene.look().text.contains("Not logged in"))
        }
    }

    @Test(arguments: ["", "portal_login=0000000000000000"])
    func `another browser cannot take up an approved login`(_ cookie: String) throws {
        try withLogin { scene in
            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)

            #expect(scene.look(cookie).status == .notFound)
            #expect(scene.look().status == .seeOther)
        }
    }

    @Test func `an approval that no browser comes for within a minute is over`() throws {
        try withLogin { scene in
            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)
            scene.bench.time.advance(seconds: 61)

            #expect(scene.look().text.contains("This login has expired"))
        }
    }

    @Test func `a code is over when the token server's time to live is`() throws {
        try withLogin { scene in
            scene.bench.time.advance(seconds: 299)
            #expect(scene.look().text.contains("Scan this code"))
            scene.bench.time.advance(seconds: 1)
            #expect(scene.look().text.contains("This login has expired"))
        }
    }

    @Test func `the session's secret is neither the login's nor in any address`() throws {
        try withLogin { scene in
            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)
            let session = try #require(scene.look().headers["Set-Cookie"])

            #expect(session.hasPrefix("portal_session="))
            #expect(!session.contains(scene.cookie.split(separator: "=")[1]))
            #expect(session.contains("HttpOnly") && session.contains("SameSite=Lax"))
        }
    }

    @Test func `a logged out session is good for nothing`() throws {
        try withLogin { scene in
            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)
            let cookie = try #require(scene.look().headers["Set-Cookie"]?.split(separator: ";").first)
            let headers: Headers = ["Cookie": String(cookie)]

            #expect(scene.bench.send(.post, "/app/portal/logout", headers: headers).status == .seeOther)
            #expect(scene.bench.get("/app/portal", headers: headers).text.contains("You are not logged in"))
        }
    }

    @Test func `a session ends with its time`() throws {
        try withLogin { scene in
            scene.server.approve("ada")
            #expect(scene.callBack().status == .noContent)
            let cookie = try #require(scene.look().headers["Set-Cookie"]?.split(separator: ";").first)
            scene.bench.time.advance(seconds: 3601)

            let home = scene.bench.get("/app/portal", headers: ["Cookie": String(cookie)])
            #expect(home.text.contains("You are not logged in"))
        }
    }

    @Test func `the code can be brought to a phone of the console`() throws {
        try withLogin { scene in
            let text = scene.look().text
            let otp = try #require(text.firstMatch(of: /data-otp="([^"]*)"/)).output.1
            #expect(
                text.contains("<a href=\"http://localhost:8420/phones?scan=\(String(otp).percentEncoded)\""))
        }
    }

    @Test(arguments: ["/app/portal/login", "/app/portal/logout"])
    func `a form of another site is refused`(_ path: String) throws {
        try withLogin { scene in
            let count = scene.server.requests.count
            let foreign = scene.bench.send(.post, path, headers: ["Origin": "https://evil.example"])
            let unnamed = scene.bench.send(.post, path, headers: ["Sec-Fetch-Site": "cross-site"])

            #expect(foreign.status == .forbidden && unnamed.status == .forbidden)
            #expect(scene.server.requests.count == count)
        }
    }

    @Test
    func `a token server that refuses or says nonsense is the portal's 502, with its words in the journal`()
        throws
    {
        try withLogin { scene in
            scene.server.start("{\"error\":\"invalid_client\"}", status: .unauthorized)
            #expect(scene.bench.send(.post, "/app/portal/login").status == .badGateway)
            #expect(scene.bench.explanation?.contains("401: {\"error\":\"invalid_client\"}") == true)

            scene.server.start("nonsense")
            #expect(scene.bench.send(.post, "/app/portal/login").status == .badGateway)
        }
    }

    @Test func `a token server that is not there is the portal's 502`() throws {
        let bench = try TestBench(
            SampleApp.self,
            fixtures: "{\"app\": {\"portal\": {\"token_server\": \"http://127.0.0.1:1/oauth\"}}}")

        #expect(bench.send(.post, "/app/portal/login").status == .badGateway)
        #expect(bench.explanation?.contains("127.0.0.1:1") == true)
    }

    @Test func `an export brings logins and sessions back`() throws {
        try withLogin { scene in
            let exported = try scene.bench.worlds.export(scene.bench.world)
            #expect(String(decoding: exported, as: UTF8.self).contains(StubTokenServer.transactionID))
            try scene.bench.worlds.load(.init(text: exported, file: "export"), into: scene.bench.world)
            #expect(try scene.bench.worlds.export(scene.bench.world) == exported)
        }
    }
}
