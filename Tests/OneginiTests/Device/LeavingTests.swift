import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.10, and the checks 1 to 3 of §15.8 for what is left.
@Suite struct LeavingTests {
    private func show(_ bench: TestBench<Onegini>, _ phone: Phone) -> Response {
        bench.get(
            bench.sdk("/mobile-auth/enrollment?profile_id=\(phone.profile)"), headers: phone.user)
    }

    private static let noToken = ["error": "invalid_token", "sdk_code": "9010"]
    private static let noUser = ["error": "user_deregistered", "sdk_code": "9003"]
    private static let noDevice = [
        "error": "invalid_client", "onegini_error": "device_deregistered", "sdk_code": "9002",
    ]

    @Test func `a token that is missing, unknown, expired or of no device is not valid`() throws {
        let bench = try TestBench<Onegini>.devices()
        var phone = try bench.registeredUser()
        let portal: Headers = ["Authorization": "Basic " + Data("portal:secret".utf8).base64EncodedString()]
        let web = try bench.post(
            "/oauth/custom-registration/understudy-direct/complete",
            JSONValue.object(["data": ["userId": "ada"]]), headers: portal)

        try bench.clock.advance(seconds: 901)
        let expired = show(bench, phone)
        #expect(expired.status == .unauthorized)
        #expect(expired.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        #expect(expired.refusal == Self.noToken)
        #expect(bench.explanation?.contains("expired 1 s ago") == true)
        phone.accessToken = "none"
        #expect(show(bench, phone).refusal == Self.noToken)
        phone.accessToken = try #require(
            try web.json(TestBench<Onegini>.Completed.self).oauth_token?.access_token)
        #expect(show(bench, phone).refusal == Self.noToken)
        #expect(bench.explanation?.contains("kind web") == true)
    }

    @Test func `a token for the device alone is for no user`() throws {
        let bench = try TestBench<Onegini>.devices()
        var phone = try bench.register()
        let response = bench.form(
            "/v1/token", ["grant_type": "client_credentials"], headers: phone.headers)
        phone.accessToken = try #require(response.fields["access_token"], "\(response.text)")

        #expect(show(bench, phone).refusal == Self.noToken)
        #expect(bench.explanation?.contains("for no user") == true)
    }

    @Test func `a logout ends the access token and leaves the refresh token`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()

        #expect(
            bench.form("/v1/revoke", ["token": phone.accessToken], headers: phone.headers).status == .ok)

        #expect(show(bench, phone).refusal == Self.noToken)
        #expect(bench.refresh(phone).status == .ok)
    }

    @Test(arguments: [true, false])
    func `a user is deregistered by token or by device, also twice`(byToken: Bool) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: phone)
        try bench.enroll(phone)
        let path = bench.sdk("/profiles/\(phone.profile)")

        for _ in 1...2 {
            let response = bench.delete(path, headers: byToken ? phone.user : phone.headers)
            #expect(response.status == .noContent)
            #expect(response.bytes.isEmpty)
        }

        let gone = show(bench, phone)
        #expect(gone.status == .forbidden)
        #expect(gone.refusal == Self.noUser)
        #expect(bench.refresh(phone).fields["onegini_error"] == "user_deregistered")
        #expect(show(bench, grace).status == .ok)
        let again = try bench.logIn("ada", on: phone, profile: phone.profile)
        #expect(show(bench, again).fields["enrolled"] == "false")
    }

    @Test func `a user deregisters nobody else`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let grace = try bench.logIn("grace", on: phone)

        let response = bench.delete(bench.sdk("/profiles/\(phone.profile)"), headers: grace.user)

        #expect(response.status == .forbidden)
        #expect(response.refusal == ["error": "profile_mismatch", "sdk_code": "10015"])
    }

    @Test func `a device takes everything with it`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        try bench.enroll(phone)

        let response = bench.delete(bench.sdk("/clients/self"), headers: phone.headers)

        #expect(response.status == .noContent)
        let gone = show(bench, phone)
        #expect(gone.status == .unauthorized)
        #expect(gone.refusal == Self.noDevice)
        #expect(bench.delete(bench.sdk("/clients/self"), headers: phone.headers).refusal == Self.noDevice)
        // The token endpoint is where an app notices first.
        let login = bench.refresh(phone)
        #expect(login.status == .unauthorized)
        #expect(login.refusal == Self.noDevice)
        #expect(login.headers["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        let rows = try bench.world.database.read { db in
            try db.value(
                Int.self,
                """
                SELECT (SELECT count(*) FROM onegini_device) + (SELECT count(*) FROM onegini_profile)
                    + (SELECT count(*) FROM onegini_enrollment)
                """)
        }
        #expect(rows == 0)
    }

    @Test func `a user who was disconnected hears so, and the device stays`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let wasThere = try bench.world.database.write { db in
            try bench.onegini.registry.disconnect(
                user: "ada", from: phone.id, because: "The administrator disconnected ada.", in: db)
        }

        #expect(wasThere)
        #expect(show(bench, phone).refusal == Self.noUser)
        #expect(bench.explanation?.contains("The administrator disconnected ada.") == true)
        #expect(try bench.logIn("ada", on: phone).profile != "")
    }

    @Test func `an enrollment that was revoked is told once`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        try bench.enroll(phone)
        let registry = bench.onegini.registry

        let (revoked, first, second) = try bench.world.database.write { db in
            (
                try registry.revokeMobileAuthentication(
                    of: "ada", on: phone.id, because: "Test.", in: db),
                try registry.takeDisenrollment(of: phone.profile, on: phone.id, in: db),
                try registry.takeDisenrollment(of: phone.profile, on: phone.id, in: db)
            )
        }

        #expect((revoked, first, second) == (true, true, false))
        #expect(show(bench, phone).fields["enrolled"] == "false")
    }

    @Test func `the refresh token inside of an answer is checked and counted`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.registeredUser()
        let check = { (text: String) throws -> PINRefusal? in
            do {
                try bench.world.change { turn in
                    guard let profile = try turn.db.profile(phone.profile, on: phone.id) else { return }
                    try bench.onegini.registry.checkRefreshToken(text, of: profile, turn)
                }
            } catch let refusal as PINRefusal {
                return refusal
            }
            return nil
        }

        let wrong = try #require(try check("00"))
        #expect(wrong.wire.status == .unauthorized)
        #expect(wrong.wire.error == "invalid_pin")
        #expect(
            wrong.wire.members == [
                "sdk_code": 9009, "used_attempts": 1, "max_attempts": 3, "remaining_attempts": 2,
            ])
        #expect(try check(phone.refreshToken) == nil)
        #expect(bench.refresh(phone).status == .ok)
    }

    // MARK: - To the web

    private static let page = "https://app.example.test/account"

    @Test func `a link opens a registered page once, with the user signed in`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""single_sign_on_targets": ["\#(Self.page)"],"#)
        let phone = try bench.registeredUser()

        let response = try bench.post(
            bench.sdk("/app-to-web"), ["target_url": Self.page], headers: phone.user)
        #expect(response.status == .ok)
        let token = try #require(response.fields["token"])
        let path = bench.sdk("/app-to-web/\(token)")
        #expect(response.fields["redirect_url"] == "http://localhost:8420" + path)
        let followed = bench.get(path)
        #expect(followed.status == .found)
        #expect(followed.headers["Location"] == Self.page)
        #expect(followed.headers["Set-Cookie"]?.hasPrefix("onegini.session=") == true)

        let again = bench.get(path)
        #expect(again.status == .notFound)
        #expect(again.refusal == ["error": "not_found"])
    }

    @Test func `a link to the web lasts for a minute`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""single_sign_on_targets": ["\#(Self.page)"],"#)
        let phone = try bench.registeredUser()
        let response = try bench.post(
            bench.sdk("/app-to-web"), ["target_url": Self.page], headers: phone.user)
        let token = try #require(response.fields["token"])
        try bench.clock.advance(seconds: 60)

        #expect(bench.get(bench.sdk("/app-to-web/\(token)")).status == .notFound)
        #expect(bench.explanation?.contains("expired 0 s ago") == true)
    }

    @Test func `pages that are not registered are not opened`() throws {
        let off = try TestBench<Onegini>.devices()
        let disabled = try off.post(
            off.sdk("/app-to-web"), ["target_url": Self.page], headers: try off.registeredUser().user)
        #expect(disabled.status == .forbidden)
        #expect(disabled.refusal == ["error": "single_sign_on_disabled", "sdk_code": "10023"])

        let bench = try TestBench<Onegini>.devices(app: #""single_sign_on_targets": ["\#(Self.page)"],"#)
        let unknown = try bench.post(
            bench.sdk("/app-to-web"), ["target_url": Self.page + "/"],
            headers: try bench.registeredUser().user)
        #expect(unknown.status == .badRequest)
        #expect(unknown.refusal == ["error": "invalid_request", "sdk_code": "10015"])
    }
}
