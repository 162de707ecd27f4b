import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

@Suite struct DeviceFixtureTests {
    private static let device = """
        {
            "client_id": "D0", "client_secret": "S0", "application": "com.example.app", "platform": "ios",
            "version": "1.0.0", "name": "Phone",
            "profiles": [{"profile_id": "W8DUJ2", "sub": "ada", "pin": "13524", "failures": 2}],
            "removed_profiles": ["OLD001"],
        }
        """

    @Test func `an export is loaded again as the same state`() throws {
        let bench = try TestBench<Onegini>.devices(
            section: #""devices": [\#(Self.device)], "enrollment": {"unique_keys": true},"#)
        let phone = try bench.registeredUser()
        try bench.enroll(phone)
        _ = try bench.put(
            bench.sdk("/mobile-auth/push"), ["profile_id": phone.profile, "push_token": "token"],
            headers: phone.user)
        _ = try bench.post(
            bench.sdk("/mobile-auth/enrollments"), ["profile_id": phone.profile], headers: phone.user)
        _ = try bench.challenge()
        let gone = try bench.registeredUser("grace")
        _ = bench.delete(bench.sdk("/clients/self"), headers: gone.headers)

        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)

        #expect(try bench.worlds.export(bench.world) == exported)
        let validated = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: gone.headers)
        #expect(validated.fields["sdk_code"] == "9002")
    }

    @Test func `a device of the fixtures logs in with its PIN`() throws {
        let bench = try TestBench<Onegini>.devices(section: #""devices": [\#(Self.device)],"#)
        let phone = Phone(id: "D0", secret: "S0")

        let response = try bench.post(
            bench.sdk("/profiles/W8DUJ2/login"), ["pin": "13524"], headers: phone.headers)

        #expect(response.status == .ok, "\(response.text)")
        let validated = try bench.post(
            bench.sdk("/clients/validate"), ["app_version": "1.0.0"], headers: phone.headers)
        #expect(try JSONValue(parsing: validated.bytes)["removed_profiles"] == ["OLD001"])
    }

    @Test(arguments: [
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "none", "platform": "ios", "version": "1"}],"#,
            "application"
        ),
        (
            #""devices": [{"client_id": "D0", "application": "com.example.app", "platform": "ios", "version": "1"}],"#,
            "no client"
        ),
        (#""devices": [\#(device), \#(device)],"#, "twice"),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "ios", "version": "1", "profiles": [{"profile_id": "x", "sub": "ada"}]}],"#,
            "A-Z"
        ),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "ios", "version": "1", "profiles": [{"client_id": "D1", "profile_id": "AAAAAA", "sub": "ada"}]}],"#,
            "expected “D0”, where the entry stands"
        ),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "symbian", "version": "1"}],"#,
            "one of android, ios"
        ),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "ios", "version": "1", "profiles": [{"profile_id": "W8DUJ2", "sub": "ada", "failures": 9223372036854775807}]}],"#,
            "failures"
        ),
        (
            #""registrations": [{"identifier": "r", "challenge": "00", "application": "a", "platform": "ios", "version": "1", "wrong_responses": 9223372036854775807, "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "wrong_responses"
        ),
        (
            #""registrations": [{"identifier": "r", "challenge": "00", "application": "a", "platform": "ios", "version": "1", "wrong_responses": -9223372036854775808, "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "wrong_responses"
        ),
        (
            #""registrations": [{"identifier": "r", "challenge": "00", "application": "a", "platform": "ios", "version": "1", "wrong_responses": 0, "expires_at": "2030-01-01T00:00:00Z"}, {"identifier": "r", "challenge": "00", "application": "a", "platform": "ios", "version": "1", "wrong_responses": 0, "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "twice"
        ),
        (
            #""custom_transactions": [{"id": "c", "provider": "p", "expires_at": "2030-01-01T00:00:00Z"}, {"id": "c", "provider": "p", "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "twice"
        ),
        (
            #""app_links": [{"digest": "d", "sub": "ada", "target": "http://x/", "expires_at": "2030-01-01T00:00:00Z"}, {"digest": "d", "sub": "ada", "target": "http://x/", "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "twice"
        ),
        (
            #""app_links": [{"digest": "d", "sub": "ada", "target": "http://x/\r\nSet-Cookie: a=b", "expires_at": "2030-01-01T00:00:00Z"}],"#,
            "white space"
        ),
        (
            #""devices": [{"client_id": "D0", "client_secret": "S", "application": "com.example.app", "platform": "ios", "version": "1", "profiles": [{"profile_id": "AAAAAA", "sub": "ada", "pending_enrollment": {"id": "e", "expires_at": "2030-01-01T00:00:00Z"}}, {"profile_id": "BBBBBB", "sub": "ada", "pending_enrollment": {"id": "e", "expires_at": "2030-01-01T00:00:00Z"}}]}],"#,
            "twice"
        ),
    ])
    func `a mistake in the fixtures is told`(section: String, words: String) {
        do {
            _ = try TestBench<Onegini>.devices(section: section)
            Issue.record("the fixtures were taken")
        } catch {
            #expect("\(error)".contains(words), "\(error)")
        }
    }

    @Test(arguments: [
        "authorization_code_lifetime", "access_token_lifetime", "refresh_token_lifetime",
        "refresh_token_max_lifetime", "registration_validity",
    ])
    func `a lifetime is from a second to thirty years`(name: String) {
        for number in [Int.min, 0, 1_000_000_001, .max] {
            let fixtures = """
                {"onegini": {"applications": [{"identifier": "a", "\(name)": \(number)}]}}
                """
            #expect(throws: (any Error).self) { try TestBench(Onegini.self, fixtures: fixtures) }
        }
        #expect(throws: Never.self) {
            try TestBench(
                Onegini.self,
                fixtures: #"{"onegini": {"applications": [{"identifier": "a", "\#(name)": 1}]}}"#)
        }
    }

    @Test func `a mistake of the authorization server's part is told at its place`() throws {
        let error = #expect(throws: (any Error).self) {
            try TestBench(
                Onegini.self,
                fixtures:
                    #"{"onegini": {"oauth": {"clients": [{"client_id": "a", "redirect_uris": ["x y"]}]}}}"#)
        }
        #expect(
            error.map { "\($0)" }?.contains("onegini.oauth.clients[0].redirect_uris") == true,
            "\(String(describing: error))"
        )
    }
}
