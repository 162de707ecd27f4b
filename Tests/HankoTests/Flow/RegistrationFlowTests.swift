import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct RegistrationFlowTests {
    static let address = "new@example.com"

    /// Past the confirmation of a new address.
    static func confirmed(
        _ bench: TestBench<Hanko>, webauthn: Bool = false, inputs: JSON = ["email": "New@Example.com "]
    ) throws -> FlowClient {
        var client = try bench.flow("/registration", webauthn: webauthn)
        try client.run("register_login_identifier", inputs)
        #expect(client.state == "passcode_confirmation", "\(client.response.text)")
        try client.run("verify_passcode", ["code": .string(try client.code())])
        return client
    }

    @Test func `the default configuration asks for code, password, second factor and passkey`() throws {
        let bench = try TestBench.flows()
        var (client, phone) = (try Self.confirmed(bench, webauthn: true), Phone())
        #expect(
            try bench.messages.first?.message.subject
                == "Use passcode \(try client.code()) to verify your email address")
        #expect(client.state == "password_creation")
        #expect(
            client.inputs(of: "register_password") == [
                "new_password": [
                    "name": "new_password", "type": "password", "min_length": 8, "required": true,
                ]
            ])
        #expect(client.actions == ["register_password"])

        try client.run("register_password", ["new_password": "correct horse"])
        #expect(client.state == "mfa_method_chooser")
        #expect(
            client.actions == [
                "continue_to_otp_secret_creation", "continue_to_security_key_creation", "skip",
            ])
        try client.run("continue_to_otp_secret_creation")
        #expect(client.state == "mfa_otp_secret_creation")
        let secret = try #require(client.payload["otp_secret"]?.string)
        #expect(
            client.payload["otp_image_source"]?.string?.hasPrefix("data:image/png;base64,iVBORw0KGgo") == true
        )
        try client.run("otp_code_verify", ["otp_code": "000000"])
        #expect(client.status == 400)
        #expect(client.inputError("otp_code", of: "otp_code_verify") == "passcode_invalid")
        #expect(client.payload["otp_secret"]?.string == secret)
        try client.run("otp_code_verify", ["otp_code": try bench.otp(secret)])

        #expect(client.state == "onboarding_create_passkey")
        #expect(client.actions == ["skip", "webauthn_generate_creation_options"])
        try client.run("webauthn_generate_creation_options")
        #expect(client.state == "onboarding_verify_passkey_attestation")
        #expect(client.actions == ["back", "webauthn_verify_attestation_response"])
        let options = client.payload["creation_options"]?["publicKey"]
        #expect(options?["user"]?["name"] == "new@example.com")
        #expect(options?["excludeCredentials"] == nil)
        #expect(try bench.world.database.read { try $0.all(User.self).count } == 3)
        try client.run("webauthn_verify_attestation_response", try phone.create(client.payload))

        #expect(client.state == "success")
        #expect(client.status == 200)
        let user = try #require(client.payload["user"])
        #expect(user["emails"]?.array?.first?["address"] == "new@example.com")
        #expect(user["emails"]?.array?.first?["is_verified"] == true)
        #expect(user["emails"]?.array?.first?["is_primary"] == true)
        #expect(user["passkeys"]?.array?.count == 1)
        #expect(user["mfa_config"]?["auth_app_set_up"] == true)
        #expect(client.payload["last_login"] == nil)
        #expect(client.payload["claims"]?["amr"] == ["otp", "pwd", "passkey", "totp"])
        #expect(client.response.headers["X-Session-Lifetime"] == "43200")
        #expect(bench.events.contains { $0.event == "user created" })
        #expect(bench.misshapenExplanations == [])

        var login = try bench.passwordLogin(Self.address)
        try login.run("password_login", ["password": "correct horse"])
        #expect(login.state == "login_otp")
    }

    @Test func `passwordless it is a code and a passkey that may be skipped`() throws {
        let bench = try TestBench.flows(config: #""mfa": {"enabled": false}, "password": {"enabled": false}"#)
        var client = try Self.confirmed(bench, webauthn: true)
        #expect(client.state == "onboarding_create_passkey")
        try client.run("skip")

        #expect(client.state == "success")
        #expect(client.payload["claims"]?["amr"] == ["otp"])
    }

    @Test func `an abandoned registration leaves no user behind`() throws {
        let bench = try TestBench.flows()
        _ = try Self.confirmed(bench)

        let users = try bench.world.database.read { try $0.all(User.self).map(\.id) }
        #expect(users == [Ada.id, Grace.id, Linus.id])
    }

    @Test func `nobody is told that an address is taken, and no code helps`() throws {
        let bench = try TestBench.flows()
        var client = try bench.flow("/registration")
        try client.run("register_login_identifier", ["email": .string(Ada.address)])

        #expect(client.state == "passcode_confirmation")
        #expect(client.status == 200)
        let mail = try #require(try bench.messages.first?.message)
        #expect(mail.subject == "Provided email address already taken")
        #expect(mail.to.address == Ada.address && mail.code == nil)
        #expect(
            bench.events.first { $0.event == "address taken" }?.explanation?.contains(
                "The address \(Ada.address) belongs to the user \(Ada.id) already") == true)

        // The same seed draws the same code in a world where the mail carries it.
        var twin = try TestBench.flows().flow("/registration")
        try twin.run("register_login_identifier", ["email": .string(Self.address)])
        try client.run("verify_passcode", ["code": .string(try twin.code())])
        #expect(client.status == 403)
        #expect(client.error == "operation_not_permitted_error")
        #expect(bench.explanation?.contains("email_registration_attempted") == true)
    }

    @Test(arguments: [
        #""privacy": {"show_account_existence_hints": true}"#, #""email": {"require_verification": false}"#,
    ])
    func `existence hints, or no verification, tell that an address is taken`(config: String) throws {
        let bench = try TestBench.flows(config: config)
        var client = try bench.flow("/registration")

        try client.run("register_login_identifier", ["email": .string(Ada.address)])
        #expect(client.status == 400)
        #expect(client.state == "registration_init")
        #expect(
            client.input("email", of: "register_login_identifier")["error"]
                == ["code": "email_already_exists", "message": "The email address already exists."])
    }

    @Test func `a username is taken or free, and has its form`() throws {
        let bench = try TestBench.flows(config: #""username": {"enabled": true}"#)
        var client = try bench.flow("/registration")
        #expect(
            client.inputs(of: "register_login_identifier") == [
                "email": ["name": "email", "type": "email", "max_length": 120, "required": true],
                "username": [
                    "name": "username", "type": "string", "min_length": 3, "max_length": 32,
                    "required": false,
                ],
            ])

        for (name, code, message) in [
            ("LINUS", "username_already_exists", "The username already exists."),
            ("li nus", "invalid_username_error", "The username is invalid."),
            ("li", "value_too_short_error", "The value is too short."),
            (String(repeating: "a", count: 33), "value_too_long_error", "The value is too long."),
        ] {
            try client.run(
                "register_login_identifier", ["email": .string(Self.address), "username": .string(name)])
            #expect(client.status == 400)
            #expect(
                client.input("username", of: "register_login_identifier")["error"]
                    == ["code": .string(code), "message": .string(message)])
        }
        try client.run("register_login_identifier", ["email": .string(Self.address), "username": "New_1"])
        try client.run("verify_passcode", ["code": .string(try client.code())])
        try client.run("register_password", ["new_password": "correct horse"])
        try client.run("skip")
        #expect(client.state == "success")
        #expect(client.payload["user"]?["username"]?["username"] == "new_1")
        #expect(client.payload["claims"]?["username"] == "new_1")
    }

    @Test func `with both optional one is needed`() throws {
        let bench = try TestBench.flows(
            config: #""username": {"enabled": true}, "email": {"optional": true}"#)
        var client = try bench.flow("/registration")

        try client.run("register_login_identifier", [:])
        #expect(client.inputError("email", of: "register_login_identifier") == "value_missing_error")
        #expect(client.inputError("username", of: "register_login_identifier") == "value_missing_error")
        try client.run("register_login_identifier", ["username": "somebody"])
        #expect(client.state == "password_creation")
    }

    @Test(arguments: [
        (#""account": {"allow_signup": false}"#, "account.allow_signup is false"),
        (#""email": {"acquire_on_registration": false}"#, "neither addresses nor usernames"),
    ])
    func `registration is off where nobody may sign up or nothing is asked for`(
        config: String, reason: String
    ) throws {
        let bench = try TestBench.flows(config: config)
        let client = try bench.flow("/registration")

        #expect(client.state == "registration_init")
        #expect(client.actions == [])
        #expect(bench.events.contains { $0.explanation?.contains(reason) == true })
    }

    @Test(arguments: [
        ("short", "value_too_short_error"), ("", "value_missing_error"),
        ("äöüäöüä", "value_invalid_error"),
        (String(repeating: "a", count: 73), "value_too_long_error"),
    ])
    func `a password has its length`(password: String, code: String) throws {
        var client = try Self.confirmed(TestBench.flows())

        try client.run("register_password", ["new_password": .string(password)])
        #expect(client.status == 400)
        #expect(client.state == "password_creation")
        #expect(client.inputError("new_password", of: "register_password") == code)
        #expect(client.input("new_password", of: "register_password")["value"] == nil)
    }

    @Test func `a password that may be skipped may be left out, but not be empty`() throws {
        let bench = try TestBench.flows(config: #""password": {"optional": true}"#)
        var client = try Self.confirmed(bench)
        #expect(client.input("new_password", of: "register_password")["required"] == false)

        try client.run("register_password", ["new_password": ""])
        #expect(client.inputError("new_password", of: "register_password") == "value_invalid_error")
    }

    @Test func `what a refused action wrote is forgotten`() throws {
        let bench = try TestBench.flows(config: #""username": {"enabled": true}"#)
        var client = try bench.flow("/registration")
        try client.run("register_login_identifier", ["email": .string(Self.address), "username": "linus"])
        #expect(client.status == 400)

        let flows = try bench.world.database.read { try $0.all(Flow.self) }
        #expect(flows.first?.stash.email == nil)
        #expect(flows.first?.stash.newUserID == nil)
        #expect(flows.first?.history.count == 1)
    }

    @Test func `a chosen credential cannot be skipped at once, and skipping one leads to the other`() throws {
        let bench = try TestBench.flows(
            config: """
                "mfa": {"enabled": false},
                "password": {"optional": true, "acquire_on_registration": "conditional"},
                "passkey": {"acquire_on_registration": "conditional"}
                """)
        var client = try Self.confirmed(bench, webauthn: true)
        #expect(client.state == "credential_onboarding_chooser")
        #expect(
            client.actions == [
                "continue_to_passkey_registration", "continue_to_password_registration", "skip",
            ])

        try client.run("continue_to_password_registration")
        #expect(client.state == "password_creation")
        #expect(client.actions == ["back", "register_password"])
        try client.run("register_password", ["new_password": "short"])
        #expect(client.actions == ["back", "register_password", "skip"])
        try client.run("skip")
        #expect(client.state == "onboarding_create_passkey")
        try client.run("skip")
        #expect(client.state == "success")
    }

    @Test func `nobody may skip the only way to sign in`() throws {
        let bench = try TestBench.flows(
            config: """
                "mfa": {"enabled": false}, "email": {"use_for_authentication": false},
                "password": {"optional": true, "acquire_on_registration": "never"}
                """)
        let client = try Self.confirmed(bench, webauthn: true)

        #expect(client.state == "onboarding_create_passkey")
        #expect(client.actions == ["webauthn_generate_creation_options"])
        #expect(bench.events.contains { $0.explanation?.contains("nothing to sign in with") == true })
    }

    @Test func `a mandatory second factor that the device cannot make ends the flow`() throws {
        let bench = try TestBench.flows(
            config: #""mfa": {"optional": false, "totp": {"enabled": false}}, "password": {"enabled": false}"#
        )
        let client = try Self.confirmed(bench)

        #expect(client.state == "error")
        #expect(client.status == 401)
        #expect(client.body["actions"] == [:])
        #expect(client.payload == [:])
        #expect(
            client.body["error"] == [
                "code": "platform_authenticator_required",
                "message": "The account requires an authenticator that this device does not have.",
            ])
        #expect(bench.explanation?.contains("mfa.optional is false") == true)
    }
}
