import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The device protocol, §15.5, by the code flow.
@Suite struct UserRegistrationTests {
    /// A code as the authorization endpoint gives it, for a user who logged in there.
    private func code(
        _ bench: TestBench<Onegini>, _ user: String, for phone: Phone
    ) throws -> String {
        let server = bench.onegini.server
        let (code, grantID) = (server.uuid(for: "test.code"), server.uuid(for: "test.grant"))
        try bench.world.database.write { db in
            try server.grants.insert(
                Grant(
                    id: grantID, clientID: phone.id, subject: user, scope: ScopeList("openid"),
                    issuer: "http://localhost:8420/oauth", type: "authorization_code",
                    authenticatedAt: server.now, createdAt: server.now), in: db)
            try server.codes.insert(
                AuthorizationCode(
                    digest: Digest.sha256(Array(code.utf8)), grantID: grantID, clientID: phone.id,
                    redirectURI: ExampleApp.redirectURI, challenge: nil, challengeMethod: nil,
                    issuedAt: server.now, expiresAt: server.now + 30), in: db)
        }
        return code
    }

    private func redeem(
        _ bench: TestBench<Onegini>, _ user: String, on phone: Phone, profile: String?
    ) throws -> Response {
        let code = try code(bench, user, for: phone)
        let grant: KeyValuePairs = [
            "grant_type": "authorization_code", "code": code, "redirect_uri": ExampleApp.redirectURI,
            "profile_id": profile ?? "",
        ]
        return bench.form("/v1/token", grant, headers: phone.headers)
    }

    @Test func `a code makes a profile under the id that the device chose`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let response = try redeem(bench, "ada", on: phone, profile: "W8DUJ2")

        #expect(response.status == .ok, "\(response.text)")
        #expect(response.fields["profile_id"] == "W8DUJ2")
        #expect(response.fields["refresh_token"]?.count == 64)
        #expect(response.fields["expires_in"] == "900")
        let (profile, device) = try bench.world.database.read { db in
            (
                try db.profile("W8DUJ2", on: phone.id),
                try db.device(phone.id)
            )
        }
        #expect(profile?.subject == "ada")
        #expect(device?.lastLoginAt == bench.onegini.server.now)
    }

    @Test func `without PIN authentication there is no refresh token`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""pin_authentication": false,"#)
        let phone = try bench.register()

        let response = try redeem(bench, "ada", on: phone, profile: "W8DUJ2")

        #expect(response.status == .ok)
        #expect(response.fields["refresh_token"] == nil)
    }

    @Test func `the server picks a free profile id`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let ada = try bench.logIn("ada", on: phone)
        let grace = try bench.logIn("grace", on: phone)

        #expect(Profile.isWellFormed(ada.profile))
        #expect(Profile.isWellFormed(grace.profile))
        #expect(ada.profile != grace.profile)
    }

    @Test func `a profile id without a value is none`() throws {
        let bench = try TestBench<Onegini>.devices()

        let response = try redeem(bench, "ada", on: try bench.register(), profile: "")

        #expect(response.status == .ok, "\(response.text)")
        #expect(Profile.isWellFormed(response.fields["profile_id"] ?? ""))
    }

    @Test(arguments: ["W8DUJ", "W8DUJ22", "w8duj2", "W8DUJ-", "W8DUJÄ", "      "])
    func `a malformed profile id is refused, and the code is not used`(profile: String) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let response = try redeem(bench, "ada", on: phone, profile: profile)

        #expect(response.status == .badRequest)
        #expect(response.refusal == ["error": "invalid_request", "sdk_code": "10015"])
        #expect(try bench.eventTypes.contains("TOKEN_REQUEST_INVALID_PROFILE_ID"))
    }

    @Test func `a profile of another user is refused`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        #expect(try redeem(bench, "ada", on: phone, profile: "W8DUJ2").status == .ok)

        let response = try redeem(bench, "grace", on: phone, profile: "W8DUJ2")

        #expect(response.status == .badRequest)
        #expect(response.refusal == ["error": "invalid_request", "sdk_code": "10015"])
        #expect(bench.explanation?.contains("“ada”") == true)
        let profile = try bench.world.database.read { db in
            try db.profile("W8DUJ2", on: phone.id)
        }
        #expect(profile?.subject == "ada")
    }

    @Test(arguments: [nil, "W8DUJ2"])
    func `a device has a hundred profiles at most, whoever chooses their ids`(id: String?) throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        try bench.world.database.write { db in
            for number in 100..<200 {
                let profile = Profile(
                    clientID: phone.id, id: "OLD\(number)", subject: "ada",
                    createdAt: bench.onegini.server.now)
                try db.insert(profile)
            }
        }

        let refused = try redeem(bench, "grace", on: phone, profile: id)
        #expect(refused.refusal == ["error": "invalid_request", "sdk_code": "10015"])
        #expect(bench.explanation?.contains("100 profiles already") == true)

        let renewed = try redeem(bench, "ada", on: phone, profile: "OLD100")
        #expect(renewed.status == .ok, "\(renewed.text)")
    }

    @Test func `the same user renews: old tokens end and the enrollment stays`() throws {
        let bench = try TestBench<Onegini>.devices()
        let old = try bench.logIn("ada", on: try bench.register(), profile: "W8DUJ2")
        try bench.enroll(old)

        let new = try bench.logIn("ada", on: old, profile: "W8DUJ2")

        let path = bench.sdk("/mobile-auth/enrollment?profile_id=W8DUJ2")
        #expect(bench.get(path, headers: old.user).refusal["sdk_code"] == "9010")
        #expect(bench.get(path, headers: new.user).fields["enrolled"] == "true")
        #expect(bench.refresh(new, token: old.refreshToken).fields["sdk_code"] == "9009")
        #expect(bench.refresh(new).status == .ok)
    }

    @Test func `the same id on another device is another profile`() throws {
        let bench = try TestBench<Onegini>.devices()
        _ = try bench.logIn("ada", on: try bench.register(), profile: "W8DUJ2")

        let other = try bench.logIn("grace", on: try bench.register(), profile: "W8DUJ2")

        #expect(other.profile == "W8DUJ2")
    }

    @Test func `an application without user registration has no users`() throws {
        let bench = try TestBench<Onegini>.devices(app: #""user_registration": false,"#)
        let phone = try bench.register()

        let response = try redeem(bench, "ada", on: phone, profile: "W8DUJ2")

        #expect(response.status == .badRequest)
        #expect(response.refusal == ["error": "unauthorized_client", "sdk_code": "10015"])
    }
}
