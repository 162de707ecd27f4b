import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import Console

/// Tokens to order; what platforms make of them is looked at in the acceptance tests.
@Suite struct TokenTests {
    private struct Minted: Decodable {
        let token: String
        let isRegistered: Bool
        let expiresAt: String?
        let flaw: String?
        let claims: JSONValue?
    }

    private let bench: ConsoleBench
    private let keys: [JWK]

    init() throws {
        bench = try ConsoleBench()
        keys = try bench.world.services.keys.published(Acme.name).map(\.jwk)
    }

    private func minted(_ members: String) throws -> Minted {
        let answer = bench.post(
            "/tokens", #"{"platform": "acme", "kind": "ticket", "user": "ada"\#(members)}"#)
        #expect(answer.status == .created)
        return try answer.json(Minted.self)
    }

    @Test
    func `a good token is signed by the platform, with the claims and for the time that were asked for`()
        throws
    {
        let token = try minted(#", "claims": {"level": 3}, "lifetime": 600"#)

        let claims = try JWT.verify(token.token, keys: keys, at: bench.world.clock.now).decode(JSONValue.self)
        #expect(claims["level"] == 3)
        #expect(claims["iss"] == "http://localhost:8420/acme")
        #expect(claims == token.claims)
        #expect(token.expiresAt == "2026-01-02T03:14:05.000Z")
        #expect(token.isRegistered)
        #expect(bench.world.journal.entries().contains { $0.event == "token minted" && $0.subject == "ada" })
    }

    @Test(arguments: TokenFlaw.allCases)
    func `a token with a flaw is named so`(_ flaw: TokenFlaw) throws {
        let token = try minted(#", "flaw": "\#(flaw.rawValue)""#)

        #expect(token.flaw == flaw.rawValue)
        #expect(!token.isRegistered)
        let signed = [TokenFlaw.wrongAudience, .wrongIssuer, .wrongType]
        if signed.contains(flaw) {
            _ = try JWT.verify(token.token, keys: keys, at: bench.world.clock.now)
        } else {
            #expect(throws: JOSEError.self) {
                try JWT.verify(token.token, keys: keys, at: bench.world.clock.now)
            }
        }
    }

    @Test(arguments: [
        (
            #"{"platform": "none", "kind": "ticket"}"#, 404,
            "There is no platform “none”; tokens are minted for acme."
        ),
        (#"{"kind": "ticket"}"#, 400, "The value of “platform” must be one of acme, but is left out."),
        (
            #"{"platform": "acme"}"#, 400,
            "The value of “kind” must be one of ticket, coin, but is left out."
        ),
        (
            #"{"platform": "acme", "kind": "note"}"#, 404,
            "Acme has no tokens of the kind “note”, only ticket, coin."
        ),
        (
            #"{"platform": "acme", "kind": "ticket"}"#, 422,
            "A token of the kind “ticket” belongs to a user: the member “user” is missing."
        ),
        (
            #"{"platform": "acme", "kind": "ticket", "user": "ada", "client": "x"}"#, 422,
            "A token of the kind “ticket” has no client; leave out the member “client”."
        ),
        (
            #"{"platform": "acme", "kind": "ticket", "user": "eve"}"#, 404,
            "There is no user “eve” here; known are ada."
        ),
        (
            #"{"platform": "acme", "kind": "coin", "flaw": "alg_none"}"#, 422,
            "A token of the kind “coin” is an opaque text and cannot be “alg_none”, only expired."
        ),
        (
            #"{"platform": "acme", "kind": "coin", "claims": {"a": 1}}"#, 422,
            "A token of the kind “coin” is an opaque text without claims and key."
        ),
        (
            #"{"platform": "acme", "kind": "ticket", "user": "ada", "lifetime": 0}"#, 400,
            "The value of “lifetime” must be whole seconds from 1 to 3155760000, but is 0."
        ),
    ])
    func `a refused order says what there is`(_ body: String, _ status: Int, _ detail: String) {
        #expect(bench.post("/tokens", body).detail(Status(code: status)) == detail)
    }

    @Test func `the list has every kind with its flaws`() throws {
        let kinds = try JSONValue(parsing: bench.get("/tokens").bytes)["kinds"]?.array
        #expect(kinds?.map { $0["kind"]?.string } == ["ticket", "coin"])
        #expect(kinds?.map { $0["flaws"]?.array?.count } == [TokenFlaw.allCases.count, 1])
    }

    @Test func `the page makes a token, and keeps what was typed when it cannot`() {
        func posted(_ form: String) -> Response {
            bench.send(
                .post, "/mint", body: form,
                headers: [
                    "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
                ])
        }
        let empty = String(decoding: bench.send(.get, "/mint").bytes, as: UTF8.self)
        #expect(empty.contains("Acme: Ticket") && empty.contains("name=\"user\""))
        let coin = String(decoding: bench.send(.get, "/mint?kind=acme+coin").bytes, as: UTF8.self)
        // An opaque text has no claims and no key, and this kind has no user.
        for name in ["user", "key", "claims"] { #expect(!coin.contains("name=\"\(name)\"")) }
        #expect(coin.contains("value=\"expired\"") && !coin.contains("value=\"not_yet_valid\""))
        let made = posted("kind=acme+ticket&user=ada&flaw=expired&claims=level%3D3")
        #expect(made.status == .ok)
        #expect(String(decoding: made.bytes, as: UTF8.self).contains("The token has expired"))
        let refused = posted("kind=acme+ticket&user=%3Ceve%3E")
        #expect(refused.status == .notFound)
        let page = String(decoding: refused.bytes, as: UTF8.self)
        #expect(page.contains("There is no user"))
        #expect(page.contains("value=\"&lt;eve&gt;\""))
    }
}
