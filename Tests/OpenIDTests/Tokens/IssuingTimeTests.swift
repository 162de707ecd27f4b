import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

/// What tokens say of the time at which they are issued, in a world whose clock was moved. Source: RFC 7519 §4.1.5, §4.1.6.
struct IssuingTimeTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(
            """
            {"client_id": "job", "client_secret": "s", "scope": "email", "default_scope": "email",
             "grant_types": ["client_credentials"], "access_token_format": "jwt"}
            """)
        browser = Browser(bench)
    }

    private var real: Int { Int(bench.time.now.timeIntervalSince1970) }

    private func accessClaims() throws -> JSONValue {
        let answer = bench.form(
            "/token", ["grant_type": "client_credentials"],
            headers: ["Authorization": TestBench.basic("job", "s")])
        return try bench.claims(JSONValue(parsing: answer.bytes)["access_token"])
    }

    private func idClaims() throws -> JSONValue {
        let visit = browser.click("a-1", on: browser.open(Cast.request(["max_age": "10000"])))
        return try bench.claims(bench.redeem(visit.answer["code"])["id_token"])
    }

    @Test func `tokens say the world's time unless they are told otherwise`() throws {
        try bench.clock.advance(seconds: 3600)
        #expect(try accessClaims()["iat"]?.integer == real + 3600)
        #expect(try idClaims()["iat"]?.integer == real + 3600)
    }

    @Test func `with real times nothing lies in the future, and expiry obeys the world`() throws {
        try bench.clock.advance(seconds: 3600)
        try bench.clock.issue(atRealTime: true)

        let access = try accessClaims()
        #expect(access["iat"]?.integer == real && access["nbf"]?.integer == real)
        #expect(access["exp"]?.integer == real + 3600 + 3600)
        let id = try idClaims()
        #expect(id["iat"]?.integer == real && id["auth_time"]?.integer == real)
        #expect(id["exp"]?.integer == real + 3600 + 3600)

        try bench.clock.issue(atRealTime: false)
        #expect(try accessClaims()["iat"]?.integer == real + 3600)
    }

    @Test func `the choice stays when the clock is moved, frozen and let go`() throws {
        try bench.clock.issue(atRealTime: true)
        try bench.clock.advance(seconds: 60)
        try bench.clock.set(now: nil, frozen: true)
        #expect(try accessClaims()["iat"]?.integer == real)
        try bench.clock.release()
        #expect(bench.clock.current.issuesAtRealTime)
    }
}
