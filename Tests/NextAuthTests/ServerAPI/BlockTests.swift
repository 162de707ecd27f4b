import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct BlockTests {
    private func link(_ html: String) throws -> String {
        String(try #require(html.firstMatch(of: /class="nextauth-app"><a href="([^"]+)"/)).1)
    }

    @Test func `the login block shows the code and a link to the app`() throws {
        let api = try ServerAPI(isHeadless: true)
        let code = api.send(.get, "/sessions/qr/login", nonce: "n").bytes
        for method in [Request.Method.get, .post] {
            let answer = api.send(method, "/sessions/html/login", nonce: "n")
            #expect(answer.headers["Content-Type"] == "text/html; charset=utf-8")
            #expect(answer.text.contains("class=\"nextauth-block\""))
            #expect(answer.text.contains("<svg"))
            #expect(answer.text.contains("Log in with nextAuth"))
            #expect(!answer.text.contains("nextauth-push"))
            #expect(try link(answer.text) == "com.nextauth.client:" + Base64URL.encode(code))
        }
    }

    @Test func `an app of one's own has its name, its scheme and its places`() throws {
        let api = try ServerAPI(isHeadless: true)
        _ = try api.ask(
            .put, "/",
            [
                "appname": "A<b>", "appurl": "example.shop", "appios": "https://apps.example/1?a&b",
                "appandroid": "javascript:alert(1)",
            ])
        let html = api.send(.get, "/sessions/html/login").text
        #expect(html.contains("Logged in as ada"))
        let fresh = api.send(.get, "/sessions/html/login", nonce: "n").text
        #expect(fresh.contains("Log in with A&lt;b&gt;"))
        #expect(try link(fresh).hasPrefix("example.shop:"))
        #expect(fresh.contains("https://apps.example/1?a&amp;b"))
        #expect(!fresh.contains("javascript:"))
        _ = try api.ask(.put, "/", ["appurl": "JavaScript:alert(1);"])
        #expect(
            try link(api.send(.get, "/sessions/html/login", nonce: "n").text).hasPrefix(
                "com.nextauth.client:"))
    }

    @Test func `where a push is possible there is a button for it`() throws {
        let api = try ServerAPI(isHeadless: true)
        _ = try api.ask(.post, "/sessions/logout")
        let html = api.send(.get, "/sessions/html/login").text
        #expect(html.contains("class=\"nextauth-push\""))
        #expect(html.contains("<svg"))
    }

    @Test func `the enrolment block brings a new code each time`() throws {
        var api = try ServerAPI(isHeadless: true)
        let first = api.send(.get, "/sessions/html/enrol?name=new&userid=grace", nonce: "n").text
        let second = api.send(.get, "/sessions/html/enrol?userid=grace", nonce: "n").text
        #expect(try link(first) != link(second))
        #expect(api.send(.get, "/sessions/html/enrol", nonce: "n").status == .ok)

        let text = try link(first).dropFirst("com.nextauth.client:".count)
        let code = String(decoding: try #require(Base64URL.decode(text)), as: UTF8.self)
        let done = try api.device.enrol(code, headless: true)
        #expect(done.session?["username"] == "new")
        #expect(done.session?["userid"] == "grace")
    }

    @Test func `the footer watches the page's session and others`() throws {
        let api = try ServerAPI(isHeadless: true)
        _ = try api.ask(.put, "//servers/\(Cast.otherServerID)", ["wsurl": "wss://x.example/</script>"])
        let body: JSONValue = [
            "sessions": [["serverid": .string(Cast.otherServerID), "sessionid": "elsewhere"]]
        ]
        for method in [Request.Method.get, .post] {
            let html = api.send(method, "/sessions/html/footer", body: body).text
            let list = try #require(
                html.firstMatch(of: /application\/json" id="nextauth-sessions">(.*?)<\/script>/))
            let sessions = try JSONValue(parsing: Array(String(list.1).utf8))
            let other = try api.get("//servers/\(Cast.otherServerID)/sessions/", nonce: "elsewhere")
            #expect(
                sessions == [
                    [
                        "hsid": .string(try api.hsid(ServerAPI.nonce)), "server": "AAAAAAAAAAAAAAAAAAAAAQ",
                        "address": "ws://localhost:8420/nextauth/ws", "loggedin": true,
                    ],
                    [
                        "hsid": other["hsid"] ?? .null, "server": "AAAAAAAAAAAAAAAAAAAAAg",
                        "address": "wss://x.example/</script>", "loggedin": false,
                    ],
                ])
        }
        let weak = try api.key([.sessions], on: Cast.serverID)
        #expect(api.send(.get, "/sessions/html/footer", key: weak).status == .ok)
        #expect(api.send(.get, "/sessions/html/footer", body: body, key: weak).status == .forbidden)
        let many = JSONValue.array(Array(repeating: body["sessions"]?.array?.first ?? .null, count: 100))
        #expect(api.send(.get, "/sessions/html/footer", body: ["sessions": many]).status == .badRequest)
    }
}
