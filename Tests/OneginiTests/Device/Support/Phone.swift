import Crypto
import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// A registered device in a test, with what it would keep.
struct Phone: Sendable {
    let id: String
    let secret: String
    var profile = ""
    var accessToken = ""
    var refreshToken = ""

    /// The device's own credentials.
    var headers: Headers { ["Authorization": "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()] }
    /// The user's access token.
    var user: Headers { ["Authorization": "Bearer \(accessToken)"] }
}

/// An application with a PIN policy and versions in every state.
enum ExampleApp {
    static let id = "com.example.app"
    /// Of the vectors.
    static let signature = "ABCDE12345.com.example.app"
    static let redirectURI = "com.example.app://redirect"

    /// Members of the application beside those that every test has.
    static func json(_ members: String = "") -> String {
        """
        {
            "identifier": "\(id)", "redirect_uris": ["\(redirectURI)"], "scope": "openid profile",
            "versions": [
                {"platform": "ios", "version_name": "1.0.0",
                 "application_signatures": ["other.signature", "\(signature)"]},
                {"platform": "android", "version_name": "1.0.0", "application_signatures": ["android.signature"]},
                {"platform": "ios", "version_name": "0.9.0", "status": "LOGIN_ONLY"},
                {"platform": "ios", "version_name": "0.8.0", "status": "DISABLED"},
                {"platform": "ios", "version_name": "1.1.0", "minimum_os_version": "15.2", "blocked_os_versions": ["16.0"],
                 "application_signatures": ["\(signature)"]},
                {"platform": "android", "version_name": "2.0.0", "integrity_check": "NONE"},
                {"platform": "ios", "version_name": "3.0.0"},
            ],
            \(members)
        }
        """
    }
}

extension TestBench where P == Onegini {
    /// - Parameters:
    ///   - app: members of the application.
    ///   - section: members of `onegini` beside `applications`, `pgp` and `oauth`.
    static func devices(app: String = "", section: String = "", hasKeys: Bool = true) throws -> TestBench<
        Onegini
    > {
        let lines = TestKeys.rsa.split(separator: "\n").joined(separator: "\", \"")
        let pgp =
            #""pgp": {"created_at": "2024-01-01T00:00:00Z", "primary": ["\#(lines)"], "encryption": ["\#(lines)"]},"#
        return try TestBench<Onegini>(
            Onegini.self,
            fixtures: """
                {"onegini": {
                    "applications": [\(ExampleApp.json(app))],
                    \(hasKeys ? pgp : "")
                    "oauth": {
                        "scopes": [{"name": "openid", "description": "Sign in"}, {"name": "profile", "description": "Name"}],
                        "users": [{"sub": "ada"}, {"sub": "grace"}],
                        "clients": [
                            {"client_id": "portal", "client_secret": "secret", "kind": "web", "scope": "openid",
                             "default_scope": "openid", "grant_types": ["authorization_code"]},
                            {"client_id": "users", "client_secret": "secret", "kind": "api",
                             "scope": "onegini_api_user_registration"},
                            {"client_id": "events", "client_secret": "secret", "kind": "api",
                             "scope": "onegini_api_events"},
                        ],
                    },
                    \(section)
                }}
                """)
    }

    var onegini: Onegini { Onegini(world) }

    func sdk(_ path: String) -> String { "/oauth/sdk/v1" + path }

    /// Asks for a challenge; identifier and challenge.
    func challenge(
        version: String = "1.0.0", platform: String = "ios", os: String? = nil
    ) throws -> (identifier: String, challenge: String) {
        var body = ["app_identifier": ExampleApp.id, "app_platform": platform, "app_version": version]
        body["os_version"] = os
        let response = try post(sdk("/clients/challenge"), body)
        #expect(response.status == .ok, "\(response.text)")
        let fields = response.fields
        return (try #require(fields["identifier"]), try #require(fields["challenge"]))
    }

    /// The right response, for a clock that is off by minutes.
    func response(
        to challenge: String, signature: String = ExampleApp.signature, minutesOff: Int = 0
    ) throws -> String {
        RegistrationResponse.response(
            key: Digest.sha256(Array(signature.utf8)), question: try #require(Hex.decode(challenge)),
            step: Int(onegini.server.now.timeIntervalSince1970) / 60 + minutesOff)
    }

    /// A new device.
    func register(
        version: String = "1.0.0", os: String? = nil, name: String? = "Ada's phone"
    ) throws -> Phone {
        let asked = try challenge(version: version, os: os)
        var body = [
            "identifier": asked.identifier, "ocra_response": try response(to: asked.challenge),
            "device_model": "Model 5",
        ]
        body["device_name"] = name
        let response = try post(sdk("/clients"), body)
        #expect(response.status == .created, "\(response.text)")
        let fields = response.fields
        return Phone(
            id: try #require(fields["client_id"]), secret: try #require(fields["client_secret"]))
    }

    /// Registers a user on the device by the provider that believes what it is told.
    func logIn(
        _ user: String = "ada", on phone: Phone, profile: String? = nil
    ) throws -> Phone {
        let response = try registerUser(user, on: phone, profile: profile)
        let token = try #require(try response.json(Completed.self).oauth_token, "\(response.text)")
        var phone = phone
        phone.accessToken = token.access_token
        phone.refreshToken = token.refresh_token ?? ""
        phone.profile = token.profile_id ?? ""
        return phone
    }

    func registerUser(_ user: String, on phone: Phone, profile: String? = nil) throws -> Response {
        var body: [String: JSONValue] = ["data": ["userId": .string(user)]]
        body["profile_id"] = profile.map(JSONValue.string)
        return try post(
            "/oauth/custom-registration/understudy-direct/complete", JSONValue.object(body),
            headers: phone.headers)
    }

    struct Completed: Decodable {
        struct Token: Decodable {
            let access_token: String
            let refresh_token: String?
            let profile_id: String?
        }
        let status: Int
        let oauth_token: Token?
    }

    /// A device with ada on it.
    func registeredUser(_ user: String = "ada") throws -> Phone { try logIn(user, on: try register()) }

    func form(_ path: String, _ fields: KeyValuePairs<String, String>, headers: Headers) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        let body = fields.map { "\($0.key)=\($0.value.formEscaped)" }.joined(separator: "&")
        return send(.post, "/oauth" + path, body: Array(body.utf8), headers: headers)
    }

    func refresh(_ phone: Phone, token: String? = nil, profile: String? = nil) -> Response {
        form(
            "/v1/token",
            [
                "grant_type": "refresh_token", "refresh_token": token ?? phone.refreshToken,
                "profile_id": profile ?? phone.profile,
            ], headers: phone.headers)
    }

    /// Names of the audit log's events, the oldest first.
    var eventTypes: [String] {
        get throws {
            try world.database.read { db in
                var types: [String] = []
                try db.each("SELECT event_type FROM onegini_event ORDER BY position") {
                    types.append(try $0.text("event_type"))
                }
                return types
            }
        }
    }
}

/// Whole body of a refusal as text, without its description.
extension Response {
    var refusal: [String: String] {
        var fields = fields
        fields["error_description"] = nil
        return fields
    }
}
