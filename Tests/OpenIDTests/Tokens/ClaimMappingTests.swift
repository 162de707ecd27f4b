import Essentials
import HTTP
import TestKit
import Testing

@testable import OpenID

/// Which claims are told where. Source: OpenID Connect Core 1.0 §5.4; the form is ours.
struct ClaimMappingTests {
    private let user: [String: JSONValue] = [
        "name": "Ada", "email": "ada@example.com", "roles": ["admin"], "tenant": "acme", "aud": "evil",
    ]

    private func told(
        _ mapping: ClaimMapping, _ scope: String, _ place: ClaimMapping.Place
    ) -> Set<String> {
        Set(mapping.released(user, by: ScopeList(scope), to: place).keys)
    }

    @Test func `the standard's claims follow their scopes to the places of the mapping`() {
        let mapping = ClaimMapping.standard(in: [.userinfo])
        #expect(told(mapping, "openid", .userinfo) == [])
        #expect(told(mapping, "openid profile", .userinfo) == ["name"])
        #expect(told(mapping, "openid profile email", .userinfo) == ["name", "email"])
        #expect(told(mapping, "openid profile email", .idToken) == [])
        #expect(mapping.places == [.userinfo])
    }

    @Test func `a star stands for any scope, and for claims that no scope names`() {
        let mapping = ClaimMapping.standard(in: [.idToken]).overlaid(
            with: ClaimMapping(["*": ["*": [.accessToken]], "accounts": ["tenant": [.accessToken]]]))
        #expect(told(mapping, "", .accessToken) == ["roles"])
        #expect(told(mapping, "accounts", .accessToken) == ["roles", "tenant"])
        #expect(told(mapping, "profile", .idToken) == ["name"])
    }

    @Test func `a later mapping takes the place of an entry, and an empty one takes it away`() {
        let mapping = ClaimMapping.standard(in: [.idToken, .userinfo]).overlaid(
            with: ClaimMapping(["profile": ["name": []], "email": ["email": [.accessToken]]]))
        #expect(told(mapping, "profile email", .idToken) == [])
        #expect(told(mapping, "profile email", .accessToken) == ["email"])
    }

    @Test func `what tokens say of themselves is never a user's`() throws {
        #expect(told(ClaimMapping(["*": ["*": [.idToken]]]), "", .idToken).contains("aud") == false)
        #expect(throws: MetadataFault.self) { try ClaimMapping(["x": ["exp": [.idToken]]]).check() }
    }

    @Test func `the metadata name the claims of a mapping`() throws {
        let bench = try TestBench.mounted(
            #""settings": {"claims_by_scope": {"read": {"roles": ["access_token"], "email": []}}}"#)
        let claims = try bench.get("/oauth/.well-known/openid-configuration").json(JSONValue.self)[
            "claims_supported"]
        #expect(claims?.strings?.filter { $0 == "roles" || $0 == "email" } == ["email", "roles"])
    }

    @Test func `fixtures with a mapping come back as they were`() throws {
        let text = #"{"*":{"*":["id_token","userinfo"]},"email":{"email":[]}}"#
        let mapping = try JSONDecoder().decode(ClaimMapping.self, from: Data(text.utf8))
        let again = try JSONDecoder().decode(ClaimMapping.self, from: JSONEncoder().encode(mapping))
        #expect(again == mapping)
        #expect(throws: (any Error).self) {
            try TestBench.mounted(#""settings": {"claims_by_scope": {"email": {"email": ["somewhere"]}}}"#)
        }
        #expect(throws: (any Error).self) {
            try TestBench.mounted(#""settings": {"claims_by_scope": {"email": {"sub": ["id_token"]}}}"#)
        }
    }
}
