import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.6, convenience mode.
@Suite struct PINTests {
    private func path(_ bench: TestBench<Onegini>, _ phone: Phone, _ rest: String) -> String {
        bench.sdk("/profiles/\(phone.profile)\(rest)")
    }

    /// Ada with the PIN 13524.
    private func withPIN(_ bench: TestBench<Onegini>) throws -> Phone {
        let phone = try bench.registeredUser()
        let response = try bench.put(path(bench, phone, "/pin"), ["pin": "13524"], headers: phone.user)
        #expect(response.status == .noContent, "\(response.text)")
        return phone
    }

    private func logIn(_ bench: TestBench<Onegini>, _ phone: Phone, _ pin: String) throws -> Response {
        try bench.post(path(bench, phone, "/login"), ["pin": pin], headers: phone.headers)
    }

    @Test func `the policy is told`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let response = bench.get(bench.sdk("/pin-policy"), headers: phone.headers)

        #expect(response.status == .ok)
        #expect(
            try JSONValue(parsing: response.bytes) == [
                "pin_length": 5, "max_similar_digits": 2, "sequences_allowed": false,
                "blocked_pins": ["90210"],
            ])
    }

    static let violations: [(pin: String, status: Int, body: [String: String])] = [
        ("90210", 422, ["error": "pin_blocked", "sdk_code": "9011"]),
        ("12345", 422, ["error": "pin_sequence", "sdk_code": "9012"]),
        ("11135", 422, ["error": "pin_similar_digits", "sdk_code": "9013", "max_similar_digits": "2"]),
        ("135246", 422, ["error": "pin_length", "sdk_code": "9014", "pin_length": "5"]),
        ("1352a", 400, ["error": "invalid_request", "sdk_code": "10015"]),
    ]

    @Test(arguments: violations)
    func `a PIN that breaks the policy is refused wherever it is new`(
        pin: String, status: Int, body: [String: String]
    ) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try withPIN(bench)

        let responses = [
            try bench.post(bench.sdk("/pin-policy/validate"), ["pin": pin], headers: phone.headers),
            try bench.put(path(bench, phone, "/pin"), ["pin": pin], headers: phone.user),
            try bench.post(
                path(bench, phone, "/pin/change"), ["current_pin": "13524", "new_pin": pin],
                headers: phone.user),
        ]

        for response in responses {
            #expect(response.status.code == status)
            #expect(response.refusal == body)
        }
    }

    @Test func `a good PIN is validated without being kept`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        let response = try bench.post(
            bench.sdk("/pin-policy/validate"), ["pin": "13524"], headers: phone.headers)

        #expect(response.status == .noContent)
        #expect(try logIn(bench, phone, "13524").refusal == ["error": "pin_not_set", "sdk_code": "10015"])
    }

    @Test func `the right PIN gives tokens, and forgets the failures`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try withPIN(bench)
        #expect(try logIn(bench, phone, "13525").fields["used_attempts"] == "1")

        let response = try logIn(bench, phone, "13524")

        #expect(response.status == .ok)
        #expect(response.fields["profile_id"] == phone.profile)
        #expect(response.fields["refresh_token"]?.count == 64)
        let access = try #require(response.fields["access_token"])
        let shown = bench.get(
            bench.sdk("/mobile-auth/enrollment?profile_id=\(phone.profile)"),
            headers: ["Authorization": "Bearer \(access)"])
        #expect(shown.status == .ok)
        #expect(try logIn(bench, phone, "13525").fields["used_attempts"] == "1")
    }

    @Test func `wrong PINs end the profile, together with wrong refresh tokens`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try withPIN(bench)

        let first = try logIn(bench, phone, "13525")
        #expect(first.status == .badRequest)
        #expect(
            first.refusal == [
                "error": "invalid_grant", "sdk_code": "9009", "used_attempts": "1", "max_attempts": "3",
                "remaining_attempts": "2",
            ])
        #expect(bench.refresh(phone, token: "00").fields["used_attempts"] == "2")
        let last = try logIn(bench, phone, "13525")
        #expect(
            last.refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
                "used_attempts": "3", "max_attempts": "3", "remaining_attempts": "0",
            ])

        #expect(
            try logIn(bench, phone, "13524").refusal == [
                "error": "invalid_grant", "onegini_error": "user_deregistered", "sdk_code": "9003",
            ])
    }

    @Test func `a login asks for scopes of the application alone`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try withPIN(bench)

        let narrow = try bench.post(
            path(bench, phone, "/login"), ["pin": "13524", "scope": "profile"], headers: phone.headers)
        #expect(narrow.fields["scope"] == "profile")

        let wide = try bench.post(
            path(bench, phone, "/login"), ["pin": "13524", "scope": "admin"], headers: phone.headers)
        #expect(wide.status == .badRequest)
        #expect(wide.refusal == ["error": "invalid_scope"])
    }

    @Test func `a PIN is changed by the present one`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try withPIN(bench)
        let change = { (current: String) in
            try bench.post(
                path(bench, phone, "/pin/change"), ["current_pin": current, "new_pin": "24681"],
                headers: phone.user)
        }

        #expect(
            try change("13525").refusal == [
                "error": "invalid_grant", "sdk_code": "9009", "used_attempts": "1", "max_attempts": "3",
                "remaining_attempts": "2",
            ])
        #expect(try change("13524").status == .noContent)
        #expect(try logIn(bench, phone, "13524").fields["sdk_code"] == "9009")
        #expect(try logIn(bench, phone, "24681").status == .ok)
    }

    @Test func `a PIN is set with a token of the same profile`() throws {
        let bench = try TestBench<Onegini>.devices()
        let ada = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: ada)

        let response = try bench.put(path(bench, ada, "/pin"), ["pin": "13524"], headers: grace.user)

        #expect(response.status == .forbidden)
        #expect(response.refusal == ["error": "profile_mismatch", "sdk_code": "10015"])
    }

    @Test func `one switch keeps PINs away from the server`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""convenience_mode": false,"#)
        let phone = try bench.registeredUser()

        for response in [
            try bench.put(path(bench, phone, "/pin"), ["pin": "13524"], headers: phone.user),
            try logIn(bench, phone, "13524"),
            try bench.post(bench.sdk("/pin-policy/validate"), ["pin": "13524"], headers: phone.headers),
        ] {
            #expect(response.status == .notFound)
            #expect(response.refusal == ["error": "not_found", "sdk_code": "10015"])
        }
    }
}
