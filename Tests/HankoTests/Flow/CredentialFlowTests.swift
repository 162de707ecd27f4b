import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct CredentialFlowTests {
    /// Ada with a passkey on the phone, made on the way through a login.
    static func withPasskey(
        _ phone: inout Phone, config: String = "", section: String = ""
    ) throws -> TestBench<Hanko> {
        let bench = try TestBench.flows(config: config, section: section)
        var client = try bench.passwordLogin(Ada.address, webauthn: true)
        try client.run("password_login", ["password": .string(Linus.password)])
        try client.run("webauthn_generate_creation_options")
        try client.run("webauthn_verify_attestation_response", try phone.create(client.payload))
        #expect(client.state == "success", "\(client.response.text)")
        #expect(client.payload["user"]?["passkeys"]?.array?.count == 1)
        return bench
    }

    @Test func `a passkey signs in without a name and without a second factor`() throws {
        var phone = Phone()
        let bench = try Self.withPasskey(&phone)
        var client = try bench.flow("/login", webauthn: true)
        try client.run("webauthn_generate_request_options")
        #expect(client.state == "login_passkey")
        #expect(client.actions == ["back", "webauthn_verify_assertion_response"])
        #expect(client.payload["request_options"]?["publicKey"]?["rpId"] == "localhost")
        #expect(client.payload["request_options"]?["publicKey"]?["allowCredentials"] == nil)

        try client.run("webauthn_verify_assertion_response", try phone.get(client.payload))
        #expect(client.state == "success", "\(client.response.text)")
        #expect(client.payload["user"]?["id"]?.string == Ada.id)
        #expect(client.payload["last_login"] == ["login_method": "passkey"])
        #expect(client.payload["claims"]?["amr"] == ["passkey"])
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [false, true])
    func `an old challenge is let pass with a warning, unless the fixtures are strict`(isStrict: Bool) throws
    {
        var phone = Phone()
        let bench = try Self.withPasskey(
            &phone, section: isStrict ? "\"strict_webauthn\": true" : "")
        var client = try bench.flow("/login", webauthn: true)
        try client.run("webauthn_generate_request_options")
        let assertion = try phone.get(client.payload)

        try bench.clock.advance(seconds: 601)
        try client.run("webauthn_verify_assertion_response", assertion)
        #expect(client.status == (isStrict ? 401 : 200))
        #expect((client.state == "success") == !isStrict)
        let told = isStrict ? [bench.explanation] : bench.events.map(\.explanation)
        #expect(
            told.contains {
                $0?.contains("challengeExpired") == true
                    && $0?.contains(isStrict ? "“strict_webauthn” is on" : "Let pass as Hanko does") == true
            })
    }

    @Test func `the input field gets new options every time, and the last ones count`() throws {
        var phone = Phone()
        let bench = try Self.withPasskey(&phone)
        var client = try bench.flow("/login", webauthn: true, conditional: true)
        #expect(client.actions.contains("webauthn_verify_assertion_response"))
        let stale = client.payload
        try client.run("continue_with_login_identifier", ["email": "no address"])
        #expect(client.status == 400)
        #expect(client.payload["request_options"] != nil && client.payload != stale)

        try client.run("webauthn_verify_assertion_response", try phone.get(stale))
        #expect(client.status == 401)
        #expect(client.state == "login_init")
        #expect(client.body["error"] == ["code": "passkey_invalid", "message": "The passkey is invalid."])
        try client.run("webauthn_verify_assertion_response", try phone.get(client.payload))
        #expect(client.state == "success", "\(client.response.text)")
    }

    @Test(arguments: [["assertion_response": "{"], ["assertion_response": [:]], [:]] as [JSON])
    func `what is no assertion is an invalid passkey`(input: JSON) throws {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login", webauthn: true)
        try client.run("webauthn_generate_request_options")

        try client.run("webauthn_verify_assertion_response", input)
        #expect(client.status == 401)
        #expect(client.state == "login_passkey")
        #expect(client.error == "passkey_invalid")
        #expect(client.payload["request_options"] != nil)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the passkey of another user than the one who was named ends the flow`() throws {
        var phone = Phone()
        let bench = try Self.withPasskey(&phone)
        var client = try bench.flow("/login", webauthn: true)
        try client.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        try client.run("webauthn_generate_request_options")

        try client.run("webauthn_verify_assertion_response", try phone.get(client.payload))
        #expect(client.state == "error")
        #expect(client.status == 401)
        #expect(client.error == "passkey_invalid")
        #expect(bench.explanation?.contains(Ada.id) == true)
    }

    @Test func `a new credential that is not accepted is told, and the flow goes on without`() throws {
        let bench = try TestBench.flows()
        var (client, phone) = (
            try bench.passwordLogin(Ada.address, webauthn: true), Phone(origin: "https://evil.test")
        )
        try client.run("password_login", ["password": .string(Linus.password)])
        try client.run("webauthn_generate_creation_options")
        let payload = try client.payload.replacingText("\"localhost\"", with: "\"evil.test\"")

        try client.run("webauthn_verify_attestation_response", try phone.create(payload))
        #expect(client.state == "success")
        #expect(client.status == 401)
        #expect(client.error == "passkey_invalid")
        #expect(client.payload["user"]?["passkeys"] == nil)
        #expect(client.response.sessionToken != nil)
    }

    @Test func `options come only when asked for, and are off where nothing can use them`() throws {
        let bench = try TestBench.flows(config: #""passkey": {"enabled": false}"#)
        let client = try bench.flow("/login", webauthn: true, conditional: true)

        #expect(client.payload == [:])
        #expect(
            client.actions == ["continue_with_login_identifier", "webauthn_verify_assertion_response"])
        #expect(bench.events.contains { $0.explanation?.contains("passkey.enabled is false") == true })
        #expect(
            try bench.flow("/login", conditional: true).actions == ["continue_with_login_identifier"])
    }

    @Test func `an assertion without options is a technical error and changes nothing`() throws {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login", webauthn: true)
        #expect(
            client.actions == [
                "continue_with_login_identifier", "webauthn_generate_request_options",
                "webauthn_verify_assertion_response",
            ])
        let (href, token) = (try client.href("continue_with_login_identifier"), client.token)

        try client.run("webauthn_verify_assertion_response", ["assertion_response": [:]])
        #expect(client.body == EngineTests.technical)
        #expect(bench.explanation?.contains("no request options were given out") == true)
        try client.post(href, token: token, ["email": .string(Ada.address)])
        #expect(client.status == 200)
    }

    @Test func `a security key is a second factor, and does not sign in by itself`() throws {
        let bench = try TestBench.flows(config: #""mfa": {"acquire_on_login": true}"#)
        var (client, phone) = (try bench.passwordLogin(Ada.address, webauthn: true), Phone())
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "mfa_method_chooser")
        try client.run("continue_to_security_key_creation")
        #expect(client.state == "mfa_security_key_creation")
        #expect(client.actions == ["back", "webauthn_generate_creation_options"])
        try client.run("webauthn_generate_creation_options")
        let options = client.payload["creation_options"]?["publicKey"]
        #expect(
            options?["authenticatorSelection"] == [
                "authenticatorAttachment": "cross-platform", "requireResidentKey": false,
                "residentKey": "discouraged",
                "userVerification": "discouraged",
            ])
        #expect(options?["timeout"] == 120_000)
        try client.run("webauthn_verify_attestation_response", try phone.create(client.payload))
        #expect(client.state == "onboarding_create_passkey", "\(client.response.text)")
        try client.run("skip")
        #expect(client.payload["user"]?["security_keys"]?.array?.count == 1)

        client = try bench.passwordLogin(Ada.address, webauthn: true)
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "login_security_key")
        #expect(client.actions == ["webauthn_generate_request_options"])
        try client.run("webauthn_generate_request_options")
        #expect(client.state == "login_passkey")
        #expect(client.payload["request_options"]?["publicKey"]?["allowCredentials"]?.array?.count == 1)
        try client.run("webauthn_verify_assertion_response", try phone.get(client.payload))
        #expect(client.state == "onboarding_create_passkey", "\(client.response.text)")
        try client.run("skip")
        try client.run("skip")
        #expect(client.payload["last_login"] == ["login_method": "password", "mfa_method": "security_key"])

        client = try bench.flow("/login", webauthn: true)
        try client.run("webauthn_generate_request_options")
        try client.run("webauthn_verify_assertion_response", try phone.get(client.payload))
        #expect(client.status == 401)
        #expect(client.state == "login_passkey")
        #expect(
            client.body["error"] == [
                "code": "webauthn_credential_invalid_mfa_only",
                "message": "The credential can be used as a second factor only.",
            ])

        client = try bench.passwordLogin(Ada.address)
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "error")
        #expect(client.error == "platform_authenticator_required")
    }
}

extension JSON {
    fileprivate func replacingText(_ text: String, with other: String) throws -> JSON {
        try JSON(parsing: Array(self.text.replacing(text, with: other).utf8))
    }
}
