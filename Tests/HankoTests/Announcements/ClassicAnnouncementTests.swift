import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// What the classic endpoints tell. Source: Hanko 2.7, audit log and webhooks.
struct ClassicAnnouncementTests {
    private static let config = """
        "audit_log": {"storage": {"enabled": true}}, "rate_limiter": {"enabled": false},
        "account": {"allow_deletion": true},
        """

    /// `type of user: error` for each entry since the last call, the oldest first.
    private struct Log {
        let bench: TestBench<Hanko>
        private var seen = 0

        init(_ bench: TestBench<Hanko>) { self.bench = bench }

        mutating func news() throws -> [String] {
            let response = bench.admin(.get, "/audit_logs?per_page=100")
            let entries = try Essentials.JSONValue(parsing: response.bytes).array ?? []
            defer { seen = entries.count }
            return entries.reversed().dropFirst(seen).map { entry in
                let user = entry["actor_user_id"]?.string.map { " \($0.prefix(3))" } ?? ""
                return (entry["type"]?.string ?? "") + user
                    + (entry["error"]?.string.map { ": \($0)" } ?? "")
            }
        }
    }

    @Test func `the audit log hears of users, passcodes and addresses`() throws {
        let bench = try TestBench.mobile(config: Self.config)
        var log = Log(bench)

        let created = try bench.register("new@example.com")
        let user = created.id.prefix(3)
        _ = try bench.post("/hanko/passcode/login/initialize", ["user_id": Belongings.otherID])
        let (id, code) = try bench.startPasscode(for: created.id)
        _ = try bench.finishPasscode(id, bench.wrong(code))
        let session = Headers.bearer(try #require(try bench.finishPasscode(id, code).sessionToken))
        _ = try bench.finishPasscode(id, code)
        #expect(
            try log.news() == [
                "user_created \(user)", "passcode_login_init_failed: unknown user",
                "passcode_login_init_succeeded \(user)",
                "passcode_login_final_failed \(user): passcode invalid",
                "primary_email_changed \(user)", "email_verified \(user)",
                "passcode_login_final_succeeded \(user)", "passcode_login_final_failed: unknown passcode",
            ])

        let added = try bench.post("/hanko/emails", ["address": "b@example.com"], headers: session)
        let emailID = try #require(added.fields["id"])
        let second = try bench.startPasscode(for: created.id, emailID: emailID, headers: session)
        _ = try bench.finishPasscode(second.id, second.code, headers: session)
        for _ in 1...2 {
            _ = bench.send(.post, "/hanko/emails/\(emailID)/set_primary", headers: session)
        }
        _ = bench.delete("/hanko/emails/\(created.email_id)", headers: session)
        _ = bench.send(.post, "/hanko/logout", headers: session)
        let last = try bench.signIn(created.id)
        _ = bench.delete("/hanko/user", headers: .bearer(last))
        #expect(
            try log.news() == [
                "email_created \(user)", "passcode_login_init_succeeded \(user)", "email_verified \(user)",
                "passcode_login_final_succeeded \(user)", "primary_email_changed \(user)",
                "email_deleted \(user)", "user_logged_out \(user)", "passcode_login_init_succeeded \(user)",
                "passcode_login_final_succeeded \(user)", "user_deleted \(user)",
            ])
    }

    @Test func `the audit log hears of passkeys`() throws {
        var device = Device()
        let bench = try TestBench.mobile(config: Self.config)
        let session = try bench.signedIn()
        var log = Log(bench)
        _ = try log.news()

        _ = bench.post("/hanko/webauthn/registration/finalize", raw: "{", headers: session)
        device.authenticator.behaviour.isUserPresent = false
        _ = try bench.finishRegistration(&device, session)
        device.authenticator.behaviour.isUserPresent = true
        _ = try bench.finishRegistration(&device, session)
        #expect(
            try log.news() == [
                "webauthn_registration_init_succeeded ada",
                "webauthn_registration_final_failed ada: failed to validate attestation",
                "webauthn_registration_init_succeeded ada", "webauthn_registration_final_succeeded ada",
            ])

        _ = try bench.post("/hanko/webauthn/login/initialize", ["user_id": "7"])
        device.authenticator.behaviour.breaksSignature = true
        _ = try bench.finishLogin(&device)
        device.authenticator.behaviour.breaksSignature = false
        _ = try bench.finishLogin(&device, for: Ada.id)
        let path =
            "/hanko/webauthn/credentials/"
            + Base64URL.encode(try #require(device.authenticator.credentials.last).id)
        _ = try bench.patch(path, ["name": "Phone"], headers: session)
        _ = bench.delete(path, headers: session)
        #expect(
            try log.news() == [
                "webauthn_authentication_init_failed: failed to parse UserID as uuid",
                "webauthn_authentication_init_succeeded",
                "webauthn_authentication_final_failed ada: assertion validation failed",
                "webauthn_authentication_init_succeeded ada", "webauthn_authentication_final_succeeded ada",
                "webauthn_credential_updated ada", "webauthn_credential_deleted ada",
            ])
    }

    @Test func `the audit log hears of passwords`() throws {
        let bench = try TestBench.mobile(config: Self.config)
        let session = try bench.signedIn()
        var log = Log(bench)
        _ = try log.news()

        for password in ["short", "analytical-engine"] {
            _ = try bench.put(
                "/hanko/password", ["user_id": Ada.id, "password": password], headers: session)
        }
        for (user, password) in [(Ada.id, "wrong"), (Grace.id, "none"), (Ada.id, "analytical-engine")] {
            _ = try bench.post("/hanko/password/login", ["user_id": user, "password": password])
        }
        #expect(
            try log.news() == [
                "password_set_failed ada: password too short", "password_set_succeeded ada",
                "password_login_failed ada: password hash not equal",
                "password_login_failed 9ac: user has no password credential", "password_login_succeeded ada",
            ])
    }

    @Test func `calls beyond a limit are not written down`() throws {
        let bench = try TestBench.mobile(config: "\"audit_log\": {\"storage\": {\"enabled\": true}}")
        var log = Log(bench)

        for _ in 1...4 { _ = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id]) }
        #expect(try log.news() == Array(repeating: "passcode_login_init_succeeded ada", count: 3))
    }

    @Test func `webhooks hear of a user with the first address that is confirmed`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.mobile(
                config: Self.config,
                section: """
                    "webhooks": [{"id": "ada00000-0000-4000-8000-0000000000b1", "callback": "\(url)/hook", "events": ["user"]}]
                    """)
            let created = try bench.register("new@example.com")
            let (id, code) = try bench.startPasscode(for: created.id)
            let session = Headers.bearer(try #require(try bench.finishPasscode(id, code).sessionToken))
            let added = try bench.post("/hanko/emails", ["address": "b@example.com"], headers: session)
            let emailID = try #require(added.fields["id"])
            let second = try bench.startPasscode(for: created.id, emailID: emailID, headers: session)
            _ = try bench.finishPasscode(second.id, second.code, headers: session)
            _ = bench.send(.post, "/hanko/emails/\(emailID)/set_primary", headers: session)
            _ = bench.delete("/hanko/emails/\(created.email_id)", headers: session)
            _ = bench.delete("/hanko/user", headers: session)

            try bench.awaitCalls(5)
            let events = try receiver.received.map { try bench.claims(of: $0)["evt"] }
            #expect(
                events == [
                    "user.create", "user.update.email.create", "user.update.email.primary",
                    "user.update.email.delete", "user.delete",
                ])
        }
    }

    @Test func `where addresses need no confirmation webhooks hear of a user at once`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.mobile(
                config: "\"email\": {\"require_verification\": false}",
                section: """
                    "webhooks": [{"id": "ada00000-0000-4000-8000-0000000000b1", "callback": "\(url)/hook", "events": ["user"]}]
                    """)
            _ = try bench.register("new@example.com")

            try bench.awaitCalls(1)
            let events = try receiver.received.map { try bench.claims(of: $0)["evt"] }
            #expect(events == ["user.create"])
        }
    }
}
