import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.6, faithful mode: the server sees refresh tokens, never PINs.
@Suite struct RefreshTests {
    /// As after unmasking with a wrong PIN.
    private let wrong = "7D8DDCF4913122E7FB49AEBDF6B7D68ACCA5ADE2AA2757CA8F0DC7823F0E6336"

    @Test func `the present token is traded for the next, and forgets the failures`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        #expect(bench.refresh(phone, token: wrong).fields["used_attempts"] == "1")

        let response = bench.refresh(phone)

        #expect(response.status == .ok)
        let fields = response.fields
        #expect(fields["profile_id"] == phone.profile)
        #expect(fields["refresh_token"]?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(fields["refresh_token"] != phone.refreshToken)
        #expect(bench.refresh(phone, token: wrong).fields["used_attempts"] == "1")
    }

    @Test func `any other value is a wrong PIN, and the last one allowed ends the profile`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        for used in [1, 2] {
            let response = bench.refresh(phone, token: wrong)
            #expect(response.status == .badRequest)
            #expect(
                response.refusal == [
                    "error": "invalid_grant", "sdk_code": "9009", "used_attempts": "\(used)",
                    "max_attempts": "3", "remaining_attempts": "\(3 - used)",
                ])
            #expect(bench.explanation?.contains(used == 2 ? ", 1 attempt left" : ", 2 attempts left") == true)
            #expect(bench.explanation?.contains("unmasked with a wrong PIN") == true)
        }
        let last = bench.refresh(phone, token: wrong)
        #expect(last.status == .badRequest)
        #expect(
            last.refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
                "used_attempts": "3", "max_attempts": "3", "remaining_attempts": "0",
            ])
        #expect(try bench.eventTypes.contains("TOKEN_REQUEST_REFRESH_TOKEN_RETRY_COUNT_EXCEEDED"))

        let afterwards = bench.refresh(phone)
        #expect(afterwards.status == .badRequest)
        #expect(
            afterwards.refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
            ])
        let fetch = bench.get(
            bench.sdk("/mobile-auth/enrollment?profile_id=\(phone.profile)"), headers: phone.user)
        #expect(fetch.status == .forbidden)
        #expect(fetch.refusal == ["error": "user_deregistered", "sdk_code": "9003"])
    }

    @Test func `without a limit wrong tokens are counted and nothing ends`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""max_pin_attempts": 0,"#)
        let phone = try bench.registeredUser()

        for used in 1...5 {
            let response = bench.refresh(phone, token: wrong)
            #expect(
                response.refusal == [
                    "error": "invalid_grant", "sdk_code": "9009", "used_attempts": "\(used)",
                    "max_attempts": "0",
                ])
        }
        #expect(bench.refresh(phone).status == .ok)
    }

    @Test func `the counter is of the profile, not of the device`() throws {
        let bench = try TestBench<Onegini>.devices()
        let ada = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: ada)

        #expect(bench.refresh(ada, token: wrong).fields["used_attempts"] == "1")
        #expect(bench.refresh(ada, token: wrong).fields["used_attempts"] == "2")

        #expect(bench.refresh(grace, token: wrong).fields["used_attempts"] == "1")
        #expect(bench.refresh(grace).status == .ok)
    }

    @Test func `a token of another profile is a wrong one`() throws {
        let bench = try TestBench<Onegini>.devices()
        let ada = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: ada)

        let response = bench.refresh(ada, token: grace.refreshToken)

        #expect(
            response.refusal == [
                "error": "invalid_grant", "sdk_code": "9009", "used_attempts": "1", "max_attempts": "3",
                "remaining_attempts": "2",
            ])
        #expect(bench.explanation?.contains("of another profile") == true)
        #expect(bench.refresh(grace).status == .ok)
    }

    @Test func `a profile that the device never had is not counted`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let response = bench.refresh(phone, token: wrong, profile: "ZZZZZZ")

        #expect(response.status == .badRequest)
        #expect(response.refusal == ["error": "invalid_grant", "sdk_code": "10015"])
    }

    @Test func `a token that was not used for too long ends the profile`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""refresh_token_lifetime": 1000,"#)
        let phone = try bench.registeredUser()
        try bench.clock.advance(seconds: 1000)

        let response = bench.refresh(phone)

        #expect(response.status == .badRequest)
        #expect(
            response.refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
            ])
        #expect(bench.explanation?.contains("expired") == true)
    }

    @Test func `the previous token is answered again within the grace window`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let first = bench.refresh(phone)
        try bench.clock.advance(seconds: 29)

        let again = bench.refresh(phone)

        #expect(again.status == .ok)
        #expect(again.bytes == first.bytes)
    }

    @Test func `the previous token after the grace window ends the profile`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let next = try #require(bench.refresh(phone).fields["refresh_token"])
        try bench.clock.advance(seconds: 31)

        let response = bench.refresh(phone)

        #expect(response.status == .badRequest)
        #expect(
            response.refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
            ])
        #expect(bench.refresh(phone, token: next).fields["sdk_code"] == "9003")
    }

    @Test func `fifty wrong PINs at once are counted exactly`() async throws {
        let bench = try TestBench<Onegini>.devices(app: #""max_pin_attempts": 100,"#)
        let phone = try bench.registeredUser()

        let counts = await fifty { bench.refresh(phone, token: wrong).fields["used_attempts"] ?? "none" }

        #expect(Set(counts) == Set((1...50).map(String.init)))
        #expect(bench.refresh(phone, token: wrong).fields["used_attempts"] == "51")
    }

    @Test func `fifty wrong PINs at once end the profile once`() async throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let codes = await fifty {
            let fields = bench.refresh(phone, token: wrong).fields
            return (fields["sdk_code"] ?? "none") + (fields["used_attempts"].map { "/" + $0 } ?? "")
        }

        #expect(codes.sorted() == Array(repeating: "9003", count: 47) + ["9003/3", "9009/1", "9009/2"])
    }

    /// What `body` says fifty times at once.
    private func fifty(_ body: @escaping @Sendable () -> String) async -> [String] {
        await withTaskGroup(of: String.self) { group in
            for _ in 1...50 { group.addTask { body() } }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }

    @Test func `other clients are told nothing of profiles`() throws {
        let bench = try TestBench<Onegini>.devices()
        let portal: Headers = ["Authorization": "Basic " + Data("portal:secret".utf8).base64EncodedString()]

        let response = try bench.post(
            "/oauth/custom-registration/understudy-direct/complete",
            JSONValue.object(["data": ["userId": "ada"]]), headers: portal)

        let body = try JSONValue(parsing: response.bytes)
        #expect(body["status"] == 2000)
        #expect(body["oauth_token"]?["profile_id"] == "static")
    }
}
