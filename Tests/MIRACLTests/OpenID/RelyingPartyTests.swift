import Essentials
import HTTP
import HTTPServer
import PlatformKit
import SampleApp
import Sockets
import TestKit
import Testing

@testable import MIRACL

/// The sample app's back end in front of this platform, over a socket: what the vendor's sample for iOS does.
@Suite struct RelyingPartyTests {
    private struct Door: Responder {
        let bench: TestBench<MIRACL>

        func respond(to request: Request) -> Response { bench.send(request) }
        func bodyLimit(_ method: Request.Method, _ path: String) -> Int? { nil }
    }

    private struct Scene {
        let platform: TestBench<MIRACL>
        let app: TestBench<SampleApp>

        /// What the app does when its first screen appears: where to sign in, and an access code from there.
        func begin() throws -> Browser {
            let url = try #require(app.send(.post, "/app/authzurl").fields["authorizeURL"])
            let port = try #require(url.firstMatch(of: /localhost:([0-9]+)/)).1
            return try Browser(
                platform, platform.send(.post, url.path, headers: ["Host": "localhost:\(port)"]))
        }

        func trade(_ code: String, as user: String = "ada@example.org") -> Response {
            app.post(
                "/app/authtoken", raw: "{\"code\": \"\(code)\", \"userID\": \"\(user)\"}",
                headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }
    }

    private func withScene(_ body: (Scene) throws -> Void) throws {
        let platform = try TestBench(
            MIRACL.self,
            fixtures: """
                { "miracl": { "projects": [ { "id": "blue", "name": "Blue", "force_activation": true,
                    "applications": [ { "client_id": "miracl-app", "client_secret": "miracl-secret",
                        "redirect_uris": ["http://localhost:8420/app/login"] } ] } ] } }
                """)
        let server = HTTPServer(limits: Limits(), responder: Door(bench: platform))
        defer { server.stop(grace: 0) }
        for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
            let fixtures: JSONValue = [
                "app": ["miracl_login": ["issuer": .string("http://localhost:\(port)/miracl")]]
            ]
            let app = try TestBench(SampleApp.self, fixtures: fixtures.text)
            try body(Scene(platform: platform, app: app))
        }
    }

    @Test func `an app signs its user in with one access code for registration and login`() throws {
        try withScene { scene in
            let browser = try scene.begin()
            let begun = try scene.platform.put(
                "/miracl/rps/v2/user", ["userId": "ada@example.org", "wid": browser.accessID])
            #expect(begun.status == .ok)
            let phone = try Phone(on: scene.platform)
            _ = try browser.tell("user", ["userId": "ada@example.org"])
            let done = try phone.authenticate(scope: ["authcode"], wid: browser.accessID)
            let code = try #require(done.members["code"]?.string)

            let traded = scene.trade(code)

            #expect(traded.status == .ok, "\(traded.text)")
            #expect(traded.members["id_token"]?.string != nil)
            #expect(scene.trade(code).status == .badRequest, "a code is good once")
        }
    }

    @Test func `a code of another user is 401 and spent`() throws {
        try withScene { scene in
            let (phone, browser) = (try Phone(on: scene.platform), try scene.begin())
            let done = try phone.authenticate(scope: ["authcode"], wid: browser.accessID)
            let code = try #require(done.members["code"]?.string)

            #expect(scene.trade(code, as: "eve@example.org").status == .unauthorized)
            #expect(scene.trade(code).status == .badRequest)
        }
    }

    @Test func `a browser signs in by scanning`() throws {
        try withScene { scene in
            let phone = try Phone(on: scene.platform)
            let sent = scene.app.send(.post, "/app/miracl/login")
            let cookie = try #require(sent.headers["Set-Cookie"]?.split(separator: ";").first)
            let url = try #require(sent.headers["Location"])
            let port = try #require(url.firstMatch(of: /localhost:([0-9]+)/)).1
            let page = scene.platform.get(url.path, headers: ["Host": "localhost:\(port)"])
            let accessID = try #require(
                page.text.firstMatch(of: /<code id="access-code">([0-9a-f]{32})</)
            ).1
            let webOTT = try #require(page.text.firstMatch(of: /data-ott="([0-9a-f]{32})"/)).1

            _ = try phone.signIn(String(accessID))
            let back = scene.platform.get("/miracl/authorize/wait/" + webOTT)
            let target = try #require(back.headers["Location"])
            let entered = scene.app.get(target.path, headers: ["Cookie": String(cookie)])

            #expect(entered.status == .seeOther, "\(entered.text)")
            let session = try #require(entered.headers["Set-Cookie"]?.split(separator: ";").first)
            let home = scene.app.get("/app/miracl", headers: ["Cookie": String(session)])
            #expect(home.text.contains("data-user=\"ada@example.org\""))
        }
    }
}
