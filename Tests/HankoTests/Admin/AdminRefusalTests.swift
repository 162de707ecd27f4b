import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Every row of the table of errors, with the full body. Source: Hanko 2.7, admin API.
struct AdminRefusalTests {
    private static let upper = Ada.id.uppercased()
    private static let other = Belongings.otherID
    private static let wrapped = "code=400, message="

    private typealias Row = (Request.Method, String, String?, Int, String, String)

    @Test(
        arguments: [
            // Ids.
            (.get, "/users/ada", nil, 400, "Bad Request", "UUID"),
            (.delete, "/users/ada", nil, 400, "Bad Request", "UUID"),
            (.get, "/users/\(other)", nil, 404, "user not found", other),
            (.delete, "/users/\(other)", nil, 404, "user not found", other),
            (
                .get, "/users/\(upper)/metadata", nil, 400, wrapped + "user_id must be a valid uuid",
                "lower case"
            ),
            (.get, "/users/x/emails", nil, 400, wrapped + "user_id must be a valid uuid", "UUID"),
            (
                .get, "/users/x/emails/y", nil, 400,
                wrapped + "user_id must be a valid uuid and email_id must be a valid uuid", "UUID"
            ),
            (
                .get, "/users/x/webauthn_credentials", nil, 400, wrapped + "user_id must be a valid uuid",
                "UUID"
            ),
            (.get, "/users/x/password", nil, 400, wrapped + "user_id must be a valid uuid", "UUID"),
            (.get, "/users/x/otp", nil, 400, wrapped + "user_id must be a valid uuid", "UUID"),
            (.get, "/users/x/sessions", nil, 400, wrapped + "user_id must be a valid uuid", "UUID"),
            (
                .delete, "/users/\(Ada.id)/sessions/y", nil, 400, wrapped + "session_id must be a valid uuid",
                "UUID"
            ),
            (.get, "/webhooks/x", nil, 400, wrapped + "id must be a valid uuid", "UUID"),
            (.delete, "/webhooks/x", nil, 400, wrapped + "id must be a valid uuid", "UUID"),

            // Metadata.
            (.get, "/users/\(other)/metadata", nil, 404, "user not found", other),
            (.patch, "/users/\(other)/metadata", "{}", 404, "user not found", other),
            (.patch, "/users/\(Ada.id)/metadata", "[]", 400, "Bad Request", "object or null"),
            (.patch, "/users/\(Ada.id)/metadata", "7", 400, "Bad Request", "object or null"),
            (
                .patch, "/users/\(Ada.id)/metadata", "{\"public_metadata\": 7}", 400, "Bad Request",
                "public_metadata"
            ),
            (.patch, "/users/\(Ada.id)/metadata", "{", 400, "Bad Request", "JSON"),
            (
                .patch, "/users/\(Ada.id)/metadata",
                "{\"unsafe_metadata\": {\"x\": \"\(String(repeating: "x", count: 3000))\"}}", 400,
                "Bad Request",
                "3000"
            ),

            // Addresses.
            (
                .post, "/users/\(Ada.id)/emails", "{}", 400, wrapped + "address is a required field",
                "“address”"
            ),
            (
                .post, "/users/x/emails", "{\"address\": \"a\"}", 400,
                wrapped + "user_id must be a valid uuid and address must be a valid email address", "UUID"
            ),
            (
                .post, "/users/\(Ada.id)/emails", "{\"address\": \"\(Grace.address)\"}", 400, "Bad Request",
                Grace.id
            ),
            (
                .post, "/users/\(other)/emails", "{\"address\": \"a@example.com\"}", 404, "user not found",
                other
            ),
            (.get, "/users/\(Ada.id)/emails/\(Grace.emailID)", nil, 404, "Not Found", Grace.emailID),
            (.delete, "/users/\(Ada.id)/emails/\(Grace.emailID)", nil, 404, "Not Found", Grace.emailID),
            (.delete, "/users/\(Ada.id)/emails/\(Ada.emailID)", nil, 409, "Conflict", "primary"),
            (
                .post, "/users/\(Ada.id)/emails/\(Grace.emailID)/set_primary", nil, 404, "Not Found",
                Grace.emailID
            ),

            // Credentials, passwords, authenticator apps.
            (.get, "/users/\(other)/webauthn_credentials", nil, 404, "user not found", other),
            (
                .get, "/users/\(Grace.id)/webauthn_credentials/AQIDBA", nil, 404,
                "webauthn credential not found", "AQIDBA"
            ),
            (
                .delete, "/users/\(Ada.id)/webauthn_credentials/AAAA", nil, 404,
                "webauthn credential not found",
                "AAAA"
            ),
            (.get, "/users/\(Grace.id)/password", nil, 404, "Not Found", "no password"),
            (.get, "/users/\(other)/password", nil, 404, "user not found", other),
            (.put, "/users/\(Grace.id)/password", "{\"password\": \"x\"}", 404, "Not Found", "POST"),
            (.delete, "/users/\(Grace.id)/password", nil, 404, "Not Found", "no password"),
            (.delete, "/users/\(other)/password", nil, 404, "user not found", other),
            (.post, "/users/\(Ada.id)/password", "{\"password\": \"x\"}", 409, "Conflict", "PUT"),
            (.post, "/users/\(other)/password", "{\"password\": \"x\"}", 404, "user not found", other),
            (
                .put, "/users/\(Ada.id)/password", "{}", 400, wrapped + "password is a required field",
                "“password”"
            ),
            (
                .put, "/users/\(Ada.id)/password", "{\"password\": \"\(String(repeating: "é", count: 37))\"}",
                400,
                "password must not be longer than 72 bytes", "74 bytes"
            ),
            (.get, "/users/\(Grace.id)/otp", nil, 404, "Not Found", "authenticator"),
            (.delete, "/users/\(Grace.id)/otp", nil, 404, "Not Found", "authenticator"),
            (.delete, "/users/\(other)/otp", nil, 404, "user not found", other),

            // Sessions.
            (.get, "/users/\(other)/sessions", nil, 404, "user not found", other),
            (.delete, "/users/\(Ada.id)/sessions/\(other)", nil, 404, "Not Found", other),
            (.post, "/sessions", "{}", 400, wrapped + "user_id is a required field", "“user_id”"),
            (
                .post, "/sessions", "{\"user_id\": \"\(upper)\"}", 400,
                wrapped + "user_id must be a valid uuid",
                "lower case"
            ),
            (
                .post, "/sessions", "{\"user_id\": \"\(Ada.id)\", \"ip_address\": \"x\"}", 400,
                wrapped + "ip_address must be a valid ip address (v4 or v6)", "IPv6"
            ),
            (.post, "/sessions", "{\"user_id\": \"\(other)\"}", 404, "user not found", other),

            // Webhooks.
            (
                .post, "/webhooks", "{}", 400,
                wrapped + "callback is a required field and events is a required field", "“events”"
            ),
            (
                .post, "/webhooks", "{\"callback\": \"x\", \"events\": []}", 400,
                wrapped + "callback must be a valid URL and length of events must be greater or equal to 1",
                "URL"
            ),
            (
                .post, "/webhooks", "{\"callback\": \"http://x\", \"events\": [\"user\", \"users\"]}", 400,
                wrapped + "users in events is not a valid webhook event", "email.send"
            ),
            (.get, "/webhooks/\(other)", nil, 404, "Not Found", other),
            (.delete, "/webhooks/\(other)", nil, 404, "Not Found", other),
            (
                .put, "/webhooks/\(other)",
                "{\"callback\": \"http://x\", \"events\": [\"user\"], \"enabled\": true}",
                404, "Not Found", other
            ),
            (
                .put, "/webhooks/\(other)",
                "{\"callback\": \"http://x\", \"events\": [\"user\"], \"enabled\": false}", 400,
                wrapped + "enabled is a required field", "“enabled”"
            ),
        ] as [Row])
    func `a refusal says what the original says, and the journal says why`(
        method: Request.Method, path: String, body: String?, status: Int, message: String, word: String
    ) throws {
        let bench = try TestBench.admin()

        let response = bench.admin(method, path, body)
        #expect(response.status.code == status)
        #expect(response.text == refusal(status, message))
        #expect(bench.explanation?.contains(word) == true, "\(bench.explanation ?? "")")
        #expect(bench.misshapenExplanations == [])
    }

    private static let manyEmails = Array(repeating: "{}", count: 101).joined(separator: ", ")
    private static let manyEvents = Array(repeating: "\"user\"", count: 101).joined(separator: ", ")
    private static let deep =
        String(repeating: "{\"a\":", count: 32) + "1" + String(repeating: "}", count: 32)

    @Test(
        arguments: [
            (.post, "/users", "{\"emails\": [\(manyEmails)]}", "101"),
            (.post, "/webhooks", "{\"callback\": \"http://x\", \"events\": [\(manyEvents)]}", "101"),
            (.patch, "/users/\(Ada.id)/metadata", "{\"public_metadata\": \(deep)}", "32 levels"),
            (.patch, "/users/\(Ada.id)/metadata", String(repeating: "[", count: 100_000), "levels"),
        ] as [(Request.Method, String, String, String)])
    func `what is too much is refused`(method: Request.Method, path: String, body: String, word: String)
        throws
    {
        let bench = try TestBench.admin()

        let response = bench.admin(method, path, body)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains(word) == true, "\(bench.explanation ?? "")")
    }

    @Test func `metadata as deep as it may be survives an export`() throws {
        let bench = try TestBench.admin()
        let body = "{\"public_metadata\": \(Self.deep.dropFirst(5).dropLast())}"
        #expect(bench.admin(.patch, "/users/\(Grace.id)/metadata", body).status == .ok)

        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        let other = try TestBench<Hanko>(Hanko.self, fixtures: exported)
        #expect(
            other.admin(.get, "/users/\(Grace.id)/metadata").text
                == bench.admin(.get, "/users/\(Grace.id)/metadata").text)
    }

    @Test func `one address more than the limit is 409`() throws {
        let bench = try TestBench.admin(config: "\"email\": {\"limit\": 2}")

        let response = bench.admin(.post, "/users/\(Ada.id)/emails", "{\"address\": \"third@example.com\"}")
        #expect(response.status == .conflict)
        #expect(response.text == refusal(409, "Conflict"))
        #expect(bench.explanation?.contains("email.limit") == true)
    }

    @Test func `there are at most a hundred webhooks`() throws {
        let bench = try TestBench.admin()
        let body = "{\"callback\": \"http://127.0.0.1:1/\", \"events\": [\"user\"]}"
        for _ in 1...100 { #expect(bench.admin(.post, "/webhooks", body).status == .created) }

        let response = bench.admin(.post, "/webhooks", body)
        #expect(response.text == refusal(409, "Conflict"))
        #expect(bench.explanation?.contains("100") == true)
    }

    @Test(arguments: ["/users", "/sessions", "/webhooks", "/users/\(Ada.id)/emails"])
    func `a body of another type is 415`(path: String) throws {
        let response = try TestBench.admin().send(
            .post, "/hanko-admin" + path, body: Array("{}".utf8), headers: ["Content-Type": "text/plain"])

        #expect(response.status == .unsupportedMediaType)
        #expect(response.text == refusal(415, "Unsupported Media Type"))
    }

    // MARK: The key

    private static let key = "\"admin_api_key\": \"secret-1\""

    @Test(
        arguments: [[:], ["Authorization": "Bearer secret-2"], ["Authorization": "Basic secret-1"]]
            as [Headers])
    func `with a key in the fixtures nobody gets in without it`(headers: Headers) throws {
        let bench = try TestBench.admin(section: Self.key)

        for path in ["/hanko-admin/users", "/hanko/admin/users", "/hanko-admin/metrics"] {
            let response = bench.get(path, headers: headers)
            #expect(response.status == .unauthorized)
            #expect(response.text == refusal(401, "Unauthorized"))
            #expect(bench.explanation?.contains("admin_api_key") == true)
        }
        #expect(bench.get("/hanko-admin/health/alive", headers: headers).status == .ok)
    }

    @Test func `with its key the admin API answers`() throws {
        let bench = try TestBench.admin(section: Self.key)

        #expect(bench.get("/hanko-admin/users", headers: .bearer("secret-1")).status == .ok)
        #expect(bench.get("/hanko/admin/users", headers: .bearer("secret-1")).status == .ok)
    }

    @Test func `without one it answers everybody`() throws {
        #expect(try TestBench.admin().get("/hanko/admin/users").status == .ok)
    }
}
