import HTTP
import TestKit
import Testing

@testable import Onegini

/// What is not there says so, where a client could notice.
@Suite struct UnknownPathTests {
    // RFC 9110 §15.5.6
    @Test func `a method that a path does not answer is 405 with what it does`() throws {
        let bench = try TestBench<Onegini>.devices()
        let response = bench.get("/oauth/v1/token")
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers["Allow"] == "POST")
        #expect(response.fields["error"] == "invalid_request")
        let lost = bench.get("/oauth/nothing")
        #expect(lost.status == .notFound)
        #expect(lost.fields["error"] == "not_found")
        #expect(lost.fields["error_description"] == "Nothing answers at this path")
    }

    // OpenID Connect Discovery 1.0 §4
    @Test(arguments: [
        "/oauth/.well-known/openid-configuration/.well-known/openid-configuration",
        "/oauth/.well-known/oauth-authorization-server/.well-known/openid-configuration",
        "/oauth/.well-known/openid-configuration/token",
    ])
    func `who takes the address of the metadata for the issuer is told so, in the answer and in the journal`(
        _ path: String
    ) throws {
        let bench = try TestBench<Onegini>.devices()
        let lost = bench.get(path)
        #expect(lost.status == .notFound)
        #expect(lost.fields["error_description"]?.contains("for the issuer") == true)
        #expect(bench.explanation?.contains("for the issuer") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        ("/oauth/.well-known/jwks.json", "/oauth/v1/keys"), ("/oauth/certs", "/oauth/v1/keys"),
        ("/oauth/.well-known/openid-configuration/jwks", "/oauth/v1/keys"),
        ("/oauth/protocol/openid-connect/auth", "/oauth/v1/authorize"),
        ("/oauth/connect/endsession", "/oauth/v1/logout"),
    ])
    func `what other servers call an endpoint leads to its own name`(_ path: String, _ own: String) throws {
        let bench = try TestBench<Onegini>.devices()
        let lost = bench.get(path)
        #expect(lost.status == .notFound)
        #expect(lost.fields["error_description"]?.contains(own + ";") == true)
        #expect(bench.explanation?.contains(own + ";") == true)
        #expect(bench.misshapenExplanations == [])
    }
}
