import HTTP
import TestKit
import Testing

@testable import OpenID

/// Proof keys at the token endpoint. Source: RFC 7636.
struct ProofKeyTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func code(_ challenge: String, _ method: String) throws -> String {
        try bench.logIn(code: { ($0.challenge, $0.challengeMethod) = (challenge, method) })
    }

    @Test func `the challenge of RFC 7636 appendix B is made of its verifier`() {
        #expect(PKCE.challenge(of: TokenCast.verifier) == TokenCast.challenge)
    }

    @Test func `oidcc-ensure-request-with-valid-pkce-succeeds`() throws {
        let code = try code(TokenCast.challenge, "S256")
        #expect(bench.redeem(code, [("code_verifier", TokenCast.verifier)]).status == .ok)
    }

    @Test func `with the method plain verifier and challenge are the same`() throws {
        let code = try code(TokenCast.verifier, "plain")
        let wrong = bench.redeem(code, [("code_verifier", TokenCast.challenge)])
        #expect(wrong.refusal == "400 invalid_grant")
        #expect(bench.redeem(code, [("code_verifier", TokenCast.verifier)]).status == .ok)
    }

    @Test func `ensure-pkce-code-verifier-required`() throws {
        #expect(bench.redeem(try code(TokenCast.challenge, "S256")).refusal == "400 invalid_grant")
        #expect(
            bench.explanation?.contains(
                "No code_verifier was sent, though the authorization request had a code_challenge") == true)
    }

    @Test func `incorrect-pkce-code-verifier-rejected: the explanation says what it hashes to`() throws {
        // RFC 7636 appendix B with the last letter changed; the hash by Python's hashlib.
        let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXX"
        let code = try code(TokenCast.challenge, "S256")

        #expect(bench.redeem(code, [("code_verifier", verifier)]).refusal == "400 invalid_grant")
        #expect(
            bench.explanation?.contains("hashes to “ZtNnvmu4djKPm9mr322ZXBdqrXU41t_xP0Fp3EM3H84”") == true)
        #expect(bench.explanation?.contains("the challenge was “\(TokenCast.challenge)”") == true)
    }

    @Test func `the plain verifier sent as S256 is told as what it is`() throws {
        let code = try code(TokenCast.verifier, "S256")
        #expect(bench.redeem(code, [("code_verifier", TokenCast.verifier)]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("The challenge equals the verifier") == true)
        #expect(bench.explanation?.contains(TokenCast.challenge) == true, "what it should have been")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a verifier without a challenge is refused`() throws {
        let answer = bench.redeem(try bench.logIn(), [("code_verifier", TokenCast.verifier)])
        #expect(answer.refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("had no code_challenge") == true)
    }

    @Test(arguments: [
        String(repeating: "a", count: 42), String(repeating: "a", count: 129),
        String(repeating: "a", count: 42) + "ä", String(repeating: "a", count: 42) + "+",
    ])
    func `a verifier has 43 to 128 unreserved characters`(_ verifier: String) throws {
        let code = try code(verifier, "plain")
        #expect(bench.redeem(code, [("code_verifier", verifier)]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("Expected a code_verifier of 43 to 128") == true)
    }
}
