import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// A login with a mailed code and nothing else, member by member.
struct WorkedExampleTests {
    static let config = #""password": {"enabled": false}, "passkey": {"enabled": false}"#

    @Test func `a passwordless login goes from preflight to success`() throws {
        let bench = try TestBench.classic(config: Self.config)

        var client = try FlowClient(bench, "/login")
        let id = try Self.flowID(client, "register_client_capabilities")
        #expect(client.status == 200)
        #expect(client.response.headers["Content-Type"] == "application/json")
        #expect(
            client.body == [
                "name": "preflight", "status": 200, "payload": [:], "csrf_token": .string(client.token),
                "actions": [
                    "register_client_capabilities": [
                        "href": .string("/login?action=register_client_capabilities%40\(id)"),
                        "inputs": [
                            "webauthn_available": Self.flag("webauthn_available", isRequired: true),
                            "webauthn_conditional_mediation_available": Self.flag(
                                "webauthn_conditional_mediation_available"),
                            "webauthn_platform_authenticator_available": Self.flag(
                                "webauthn_platform_authenticator_available"),
                        ],
                        "action": "register_client_capabilities",
                        "description": "Send the capabilities of the client.",
                    ]
                ],
                "links": .null,
            ])
        #expect(client.token.wholeMatch(of: /[0-9A-Za-z]{32}/) != nil)

        let first = client.token
        try client.run("register_client_capabilities", ["webauthn_available": false])
        #expect(client.token != first)
        #expect(
            client.body == [
                "name": "login_init", "status": 200, "payload": [:], "csrf_token": .string(client.token),
                "actions": [
                    "continue_with_login_identifier": [
                        "href": .string("/login?action=continue_with_login_identifier%40\(id)"),
                        "inputs": [
                            "email": [
                                "name": "email", "type": "email", "min_length": 3, "max_length": 120,
                                "required": true,
                            ]
                        ],
                        "action": "continue_with_login_identifier",
                        "description": "Enter an identifier to login.",
                    ]
                ],
                "links": .null,
            ])

        try client.run("continue_with_login_identifier", ["email": "ADA@Example.com "])
        #expect(client.state == "passcode_confirmation")
        #expect(client.status == 200)
        #expect(client.payload == [:])
        #expect(client.actions == ["back", "resend_passcode", "verify_passcode"])
        #expect(try bench.messages.first?.message.to.address == Ada.address)
        let code = try client.code()

        let second = client.token
        try client.run("verify_passcode", ["code": .string(bench.wrong(code))])
        #expect(client.status == 400)
        #expect(client.body["status"] == 400)
        #expect(client.state == "passcode_confirmation")
        #expect(client.token != second && !client.token.isEmpty)
        #expect(client.payload == [:])
        #expect(client.actions == ["back", "resend_passcode", "verify_passcode"])
        #expect(
            client.inputs(of: "verify_passcode") == [
                "code": [
                    "name": "code", "type": "string", "required": true,
                    "error": ["code": "passcode_invalid", "message": "The passcode is invalid."],
                ]
            ])
        #expect(
            client.body["error"] == ["code": "form_data_invalid_error", "message": "Form data invalid."])
        #expect(bench.explanation?.contains("2 tries left") == true)

        try client.run("verify_passcode", ["code": .string(code)])
        #expect(client.status == 200)
        #expect(client.state == "success")
        #expect(client.body["actions"] == [:])
        #expect(client.body["links"] == .null)
        #expect(client.body["error"] == nil)
        #expect(client.payload["last_login"] == ["login_method": "passcode"])
        #expect(client.payload["user"]?["user_id"]?.string == Ada.id)
        #expect(client.payload["claims"]?["expiration"] == "2026-01-02T15:04:05Z")
        #expect(client.payload["claims"]?["amr"] == ["otp"])
        #expect(client.response.headers["X-Session-Lifetime"] == "43200")
        #expect(client.response.headers["X-Session-Retention"] == "persistent")

        let token = try #require(client.response.sessionToken)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
        #expect(try TokenReader(token).claims["amr"] == ["otp"])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `what the session says is what the token says`() throws {
        let bench = try TestBench.mobile(config: Self.config)
        var client = try bench.flow("/login")
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        try client.run("verify_passcode", ["code": .string(try client.code())])

        let token = try #require(client.response.headers["X-Auth-Token"])
        #expect(client.response.headers.values(of: "Set-Cookie") == [])
        let validity = try JSON(
            parsing: bench.get("/hanko/sessions/validate", headers: .bearer(token)).bytes)
        #expect(client.payload["claims"] == validity["claims"])
    }

    private static func flag(_ name: String, isRequired: Bool? = nil) -> JSON {
        var members: [String: JSON] = ["name": .string(name), "type": "boolean", "hidden": true]
        members["required"] = isRequired.map(JSON.boolean)
        return .object(members)
    }

    private static func flowID(_ client: FlowClient, _ action: String) throws -> String {
        let id = try String(#require(client.href(action).split(separator: "%40").last))
        #expect(UUIDText.isVersion4(id))
        return id
    }
}
