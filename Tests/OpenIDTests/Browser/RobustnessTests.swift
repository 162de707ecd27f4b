import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// Nothing that a browser sends breaks anything, or costs anybody else.
struct RobustnessTests {
    @Test(arguments: ["/authorize", "/login", "/consent", "/device_authorization/verification", "/logout"])
    func `odd queries and forms are answered in words`(path: String) throws {
        let bench = try Cast.bench()
        let odd = [
            "%", "%00", "a=%FF%FE&client_id=%C3%28", "client_id", "=", "&&&&",
            "client_id=web&redirect_uri=%0D%0Aevil",
            "interaction=" + String(repeating: "A", count: 9_000),
            "client_id=web&" + String(repeating: "x&", count: 20_000),
            "user_code=" + String(repeating: "%F0%9F%91%A9", count: 200),
            "state=" + String(repeating: "é", count: 5_000),
        ]
        for text in odd {
            for response in [
                bench.send(Request(.get, "/oauth" + path, query: text)),
                bench.send(.post, "/oauth" + path, body: Array(text.utf8)),
            ] {
                #expect((200..<500).contains(response.status.code))
                let isPage = response.headers["Content-Type"] == "text/html; charset=utf-8"
                #expect(isPage || response.headers["Location"]?.hasPrefix(Cast.callback + "?error=") == true)
                #expect(
                    response.headers.fields.allSatisfy {
                        !$0.value.contains("\n") && !$0.value.contains("\r")
                    })
            }
        }
        #expect(bench.reports.lines == [] && bench.misshapenExplanations == [])
    }

    @Test func `claims of great depth are refused`() throws {
        let bench = try Cast.bench()
        for claims in [String(repeating: "[", count: 8_000), String(repeating: #"{"a":"#, count: 1_600)] {
            #expect(
                Browser(bench).open(Cast.request(["claims": claims])).answer["error"] == "invalid_request")
        }
    }

    @Test func `fifty browsers at a time get a code and a session each`() async throws {
        let bench = try Cast.bench()
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<50 { group.addTask { Browser(bench).authorize().answer["code"] } }
            return await group.reduce(into: Set<String>()) { codes, code in if let code { codes.insert(code) }
            }
        }
        #expect(codes.count == 50)
        let sessions = try bench.world.database.read { db in try bench.server.sessions.all(of: "a-1", in: db)
        }
        #expect(Set(sessions.map(\.id)).count == 50)
    }

    @Test func `of many tabs with one pushed request one gets a code`() async throws {
        let bench = try Cast.bench()
        let uri = "urn:ietf:params:oauth:request_uri:race"
        try bench.world.database.write { db in
            try bench.server.pushedRequests.insert(
                PushedRequest(
                    digest: Digest.sha256(Array(uri.utf8)), clientID: "web",
                    parameters: String(Cast.request().dropFirst("/authorize?".count)),
                    expiresAt: bench.clock.now.addingTimeInterval(60)), in: db)
        }
        let browser = Browser(bench)
        _ = browser.authorize()
        let cookies = browser.cookies
        let codes = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    let tab = Browser(bench, cookies: cookies)
                    return tab.open("/authorize", ["client_id": "web", "request_uri": uri]).answer["code"]
                }
            }
            return await group.reduce(into: [String]()) { codes, code in if let code { codes.append(code) } }
        }
        #expect(codes.count == 1)
    }
}
