import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

/// Client assertions where tokens are given: the modules of the FAPI 2 plan. Source: RFC 7523 §2.2, §3.
struct AssertionTests {
    private let kit: AssertionKit
    private let bench: TestBench<MountedServer>

    init() throws {
        kit = try AssertionKit()
        bench = try TestBench.mounted(
            """
            "clients": [{"client_id": "keeper", "token_endpoint_auth_method": "private_key_jwt",
                "jwks": \(kit.jwks), "grant_types": ["client_credentials"], "response_types": [],
                "scope": "read"}]
            """)
    }

    private func ask(_ change: (inout [String: JSONValue]) -> Void = { _ in }) throws -> Response {
        var claims = AssertionKit.claims(bench)
        change(&claims)
        return bench.send(
            kit.request(try kit.assertion(claims), "&grant_type=client_credentials&scope=read"))
    }

    @Test func `ensure-client-assertion-in-token-endpoint: it brings a token, once`() throws {
        #expect(try ask().status == .ok)
        #expect(try ask().refusal == "401 invalid_client")
        let none = bench.form("/token", ["grant_type": "client_credentials", "client_id": "keeper"])
        #expect(none.refusal == "401 invalid_client")
    }

    @Test func `ensure-client-assertion-with-exp-is-5-minutes-in-past-fails at the token endpoint`() throws {
        let answer = try ask { $0["exp"] = .integer(Int(bench.clock.now.timeIntervalSince1970) - 300) }
        #expect(answer.refusal == "401 invalid_client")
    }

    @Test func `ensure-client-assertion-with-no-sub-fails at the token endpoint`() throws {
        #expect(try ask { $0["sub"] = nil }.refusal == "401 invalid_client")
    }

    @Test func `ensure-client-assertion-with-wrong-aud-fails at the token endpoint`() throws {
        #expect(try ask { $0["aud"] = "https://another.example/oauth" }.refusal == "401 invalid_client")
    }
}
