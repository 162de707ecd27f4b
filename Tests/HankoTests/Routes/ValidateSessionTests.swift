import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct ValidateSessionTests {
    private let path = "/hanko/sessions/validate"

    private func sessionID(_ token: String) throws -> String {
        guard case .string(let id)? = try TokenReader(token).claims["session_id"] else { return "" }
        return id
    }

    private func valid(_ token: String, idle: String = "") throws -> String {
        """
        {"claims":{"audience":["localhost"],\
        "email":{"address":"ada@example.com","is_primary":true,"is_verified":true},\
        "expiration":"2026-01-02T15:05:05Z","issued_at":"2026-01-02T03:05:05Z",\
        "session_id":"\(try sessionID(token))","subject":"\(Ada.id)"},\
        "expiration_time":"2026-01-02T15:05:05Z",\(idle)"is_valid":true,"user_id":"\(Ada.id)"}

        """
    }

    @Test func `a good session is shown with its claims under long names`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        for headers in [Headers.bearer(token), .cookie(token)] {
            let response = bench.get(path, headers: headers)
            #expect(response.status == .ok)
            #expect(response.text == (try valid(token)))
        }
        let posted = try bench.post(path, ["session_token": token])
        #expect(posted.status == .ok)
        #expect(posted.text == (try valid(token)))
    }

    @Test func `an issuer is shown where one is configured`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"issuer\": \"https://hanko.test\"}")
        let token = try bench.signIn(Ada.id)

        #expect(bench.get(path, headers: .bearer(token)).text.contains("\"issuer\":\"https://hanko.test\""))
    }

    @Test func `whatever is wrong is 200 and false, and the journal says why`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        _ = bench.send(.post, "/hanko/logout", headers: .bearer(token))

        for headers in [
            [:], .bearer("none"), .cookie("none"), .bearer(token), ["Authorization": "Basic YTpi"],
        ] as [Headers] {
            let response = bench.get(path, headers: headers)
            #expect(response.status == .ok)
            #expect(response.text == "{\"is_valid\":false}\n")
            #expect(bench.events.map(\.event) == ["session not valid"])
        }
        for text in ["none", token] {
            let response = try bench.post(path, ["session_token": text])
            #expect(response.status == .ok)
            #expect(response.text == "{\"is_valid\":false}\n")
        }
    }

    @Test(arguments: ["", "{}", "{\"session_token\":null}", "{\"session_token\":\"\"}"])
    func `posting no token is 400, in a sentence within a sentence`(body: String) throws {
        let response = try TestBench.classic().post(path, raw: body)

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "code=400, message=session_token is a required field"))
    }

    @Test func `looking does not count as use, posting does`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"idle_timeout\": \"10m\"}")
        let token = try bench.signIn(Ada.id)

        try bench.clock.advance(seconds: 300)
        #expect(
            bench.get(path, headers: .bearer(token)).text
                == (try valid(token, idle: "\"idle_expires_at\":\"2026-01-02T03:15:05Z\",")))
        #expect(
            try bench.post(path, ["session_token": token]).text
                == (try valid(token, idle: "\"idle_expires_at\":\"2026-01-02T03:20:05Z\",")))
        try bench.clock.advance(seconds: 601)
        #expect(bench.get(path, headers: .bearer(token)).text == "{\"is_valid\":false}\n")
    }

    @Test func `an idle session ends with its token at the latest`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"idle_timeout\": \"24h\"}")
        let token = try bench.signIn(Ada.id)

        #expect(
            bench.get(path, headers: .bearer(token)).text
                == (try valid(token, idle: "\"idle_expires_at\":\"2026-01-02T15:05:05Z\",")))
    }
}
