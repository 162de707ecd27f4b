import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing
import WebAuthn

@testable import Hanko

/// Whom each action of the profile tells: audit log, webhooks, notifications by mail.
struct ProfileEffectTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let action: String
        var inputs: [String: JSON] = [:]
        var config = ""
        var ada = [AdaHas.email]
        let effects: [String]
        var testDescription: String { action }
    }

    private static let notifications = #"""
        "security_notifications": {"notifications": {
            "email_create": {"enabled": true}, "email_delete": {"enabled": true},
            "password_update": {"enabled": true}, "passkey_create": {"enabled": true},
            "primary_email_update": {"enabled": true}, "mfa_create": {"enabled": true},
            "mfa_delete": {"enabled": true},
        }}
        """#
    private static let who = "\(Ada.id) \(Ada.address)"
    /// To the primary address as it was before.
    private static let notified = ["mail to \(Ada.address)", "audit security_notification_sent \(who)"]

    static let cases = [
        Case(
            action: "account_delete", config: #""account": {"allow_deletion": true}"#,
            effects: [
                "audit user_deleted \(who)", "webhook user.delete \(Ada.id)",
                "cookie hanko=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict",
            ]),
        Case(action: "patch_metadata", inputs: ["patch_metadata": ["a": 1]], effects: []),
        Case(
            action: "email_create", inputs: ["email": "new@example.com"],
            config: #""email": {"require_verification": false}"#,
            effects: [
                "audit email_created \(Ada.id) new@example.com",
                "webhook user.update.email.create \(Ada.id)",
            ] + notified),
        Case(
            action: "email_create", inputs: ["email": "new@example.com"],
            effects: ["mail to new@example.com"]),
        Case(
            action: "email_set_primary", inputs: ["email_id": .string(AdaHas.secondID)],
            ada: [AdaHas.emails],
            effects: [
                "audit primary_email_changed \(Ada.id) \(AdaHas.secondAddress)",
                "webhook user.update.email.primary \(Ada.id)",
            ] + notified),
        Case(
            action: "email_set_primary", inputs: ["email_id": .string(Ada.emailID)], ada: [AdaHas.emails],
            effects: []),
        Case(
            action: "email_delete", inputs: ["email_id": .string(AdaHas.secondID)], ada: [AdaHas.emails],
            effects: [
                "audit email_deleted \(Ada.id) \(AdaHas.secondAddress)",
                "webhook user.update.email.delete \(Ada.id)",
            ] + notified),
        Case(
            action: "password_create", inputs: ["password": "correct horse"],
            effects: ["audit password_changed \(who) context=profile"]),
        Case(
            action: "password_update", inputs: ["password": "battery staple"],
            ada: [AdaHas.email, AdaHas.password],
            effects: [
                "audit password_changed \(who) context=profile",
                "webhook user.update.password.update \(Ada.id)",
            ] + notified),
        Case(
            action: "password_delete", config: #""password": {"optional": true}"#,
            ada: [AdaHas.email, AdaHas.password], effects: ["audit password_deleted \(who)"]),
        Case(
            action: "username_create", inputs: ["username": "ada"],
            config: #""username": {"enabled": true}"#,
            effects: [
                "audit username_changed \(who) username=ada",
                "webhook user.update.username.create \(Ada.id)",
            ]),
        Case(
            action: "username_update", inputs: ["username": "lovelace"],
            config: #""username": {"enabled": true}"#, ada: [AdaHas.email, AdaHas.username],
            effects: [
                "audit username_changed \(who) username=lovelace",
                "webhook user.update.username.update \(Ada.id)",
            ]),
        Case(
            action: "username_delete", config: #""username": {"enabled": true}"#,
            ada: [AdaHas.email, AdaHas.username],
            effects: [
                "audit username_deleted \(who) username=ada",
                "webhook user.update.username.delete \(Ada.id)",
            ]),
        Case(
            action: "webauthn_credential_rename",
            inputs: ["passkey_id": "cGFzc2tleTE0", "passkey_name": "x"],
            ada: [AdaHas.email, AdaHas.credentials(passkeys: 1)], effects: []),
        Case(
            action: "webauthn_credential_delete", inputs: ["passkey_id": "cGFzc2tleTE0"],
            ada: [AdaHas.email, AdaHas.credentials(passkeys: 1)],
            effects: ["audit passkey_deleted \(who) credential_id=cGFzc2tleTE0"]),
        Case(
            action: "security_key_delete", inputs: ["security_key_id": "c2VjdXJpdHk0"],
            ada: [AdaHas.email, AdaHas.credentials(securityKeys: 1)], effects: notified),
        Case(action: "otp_secret_delete", ada: [AdaHas.email, AdaHas.otp], effects: notified),
        Case(
            action: "disconnect_thirdparty_oauth_provider",
            inputs: ["identity_id": .string(AdaHas.identityID)], ada: [AdaHas.email, AdaHas.identity],
            effects: []),
    ]

    @Test(arguments: cases)
    func `an action tells those whom it concerns`(given: Case) throws {
        try withHookReceiver { receiver, url in
            var profile = try ToldProfile(
                receiver, url,
                config: [Self.notifications, given.config].filter { !$0.isEmpty }.joined(separator: ", "),
                ada: given.ada.joined(separator: ", "))

            let effects = try profile.run(given.action, given.inputs)
            #expect(profile.client.error == nil, "\(profile.client.response.text)")
            let kinds = ["audit", "webhook", "cookie", "mail"]
            #expect(effects == kinds.flatMap { kind in given.effects.filter { $0.hasPrefix(kind) } })
        }
    }

    @Test(arguments: [
        ("webauthn_credential_create", "passkey_created"), ("security_key_create", "security_key_created"),
    ])
    func `a new credential is told`(action: String, type: String) throws {
        try withHookReceiver { receiver, url in
            var profile = try ToldProfile(receiver, url, config: Self.notifications, ada: AdaHas.email)
            var device = Device()

            let first = try profile.run(action)
            #expect(first == [])
            let credential = try device.create(profile.client)
            let effects = try profile.run("webauthn_verify_attestation_response", ["public_key": credential])
            let id = try #require(credential["id"]?.string)
            #expect(effects == ["audit \(type) \(Self.who)"] + Self.notified.reversed())
            #expect(try profile.bench.requireAda().credentials.map(\.id) == [id])
        }
    }

    @Test func `what is refused is told to nobody`() throws {
        try withHookReceiver { receiver, url in
            var profile = try ToldProfile(receiver, url, config: Self.notifications, ada: AdaHas.email)

            var effects = try profile.run("password_create", ["password": "short"])
            #expect(effects == [])
            #expect(profile.client.error == "form_data_invalid_error")
            effects = try profile.run("email_delete", ["email_id": .string(Ada.emailID)])
            #expect(effects == [])
            #expect(profile.client.error == "operation_not_permitted_error")
        }
    }

    @Test func `notifications are sent only where they are switched on`() throws {
        try withHookReceiver { receiver, url in
            var profile = try ToldProfile(receiver, url, ada: AdaHas.emails)

            let effects = try profile.run("email_delete", ["email_id": .string(AdaHas.secondID)])
            #expect(
                effects == [
                    "audit email_deleted \(Ada.id) \(AdaHas.secondAddress)",
                    "webhook user.update.email.delete \(Ada.id)",
                ])
        }
    }

    @Test func `whoever hears of a deleted account hears what it was`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.profile(
                config: #"""
                    "account": {"allow_deletion": true},
                    "webhooks": {"enabled": true, "hooks": [{"callback": "\#(url)/hook", "events": ["user.delete"]}]}
                    """#)
            var client = try bench.profileFlow()

            try client.run("account_delete")
            #expect(client.state == "account_deleted")
            try bench.awaitCalls(1)
            let claims = try bench.claims(of: try #require(receiver.received.first))
            #expect(claims["evt"] == "user.delete")
            guard case .object(let data)? = claims["data"] else { throw HookMissing() }
            #expect(data["id"] == .string(Ada.id))
            guard case .array(let emails)? = data["emails"] else { throw HookMissing() }
            #expect(emails.count == 1)
        }
    }
}
