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
                            "public": {
                                "roles": ["admin", "editor"], "plan": {"seats": 3}, "a.b": "dotted",
                                "teams": [
                                    {"name": "red", "size": 12, "lead": true, "tags": ["x", "y"]},
                                    {"name": "blue", "size": 4.5, "tags": ["z"]},
                                    {"name": "green", "size": 30}
                                ],
                            },
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
            (#"{{.User.Metadata.Public \"plan.seats\"}}"#, .string("3")),
            (#"{{.User.Metadata.Public \"roles\" \"0\"}}"#, .string("admin")),
            (#"{{.User.Metadata.Public \"a\\\\.b\"}}"#, .string("dotted")),
            // gjson, “Path Syntax”.
            (#"{{.User.Metadata.Public \"roles.#\"}}"#, .string("2")),
            (#"{{.User.Metadata.Public \"teams.#.name\"}}"#, ["red", "blue", "green"]),
            (#"{{.User.Metadata.Public \"teams.#.tags\"}}"#, [["x", "y"], ["z"]]),
            (#"{{.User.Metadata.Public \"teams.#(size>10).name\"}}"#, .string("red")),
            (#"{{.User.Metadata.Public \"teams.#(size>10)#.name\"}}"#, ["red", "green"]),
            (
                #"{{.User.Metadata.Public \"teams.#(size<=4.5)\"}}"#,
                ["name": "blue", "size": .number(4.5), "tags": ["z"]]
            ),
            (#"{{.User.Metadata.Public `teams.#(name==\"blue\").tags.0`}}"#, .string("z")),
            (#"{{.User.Metadata.Public \"teams.#(lead==true).name\"}}"#, .string("red")),
            (#"{{.User.Metadata.Public \"teams.#(tags).name\"}}"#, .string("red")),
            (#"{{.User.Metadata.Public `roles.#(==\"editor\")`}}"#, .string("editor")),
            (#"{{.User.Metadata.Public \"teams.#(size>99)#\"}}"#, []),
            // Go, package text/template.
            (
                "{{if .User.Email.IsVerified}}Verified{{else}}Unverified{{end}} {{.User.Username}}",
                .string("Verified ada")
            ),
            (
                "{{- if .User.Picture -}} face {{- else if .User.Name -}} name {{- else -}} none {{- end }} !",
                .string("name !")
            ),
            (
                #"{{if eq .User.Username \"eve\" \"ada\"}}a{{end}}{{if ne .User.Name \"\"}}b{{end}}"#,
                .string("ab")
            ),
            (#"{{if and .User.Name (not .User.Picture)}}true{{end}}"#, .boolean(true)),
            (#"{{or .User.Picture .User.Name}}"#, .string("Ada King")),
            (#"Hello {{ .User.Email.Address | printf \"%s\" }}"#, .string("Hello " + Ada.address)),
            (#"{{printf \"%s/%v 100%%\" .User.Username .User.Email.IsPrimary}}"#, .string("ada/true 100%")),
            (
                #"\n\t{{- if .User.Name -}}\r\n\t\tKnown\n\t{{- else -}}\n\t\tUnknown\n\t{{ end }} user"#,
                .string("Known user")
            ),
            ("{{/* nothing */}}x{{ `}}` }}", .string("x}}")),
            (
                "{{.User.Email}}",
                [
                    "address": .string(Ada.address), "is_primary": .boolean(true),
                    "is_verified": .boolean(true),
                ]
            ),
            ("{{if .User}}x{{end}}", .string("x")),
            ("[1, 2]", [.integer(1), .integer(2)]), ("{1}", .string("{1}")), ("true", .boolean(true)),
            (#"<{{.User.Metadata.Unsafe \"theme\"}}>"#, .string("<>")),
            ("plain", .string("plain")), ("12", .string("12")), ("null", .string("null")),
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

    @Test
    func `a claim about metadata is left out for a user without any, and empty where the path leads nowhere`()
        throws
    {
        let bench = try bench(
            #"{"team": "{{.User.Metadata.Public \"team\"}}", "all": "{{.User.Metadata}}"}"#)
        let user = "9ace0000-0000-4000-8000-000000000002"
        _ = try bench.post("/hanko-admin/users", ["id": user, "username": "grace"])
        let made = try bench.post("/hanko-admin/sessions", ["user_id": user])
        let token = try #require(try JSON(parsing: made.bytes)["session_token"]?.string)

        let grace = try JSON(
            parsing: bench.get("/hanko/sessions/validate", headers: .bearer(token)).bytes)["claims"]
        #expect(grace?["team"] == nil)
        #expect(grace?["all"] == "")
        let ada = try claims(bench)
        #expect(ada["team"] == "")
        #expect(ada["all"]?["public_metadata"]?["roles"] == ["admin", "editor"])
        #expect(ada["all"]?["private_metadata"] == nil)
    }

    @Test(arguments: [
        "{{if .User}}x", "{{end}}", "{{if .User}}a{{else}}b{{else}}c{{end}}", "{{range .User}}x{{end}}",
        "{{.User.Surname}}", "{{.User.Metadata.Private \\\"a\\\"}}", "{{ unfinished", "{{}}", "{{.}}",
        "{{len .User.Name}}", "{{printf \\\"%d\\\" 1}}", "{{not}}", "{{(.User.Name}}",
        "{{.User.Metadata.Public \\\"teams.*\\\"}}", "{{.User.Metadata.Public \\\"teams|@reverse\\\"}}",
        "{{.User.Metadata.Public \\\"teams.#(name%\\\\\\\"r*\\\\\\\")\\\"}}",
        "{{.User.Metadata.Public \\\"a..b\\\"}}",
        "{{.User.Metadata.Public roles}}",
    ])
    func `what is not emulated is refused when fixtures are loaded`(template: String) throws {
        let error = #expect(throws: FixtureError.self) { try bench("{\"extra\": \"\(template)\"}") }
        #expect(error?.field == "hanko.config.session.jwt_template.claims.extra")
    }
}
