import HTTP
import TestKit
import Testing

@testable import OpenID

/// Rich authorization requests are not emulated, and refused where they come. Source: RFC 9396 §5.
struct RichRequestTests {
    private static let details = #"[{"type":"payment_initiation"}]"#

    @Test func `at the token endpoint`() throws {
        let bench = try TestBench.tokens()
        let answer = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("authorization_details", Self.details)],
            as: "machine")
        #expect(answer.refusal == "400 invalid_authorization_details")
        #expect(bench.explanation?.contains("RFC 9396") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `at the authorization endpoint, pushed and for devices`() throws {
        let bench = try Cast.bench(
            """
            {"client_id": "tv", "token_endpoint_auth_method": "none", "scope": "openid", "response_types": [],
             "grant_types": ["urn:ietf:params:oauth:grant-type:device_code"]}
            """)
        let answer = Browser(bench).open(Cast.request(["authorization_details": Self.details])).answer
        #expect(answer["error"] == "invalid_authorization_details")
        let pushed = bench.form(
            "/par",
            [
                "response_type": "code", "redirect_uri": Cast.callback, "scope": "openid",
                "authorization_details": Self.details,
            ], headers: ["Authorization": TestBench<MountedServer>.basic("web", "s3cret")])
        #expect(pushed.refusal == "400 invalid_authorization_details")
        let device = bench.form(
            "/device_authorization",
            ["client_id": "tv", "scope": "openid", "authorization_details": Self.details])
        #expect(device.refusal == "400 invalid_authorization_details")
        #expect(bench.misshapenExplanations == [])
    }
}
