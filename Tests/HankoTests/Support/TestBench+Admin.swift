import Essentials
import HTTP
import PlatformKit
import TestKit

@testable import Hanko

/// What Ada has in the tests of the admin API.
enum Belongings {
    static let credentialID = "AQIDBA"
    /// The first key of the vectors of COSE.
    static let publicKey =
        "pQECAyYgASFYIO-sZ-FA86xd-Ju1Cgvq_qD4aJFMOAmJ6LI-TZ-eJ5yfIlggO0y-3XjOXMmhV9CzI6XyBCHaEa8TLNp52jGv0hahRlU"
    static let secondEmailID = "ada00000-0000-4000-8000-0000000000e9"
    static let passwordID = "ada00000-0000-4000-8000-0000000000d1"
    static let otpID = "ada00000-0000-4000-8000-0000000000d2"
    static let identityID = "ada00000-0000-4000-8000-0000000000d3"
    /// Nobody's.
    static let otherID = "ada00000-0000-4000-8000-0000000000ff"
}

extension TestBench where P == Hanko {
    /// Ada with everything that a user can have, Grace with an address; MFA is off.
    ///
    /// - Parameters:
    ///   - config: members of `config` beside `mfa`.
    ///   - section: members of `hanko` beside `config` and `users`.
    static func admin(config: String = "", section: String = "") throws -> TestBench<Hanko> {
        try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {
                    "config": {"mfa": {"enabled": false}, \(config)},
                    "users": [
                        {
                            "id": "\(Ada.id)", "username": "ada", "name": "Ada King", "given_name": "Ada",
                            "family_name": "King", "picture": "https://example.test/ada.png",
                            "emails": [
                                {"id": "\(Ada.emailID)", "address": "\(Ada.address)"},
                                {"id": "\(Belongings.secondEmailID)", "address": "ada@work.example.com", "is_verified": false}
                            ],
                            "password": {"id": "\(Belongings.passwordID)", "text": "correct horse"},
                            "otp": {"id": "\(Belongings.otpID)", "secret": "JBSWY3DPEHPK3PXP"},
                            "webauthn_credentials": [
                                {"id": "\(Belongings.credentialID)", "name": "Phone", "public_key": "\(Belongings.publicKey)",
                                    "transports": ["internal"]}
                            ],
                            "identities": [{"id": "\(Belongings.identityID)", "provider": "google", "subject": "117"}],
                            "metadata": {"public": {"role": "admin"}, "private": {"n": 1}, "unsafe": {"color": "red"}}
                        },
                        {"id": "\(Grace.id)", "created_at": "2026-01-01T12:00:00Z",
                            "emails": [{"id": "\(Grace.emailID)", "address": "\(Grace.address)"}]},
                    ],
                    \(section)
                }}
                """)
    }

    /// A call of the admin API.
    ///
    /// - Parameter body: JSON as it is sent; none where it is nil.
    func admin(
        _ method: Request.Method, _ path: String, _ body: String? = nil, headers: Headers = [:]
    ) -> Response {
        var headers = headers
        if body != nil { headers["Content-Type"] = "application/json" }
        return send(method, "/hanko-admin" + path, body: Array((body ?? "").utf8), headers: headers)
    }
}
