import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Claims that the configuration adds to session tokens. Source: Hanko 2.0 and later, JWT templates.
@Suite struct ClaimTemplateTests {
    private func bench(_ claims: String) throws -> TestBench<Hanko> {
        try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {
                    "config": {
                        "mfa": {"enabled": false},
                        "session": {"enable_auth_token_header": true, "jwt_template": {"claims": \(claims)}},
                    },
                    "users": [{
                        "id": "\(Ada.id)", "username": "ada", "name": "Ada King",
                        "emails": [{"id": "\(Ada.emailID)", "address": "\(Ada.address)"}],
                        "metadata": {
                            "public": {"roles": ["admin", "editor"], "plan": {"seats": 3}},
                            "private": {"secret": true},
                        },
                    }],
                }}
                """)
    }

    /// The claims as `/sessions/validate` tells them.
    private func claims(_ bench: TestBench<Hanko>) throws -> JSON {
        let response = bench.get("/hanko/sessions/validate", headers: .bearer(try bench.signIn(Ada.id)))
        return try JSON(parsing: response.bytes)["claims"] ?? .null
    }

    @Test(
        arguments: [
            ("Hello {{.User.Username}}!", .string("Hello ada!")),
            ("{{ .User.Email.Address }}", .string(Ada.address)),
            ("{{.User.Email.IsVerified}}", .boolean(true)),
            ("{{.User.UserID}}", .string(Ada.id)),
            ("{{.User.Name}}, {{.User.Picture}}", .string("Ada King, ")),
            (#"{{.User.Metadata.Public \"roles\"}}"#, ["admin", "editor"]),
            (#"{{.User.Metadata.Public \"roles.1\"}}"#, .string("editor")),
            (#"{{.User.Metadata.Public \"plan.seats\"}}"#, .integer(3)),
            (#"<{{.User.Metadata.Unsafe \"theme\"}}>"#, .string("<>")),
            ("plain", .string("plain")), ("12", .integer(12)),
        ] as [(String, JSON)])
    func `a template becomes what the user is`(template: String, expected: JSON) throws {
        #expect(try claims(bench("{\"extra\": \"\(template)\"}"))["extra"] == expected)
    }

    @Test func `values nest, and what is no text is said as it is`() throws {
        let claims = try claims(
            bench(
                #"{"hasura": {"user": "{{.User.UserID}}", "roles": ["{{.User.Username}}", 7, true, null]}}"#))
        #expect(
            claims["hasura"]
                == ["user": .string(Ada.id), "roles": ["ada", .integer(7), .boolean(true), .null]])
    }

    @Test func `standard claims win`() throws {
        let claims = try claims(bench(#"{"sub": "somebody", "aud": "x", "session_id": 1, "extra": "y"}"#))
        #expect(claims["subject"] == .string(Ada.id))
        #expect(claims["audience"] == ["localhost"])
        #expect(claims["extra"] == "y")
    }

    @Test func `a claim about an address is left out for a user without one`() throws {
        let bench = try bench(#"{"mail": "{{.User.Email.Address}}", "name": "{{.User.Name}}"}"#)
        let user = "9ace0000-0000-4000-8000-000000000002"
        _ = try bench.post("/hanko-admin/users", ["id": user, "username": "grace"])
        let made = try bench.post("/hanko-admin/sessions", ["user_id": user])
        let token = try #require(try JSON(parsing: made.bytes)["session_token"]?.string)

        let told = bench.get("/hanko/sessions/validate", headers: .bearer(token))
        let claims = try JSON(parsing: told.bytes)["claims"]
        #expect(claims?["mail"] == nil)
        #expect(claims?["name"] == "")
        #expect(claims?["username"] == "grace")
    }

    @Test(arguments: [
        "{{if .User}}x{{end}}", "{{.User.Metadata.Private \\\"a\\\"}}", "{{.User.Email}}", "{{ unfinished",
        "{{.User.Metadata.Public roles}}",
    ])
    func `what is not emulated is refused when fixtures are loaded`(template: String) throws {
        let error = #expect(throws: FixtureError.self) { try bench("{\"extra\": \"\(template)\"}") }
        #expect(error?.field == "hanko.config.session.jwt_template.claims.extra")
    }
}
