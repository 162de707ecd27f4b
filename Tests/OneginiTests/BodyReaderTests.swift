import HTTP
package import TestKit
import Testing

@testable package import Onegini

@Suite struct BodyReaderTests {
    @Test func `odd bodies come to their readers, who refuse them`() throws {
        try checkBodyReaders(of: Onegini.self)
    }
}

extension Onegini: SamplesBodies {
    package static let sampleParameters = [
        "user": "ada", "client_id": "backend", "type": "push", "profile": "ADA001",
        "/oauth/sdk/v1/profiles/:profile": "/oauth/sdk/v1/profiles/" + mintedProfile,
    ]

    /// Of the access tokens that the seed of a bench mints.
    private static let mintedProfile = "OFSGYS"

    package static let routesWithoutBody: Set<String> = Set(
        ["/oauth/api/v3", "/oauth/api/v4"].flatMap { base in
            ["disableFingerprint", "disableMobileAuthentication", "disablePushAuthentication"].map {
                "POST \(base)/users/:userId/devices/:deviceId/\($0)"
            }
        } + [
            "POST /oauth/.well-known/openid-configuration",
            "POST /oauth/.well-known/oauth-authorization-server",
            // Without a slash at its end nothing is done.
            "PATCH /oauth/api/v1/configuration/applications/:appId/platforms/:platform/versions/:versionName",
            "PATCH /api/v1/configuration/applications/:appId/platforms/:platform/versions/:versionName",
        ])

    package static func sampleBodies(for route: BodyRoute) -> SampleBodies {
        SampleBodies(forms: forms.filter { route.pattern.hasSuffix($0.key) }.map(\.value))
    }

    private static let forms = [
        "/authenticate/user": "type=x&user_id=ada&callback_uri=y", "/sms": "transaction_id=x",
        "/sms/resend": "transaction_id=x", "/introspect": "token=x", "/token": "grant_type=password",
        "/authorize": "client_id=web-app", "/logout": "id_token_hint=x", "/revoke": "token=x",
        "/userinfo": "access_token=x", "/device_authorization/approve": "user_code=x",
        "/device_authorization/verification": "user_code=x",
    ]

    package static func sampleCaller(of route: BodyRoute) throws -> SampleCaller<Onegini> {
        let bench = try TestBench<Onegini>.withCast()
        if route.pattern == "/oauth/device_authorization" {
            return SampleCaller(bench, headers: .basic(ofCast: "backend", "backend-secret"))
        }
        if let (name, password) = accounts.first(where: { route.pattern.contains($0.place) })?.account {
            return SampleCaller(bench, headers: .basic(ofCast: name, password))
        }
        let token = try bench.mint("access_token", user: "ada", client: phone.0, scope: "openid")
        return SampleCaller(bench, headers: ["Authorization": "Bearer " + token])
    }

    /// Ada's, an application of the token server.
    private static let phone = (
        "ADA0000000000000000000000000000000000000000000000000000000000001",
        "E50A31A6F514A113399C9EDE1A6E840AC07231B86702472829F353D9FF1EF3D4"
    )

    /// By a part of the pattern; the first counts.
    private static let accounts: [(place: String, account: (String, String))] = [
        ("/configuration/api-clients", ("admin-api", "admin-api-secret")),
        ("/configuration/web-hooks", ("admin-api", "admin-api-secret")),
        ("/configuration/", ("config-api", "config-api-secret")),
        ("/api/v1/token/", ("resource-gateway", "resource-gateway-secret")),
        ("/api/v2/token/", ("resource-gateway", "resource-gateway-secret")),
        ("/authenticate/", ("portal-api", "portal-api-secret")),
        ("/custom-registration/", ("portal-api", "portal-api-secret")),
        ("/api/v3/users/", ("end-user-api", "end-user-api-secret")),
        ("/api/v4/users/", ("end-user-api", "end-user-api-secret")),
        ("/clients/validate", phone), ("/pin-policy/validate", phone), ("/:profile/login", phone),
        ("/introspect", ("backend", "backend-secret")),
        ("/revoke", ("backend", "backend-secret")), ("/par", ("backend", "backend-secret")),
        ("/token", ("backend", "backend-secret")),
    ]
}
