import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Source: RFC 7592.
@Suite struct ManagementTests {
    private let bench: TestBench<MountedServer>
    private let id: String
    private let secret: String
    private let path: String
    private let headers: Headers

    init() throws {
        bench = try TestBench.mounted(#""clients": [{"client_id": "portal", "client_secret": "x"}]"#)
        let made = try bench.post(
            "/oauth/register", JSONValue(dictionaryLiteral: ("redirect_uris", ["https://client.example/cb"])))
        id = try #require(made.fields["client_id"])
        secret = try #require(made.fields["client_secret"])
        path = "/oauth/register/" + id
        headers = ["Authorization": "Bearer " + (try #require(made.fields["registration_access_token"]))]
    }

    private func put(_ members: [String: JSONValue]) throws -> Response {
        try bench.put(path, JSONValue.object(members), headers: headers)
    }

    @Test func `a client reads what is kept about it`() throws {
        let response = bench.get(path, headers: headers)
        #expect(response.status == .ok)
        #expect(response.headers["Cache-Control"] == "no-store")
        #expect(response.fields["client_id"] == id)
        #expect(response.fields["client_secret"] == secret)
        #expect(
            response.fields["registration_access_token"].map { "Bearer " + $0 } == headers["Authorization"])
        #expect(response.fields["registration_client_uri"] == "http://localhost:8420" + path)
    }

    @Test func `a client replaces everything about itself`() throws {
        let response = try put([
            "client_id": .string(id), "client_secret": .string(secret),
            "redirect_uris": ["https://client.example/new"],
            "client_name": "New",
        ])
        #expect(response.status == .ok)
        #expect(response.fields["client_name"] == "New")
        #expect(response.fields["client_secret"] == secret)
        let again = try put(["client_id": .string(id), "redirect_uris": ["https://client.example/new"]])
        #expect(again.fields["client_name"] == nil)
        let kept = bench.get(path, headers: headers)
        #expect(try JSONValue(parsing: kept.bytes)["redirect_uris"] == ["https://client.example/new"])
    }

    @Test func `a client that becomes public has no secret any more, and gets a new one when it stops`()
        throws
    {
        let uris: JSONValue = ["https://client.example/cb"]
        let open = try put([
            "client_id": .string(id), "redirect_uris": uris, "token_endpoint_auth_method": "none",
        ])
        #expect(open.fields["client_secret"] == nil)
        let closed = try put(["client_id": .string(id), "redirect_uris": uris])
        #expect(closed.fields["client_secret"]?.isEmpty == false)
        #expect(closed.fields["client_secret"] != secret)
    }

    @Test func `a replacement with another id or secret, or with members of ours, is refused`() throws {
        let uris: JSONValue = ["https://client.example/cb"]
        for members: [String: JSONValue] in [
            ["redirect_uris": uris], ["client_id": "portal", "redirect_uris": uris],
            ["client_id": .string(id), "client_secret": "mine", "redirect_uris": uris],
            ["client_id": .string(id), "registration_access_token": "x", "redirect_uris": uris],
            ["client_id": .string(id), "registration_client_uri": "x", "redirect_uris": uris],
            ["client_id": .string(id), "client_id_issued_at": 1, "redirect_uris": uris],
            ["client_id": .string(id), "client_secret_expires_at": 1, "redirect_uris": uris],
        ] {
            let response = try put(members)
            #expect(response.status == .badRequest)
            #expect(response.fields["error"] == "invalid_client_metadata")
        }
        #expect(try put(["client_id": .string(id)]).fields["error"] == "invalid_redirect_uri")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a client that removed itself is gone, with everything it was granted`() throws {
        let now = bench.clock.now
        try bench.world.database.write { db in
            try bench.server.grants.insert(
                Grant(
                    id: "g", clientID: id, subject: "ada", scope: ScopeList("openid"), issuer: bench.issuer,
                    type: "authorization_code", createdAt: now), in: db)
        }

        #expect(bench.delete(path, headers: headers).status == .noContent)

        let grant = try bench.world.database.read { try bench.server.grants.find("g", in: $0) }
        #expect(grant?.end?.reason == .clientRemoved)
        for response in [bench.get(path, headers: headers), bench.delete(path, headers: headers)] {
            #expect(response.status == .unauthorized)
            #expect(response.headers["WWW-Authenticate"] == "Bearer error=\"invalid_token\"")
        }
    }

    @Test func `whatever is wrong with the token, the answer is 401`() throws {
        for authorization in ["Bearer wrong", "Basic eDp4", "Bearer", ""] {
            let response = bench.get(path, headers: ["Authorization": authorization])
            #expect(response.status == .unauthorized)
            #expect(response.fields["error"] == "invalid_token")
        }
        #expect(bench.get(path).headers["WWW-Authenticate"] == "Bearer")
        #expect(bench.get("/oauth/register/nobody", headers: headers).status == .unauthorized)
        #expect(bench.get("/oauth/register/portal", headers: headers).status == .unauthorized)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `other methods are not allowed, and say which are`() throws {
        let response = bench.send(.post, path, headers: headers)
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers["Allow"] == "DELETE, GET, HEAD, PUT")
    }
}
