import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct LoginFlowTests {
    @Test func `the default configuration lets a user with a password choose, and asks for a passkey`() throws
    {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login", webauthn: true)
        #expect(
            client.actions == [
                "continue_with_login_identifier", "webauthn_generate_request_options",
                "webauthn_verify_assertion_response",
            ])
        #expect(client.payload == [:])

        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(client.state == "login_method_chooser")
        #expect(
            client.actions == [
                "back", "continue_to_passcode_confirmation", "continue_to_password_login",
                "webauthn_generate_request_options",
            ])
        try client.run("continue_to_password_login")
        #expect(client.actions == ["back", "continue_to_passcode_confirmation_recovery", "password_login"])
        #expect(
            client.inputs(of: "password_login")
                == ["password": ["name": "password", "type": "password", "required": true]])

        try client.run("password_login", ["password": "wrong"])
        #expect(client.status == 400)
        #expect(
            client.input("password", of: "password_login")["error"]
                == ["code": "value_invalid_error", "message": "The value is invalid."])
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "onboarding_create_passkey")
        #expect(client.actions == ["skip", "webauthn_generate_creation_options"])
        try client.run("skip")
        #expect(client.state == "success")
        #expect(client.payload["last_login"] == ["login_method": "password"])
        #expect(client.payload["claims"]?["amr"] == ["pwd"])
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `an unknown address meets the same states, and every password is wrong`() throws {
        let bench = try TestBench.flows()
        var client = try bench.passwordLogin("nobody@example.com")

        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.status == 400)
        #expect(client.inputError("password", of: "password_login") == "value_invalid_error")
        #expect(bench.explanation?.contains("There is no user nobody@example.com") == true)
    }

    @Test func `passwords are tried five times a minute for an identifier`() throws {
        let bench = try TestBench.flows()
        var client = try bench.passwordLogin(Ada.address)
        for _ in 1...5 { try client.run("password_login", ["password": "wrong"]) }
        #expect(client.status == 400)

        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.status == 429)
        #expect(client.state == "login_password")
        #expect(client.error == "rate_limit_exceeded")
        #expect(client.payload == ["retry_after": 60])
        try bench.clock.advance(seconds: 60)
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "success")
    }

    @Test func `a forgotten password is replaced after a mailed code`() throws {
        let bench = try TestBench.flows(config: #""mfa": {"enabled": false}"#)
        var client = try bench.passwordLogin(Ada.address)
        try client.run("continue_to_passcode_confirmation_recovery")
        #expect(try bench.messages.first?.message.subject.hasSuffix("to recover your account") == true)
        try client.run("verify_passcode", ["code": .string(try client.code())])

        #expect(client.state == "login_password_recovery")
        #expect(client.actions == ["password_recovery"])
        #expect(
            client.inputs(of: "password_recovery") == [
                "new_password": [
                    "name": "new_password", "type": "password", "min_length": 8, "max_length": 72,
                    "required": true,
                ]
            ])
        try client.run("password_recovery", ["new_password": "battery staple"])
        #expect(client.state == "success")
        var again = try bench.passwordLogin(Ada.address)
        try again.run("password_login", ["password": "battery staple"])
        #expect(again.state == "success")
    }

    @Test func `recovery is off where the configuration says so`() throws {
        let bench = try TestBench.flows(config: #""password": {"recovery": false}"#)
        let client = try bench.passwordLogin(Ada.address)

        #expect(client.actions == ["back", "password_login"])
        #expect(bench.events.contains { $0.explanation?.contains("password.recovery is false") == true })
    }

    @Test func `going back from the password keeps nothing of the choice`() throws {
        let bench = try TestBench.flows()
        var client = try bench.passwordLogin(Ada.address)

        try client.run("back")
        #expect(client.state == "login_method_chooser")
        try client.run("back")
        #expect(client.state == "login_init")
        #expect(client.actions == ["continue_with_login_identifier"])
        let flow = try bench.world.database.read { try $0.all(Flow.self) }.first
        #expect(flow?.stash.email == nil)
        #expect(flow?.stash.capabilities != nil)
    }

    @Test func `what was right cannot be taken back`() throws {
        let bench = try TestBench.flows()
        var client = try bench.passwordLogin(Ada.address, webauthn: true)
        try client.run("password_login", ["password": .string(Linus.password)])

        #expect(client.state == "onboarding_create_passkey")
        #expect(!client.actions.contains("back"))
    }

    @Test(arguments: [
        (#""username": {"enabled": true, "use_as_login_identifier": true}"#, "identifier", "string"),
        (
            #""username": {"enabled": true, "use_as_login_identifier": true}, "email": {"use_as_login_identifier": false}"#,
            "username", "string"
        ),
        (#""email": {"max_length": 40}"#, "email", "email"),
    ])
    func `the identifier is what the configuration allows`(config: String, name: String, type: String) throws
    {
        var client = try TestBench.flows(config: config).flow("/login")

        #expect(client.input(name, of: "continue_with_login_identifier")["type"] == .string(type))
        let identifier = name == "email" ? Linus.address : " Linus"
        try client.run("continue_with_login_identifier", [name: identifier].json)
        #expect(client.state == "login_method_chooser", "\(client.response.text)")
    }

    @Test func `a username that nobody has is told`() throws {
        var client = try TestBench.flows(
            config: #""username": {"enabled": true, "use_as_login_identifier": true}"#
        ).flow("/login")

        try client.run("continue_with_login_identifier", ["identifier": "nobody"])
        #expect(client.status == 400)
        #expect(
            client.input("identifier", of: "continue_with_login_identifier")["error"]
                == ["code": "unknown_username_error", "message": "The username is unknown."])
    }

    @Test func `only what the user has is shown where the configuration wants it`() throws {
        let config = #""privacy": {"only_show_actual_login_methods": true}, "mfa": {"enabled": false}"#
        var grace = try TestBench.flows(config: config).flow("/login")
        try grace.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        #expect(grace.state == "passcode_confirmation")

        var ada = try TestBench.flows(
            config: config + #", "email": {"use_for_authentication": false}"#
        ).flow("/login")
        try ada.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(ada.state == "login_password")

        let bench = try TestBench.flows(config: config + #", "email": {"use_for_authentication": false}"#)
        var nothing = try bench.flow("/login")
        try nothing.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        #expect(nothing.state == "error")
        #expect(nothing.status == 500)
        #expect(
            nothing.body["error"]
                == ["code": "flow_discontinuity_error", "message": "The flow can't be continued."])
        #expect(nothing.body["actions"] == [:])

        var nobody = try TestBench.flows(config: config).flow("/login")
        try nobody.run("continue_with_login_identifier", ["email": "nobody@example.com"])
        #expect(nobody.state == "error")
        #expect(nobody.error == "flow_discontinuity_error")
    }

    @Test(arguments: [(true, "persistent", true), (false, "session", false), (nil, "session", false)])
    func `the user says whether to be remembered`(isRemembered: Bool?, retention: String, hasAge: Bool) throws
    {
        let bench = try TestBench.flows(config: #""session": {"cookie": {"retention": "prompt"}}"#)
        var client = try bench.flow("/login")
        if let isRemembered {
            try client.run("remember_me", ["remember_me": .boolean(isRemembered)])
            #expect(client.state == "login_init")
        }
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        try client.run("continue_to_password_login")
        try client.run("password_login", ["password": .string(Linus.password)])

        #expect(client.response.headers["X-Session-Retention"] == retention)
        let cookie = client.response.headers.values(of: "Set-Cookie").first { $0.hasPrefix("hanko=") }
        #expect(cookie?.contains("Max-Age=43200") == hasAge)
    }

    @Test func `who lacks username and address is asked for them`() throws {
        let bench = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {
                    "config": {
                        "mfa": {"enabled": false}, "email": {"optional": true},
                        "username": {"enabled": true, "use_as_login_identifier": true},
                    },
                    "users": [
                        {"id": "\(Linus.id)", "username": "linus", "password": {"text": "\(Linus.password)"}},
                        {"id": "\(Ada.id)", "emails": [{"address": "\(Ada.address)"}]},
                    ],
                }}
                """)
        var linus = try bench.flow("/login")
        try linus.run("continue_with_login_identifier", ["identifier": "linus"])
        #expect(linus.state == "login_password")
        try linus.run("password_login", ["password": .string(Linus.password)])
        #expect(linus.state == "onboarding_email")
        #expect(
            linus.inputs(of: "email_address_set") == [
                "email": [
                    "name": "email", "type": "string", "max_length": 120, "required": false, "value": .null,
                ]
            ])
        try linus.run("email_address_set", ["email": "no address"])
        #expect(linus.inputError("email", of: "email_address_set") == "value_invalid_error")
        #expect(linus.input("email", of: "email_address_set")["value"] == "no address")
        try linus.run("email_address_set", ["email": "Linus@Example.com"])
        #expect(linus.state == "passcode_confirmation")
        try linus.run("verify_passcode", ["code": .string(try linus.code())])
        #expect(linus.state == "success")
        #expect(linus.payload["user"]?["emails"]?.array?.first?["address"] == "linus@example.com")
        #expect(linus.payload["last_login"] == ["login_method": "password"])

        var ada = try bench.flow("/login")
        try ada.run("continue_with_login_identifier", ["identifier": .string(Ada.address)])
        try ada.run("continue_to_passcode_confirmation")
        try ada.run("verify_passcode", ["code": .string(try ada.code())])
        #expect(ada.state == "onboarding_username")
        #expect(ada.actions == ["skip", "username_create"])
        #expect(
            ada.inputs(of: "username_create") == [
                "username": [
                    "name": "username", "type": "string", "min_length": 3, "max_length": 32,
                    "required": false,
                ]
            ])
        try ada.run("username_create", ["username": "linus"])
        #expect(ada.inputError("username", of: "username_create") == "username_already_exists")
        try ada.run("username_create", ["username": "ADA"])
        #expect(ada.state == "success")
        #expect(ada.payload["user"]?["username"]?["username"] == "ada")
    }

    @Test func `two requests with one token are two, and one of them is refused`() throws {
        let bench = try TestBench.flows()
        var client = try bench.flow("/login")
        let (href, token) = (try client.href("continue_with_login_identifier"), client.token)

        try client.post(href, token: token, ["email": .string(Ada.address)])
        #expect(client.status == 200)
        try client.post(href, token: token, ["email": .string(Ada.address)])
        #expect(client.status == 403)
    }
}

extension [String: String] {
    fileprivate var json: JSON { .object(mapValues(JSON.string)) }
}
