import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// People of the flow tests beside Ada and Grace.
enum Linus {
    static let id = "11450000-0000-4000-8000-000000000003"
    static let address = "linus@example.com"
    static let username = "linus"
    static let password = "correct horse"
    /// The key of RFC 6238 in base32.
    static let secret = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"
}

extension TestBench where P == Hanko {
    /// Ada with a password, Grace without, Linus with a username and an authenticator app; Hanko's own defaults.
    static func flows(config: String = "", section: String = "", seed: UInt64 = 1) throws -> TestBench<Hanko>
    {
        try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {
                    "hanko": {
                        "config": {\(config)},
                        "users": [
                            {
                                "id": "\(Ada.id)", "password": {"text": "\(Linus.password)"},
                                "emails": [{"id": "\(Ada.emailID)", "address": "\(Ada.address)"}],
                            },
                            {"id": "\(Grace.id)", "emails": [{"id": "\(Grace.emailID)", "address": "\(Grace.address)"}]},
                            {
                                "id": "\(Linus.id)", "username": "\(Linus.username)",
                                "password": {"text": "\(Linus.password)"}, "otp": {"secret": "\(Linus.secret)"},
                                "emails": [{"address": "\(Linus.address)"}],
                            },
                        ],
                        \(section)
                    },
                }
                """,
            seed: seed)
    }

    /// A login in `login_password`.
    func passwordLogin(_ address: String, webauthn: Bool = false, headers: Headers = [:]) throws -> FlowClient
    {
        var client = try flow("/login", webauthn: webauthn, headers: headers)
        try client.run("continue_with_login_identifier", ["email": .string(address)])
        if client.state == "login_method_chooser" { try client.run("continue_to_password_login") }
        #expect(client.state == "login_password", "\(client.response.text)")
        return client
    }

    /// The code that an authenticator app of `secret` shows now.
    func otp(_ secret: String) throws -> JSON {
        .string(TOTP.code(try #require(Base32.decode(secret)), step: TOTP.step(at: clock.now)))
    }
}
