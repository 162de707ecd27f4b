import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// What `profile_init` shows, and to whom.
struct ProfileStateTests {
    @Test func `the profile shows the user, the sessions and what can be done`() throws {
        let bench = try TestBench.profile()
        let session = try bench.openSession(
            userAgent:
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36"
        )

        let client = try bench.flow("/profile", webauthn: true, headers: bench.bearer(session))
        #expect(client.state == "profile_init")
        #expect(client.status == 200)
        #expect(
            client.payload == [
                "user": [
                    "id": .string(Ada.id), "user_id": .string(Ada.id),
                    "mfa_config": [
                        "auth_app_set_up": false, "totp_enabled": true, "security_keys_enabled": true,
                    ],
                    "emails": [
                        [
                            "id": .string(Ada.emailID), "address": .string(Ada.address), "is_verified": true,
                            "is_primary": true,
                        ]
                    ],
                    "created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
                ],
                "sessions": [
                    [
                        "id": .string(session.session.id), "current": true,
                        "user_agent_raw":
                            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0 Safari/537.36",
                        "user_agent": "Linux (Chrome)", "created_at": "2026-01-02T03:04:05Z",
                        "expires_at": "2026-01-02T15:04:05Z", "last_used": "2026-01-02T03:04:05Z",
                    ]
                ],
            ])
        #expect(
            client.actions == [
                "continue_to_otp_secret_creation", "email_create", "email_delete", "password_create",
                "patch_metadata", "security_key_create", "webauthn_credential_create",
            ])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a device without WebAuthn is offered neither passkeys nor security keys`() throws {
        let bench = try TestBench.profile()

        let client = try bench.profileFlow(webauthn: false)
        #expect(
            client.actions == [
                "continue_to_otp_secret_creation", "email_create", "email_delete", "password_create",
                "patch_metadata",
            ])
        let reason = "the client reported webauthn_available false"
        #expect(bench.suspends("webauthn_credential_create", because: reason))
        #expect(bench.suspends("security_key_create", because: reason))
    }

    @Test func `sessions are left out where the configuration hides them`() throws {
        let bench = try TestBench.profile(config: #""session": {"show_on_profile": false}"#)

        let client = try bench.profileFlow()
        #expect(client.payload["sessions"] == nil)
        #expect(client.payload["user"]?["id"]?.string == Ada.id)
    }

    @Test func `without a session the profile does not even begin`() throws {
        let bench = try TestBench.profile()

        let client = try FlowClient(bench, "/profile")
        #expect(client.status == 401)
        #expect(
            client.body == [
                "name": "error", "status": 401, "csrf_token": "", "actions": [:],
                "error": ["code": "unauthorized", "message": "The session is invalid."], "links": .null,
            ])
    }

    @Test func `a session that ended meanwhile refuses the action and leaves the flow as it was`() throws {
        let bench = try TestBench.profile(ada: AdaHas.emails)
        var client = try bench.profileFlow()
        let (href, token, headers) = (try client.href("email_set_primary"), client.token, client.headers)
        let inputs: JSON = ["email_id": .string(AdaHas.secondID)]

        client.headers = [:]
        try client.post(href, token: token, inputs)
        #expect(client.status == 401)
        #expect(client.error == "unauthorized")
        #expect(client.token == "")
        #expect(client.payload == .null)
        #expect(try bench.requireAda().primaryEmail?.id == Ada.emailID)

        client.headers = headers
        try client.post(href, token: token, inputs)
        client.expectProfile()
        #expect(try bench.requireAda().primaryEmail?.id == AdaHas.secondID)
    }

    @Test func `the session is asked for before the flow`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        let headers = client.headers

        client.headers = [:]
        try client.post("/profile?action=patch_metadata%40\(Ada.id)", token: "x")
        #expect(client.error == "unauthorized")

        client.headers = headers
        try client.post("/profile?action=patch_metadata%40\(Ada.id)", token: "x")
        #expect(client.status == 403)
        #expect(client.error == "operation_not_permitted_error")
    }

    @Test func `a suspended action is refused with the reason in the journal`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        let (href, token) = (try client.href("patch_metadata"), client.token)

        try client.force("password_update", ["password": "correct horse"])
        #expect(client.status == 403)
        #expect(client.error == "operation_not_permitted_error")
        #expect(
            bench.explanation
                == "The action password_update is not offered in profile_init now: the user has no password; password_create sets one."
        )
        try client.post(href, token: token, ["patch_metadata": ["a": 1]])
        client.expectProfile()
    }

    @Test func `a profile is its user's: another session of the same flow acts on its own account`() throws {
        let bench = try TestBench.profile()
        var client = try bench.profileFlow()
        client.headers = try bench.bearer(bench.openSession(2, of: Grace.id))

        try client.run("password_create", ["password": "correct horse"])
        #expect(try bench.requireAda().password == nil)
        #expect(try bench.account(Grace.id)?.password != nil)
    }
}
