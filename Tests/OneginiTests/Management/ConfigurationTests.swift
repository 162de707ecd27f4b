import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct ConfigurationTests {
    typealias Bench = ManagementBench
    static let base = "/api/v1/configuration"

    private func notFound(_ what: String) -> String {
        "{\"code\":\"not_found\",\"details\":[],\"message\":\"\(what) cannot be found.\"}"
    }

    private func invalid(_ names: String...) -> String {
        let list = names.map { "\"\($0)\"" }.joined(separator: ",")
        return
            "{\"code\":\"invalid_request\",\"details\":[\(list)],\"message\":\"One or more parameters is missing or incorrect.\"}"
    }

    // MARK: What the metadata document says of it

    @Test func `a scope that is made or removed is in the metadata at once`() throws {
        let bench = try Bench()
        func isListed() throws -> Bool {
            let document = bench.bench.get("/oauth/.well-known/openid-configuration")
            return try JSONValue(parsing: document.bytes)["scopes_supported"]?.strings?.contains("new:scope")
                == true
        }

        #expect(try !isListed())
        #expect(bench.post(Self.base + "/scopes", #"{"scope_id": "new:scope"}"#).status == .created)
        #expect(try isListed())
        #expect(bench.delete(Self.base + "/scopes/new:scope").status == .noContent)
        #expect(try !isListed())
    }

    // MARK: API clients

    @Test func `an API client is made, shown without its secret, changed, and removed`() throws {
        let bench = try Bench()
        let made = bench.post(
            Self.base + "/api-clients",
            """
            {"name": "Other", "client_id": "other", "client_secret": "s", "scopes": ["onegini_api_end_user"],
             "public_base_uri": "https://gateway.test"}
            """)
        #expect(made.status == .created)
        #expect(made.headers["Location"] == Self.base + "/api-clients/other")
        #expect(
            bench.get(Self.base + "/api-clients/other").text == """
                {"authentication_method":"client_secret_basic","client_id":"other","name":"Other",\
                "public_base_uri":"https://gateway.test","scopes":["onegini_api_end_user"]}
                """)
        let headers: Headers = ["Authorization": "Basic " + Bench.encoded("other:s")]
        #expect(bench.bench.get("/oauth/api/v1/users/ada/tokens", headers: headers).status == .notFound)

        let changed = bench.patch(Self.base + "/api-clients/other", "{\"scopes\": [\"onegini_api_events\"]}")
        #expect(changed.status == .noContent)
        #expect(bench.bench.get("/oauth/api/v1/users/ada/tokens", headers: headers).status == .forbidden)
        #expect(bench.bench.get("/oauth/api/v1/events", headers: headers).status == .ok)

        #expect(bench.delete(Self.base + "/api-clients/other").status == .noContent)
        #expect(bench.bench.get("/oauth/api/v1/events", headers: headers).status == .unauthorized)
        #expect(bench.get(Self.base + "/api-clients/other").text == notFound("API Client configuration"))
    }

    @Test func `API clients are listed without web clients`() throws {
        let body = try Bench().get(Self.base + "/api-clients").json(JSONValue.self)
        #expect(body["result"]?.array?.map { $0["client_id"] } == ["portal", "idle"])
    }

    @Test func `what is wrong with an API client is named`() throws {
        let bench = try Bench()
        let empty = bench.post(Self.base + "/api-clients", "{}")
        #expect(empty.status == .badRequest)
        #expect(empty.text == invalid("client_id", "name", "client_secret", "scopes"))
        let odd = bench.post(
            Self.base + "/api-clients",
            "{\"name\": \"n\", \"client_id\": \"x\", \"client_secret\": \"s\", \"scopes\": [\"onegini_api_all\"]}"
        )
        #expect(odd.text == invalid("scopes"))
        let taken = bench.post(
            Self.base + "/api-clients",
            "{\"name\": \"n\", \"client_id\": \"shop\", \"client_secret\": \"s\", \"scopes\": [\"onegini_api_admin\"]}"
        )
        #expect(taken.status == .conflict)
    }

    // MARK: Scopes

    @Test func `a scope is made, shown with defaults, replaced, and removed`() throws {
        let bench = try Bench()
        let made = bench.post(Self.base + "/scopes", "{\"scope_id\": \"access:insurance.read\"}")
        #expect(made.status == .created)
        #expect(made.headers["Location"] == Self.base + "/scopes/access:insurance.read")
        let path = Self.base + "/scopes/access:insurance.read"
        #expect(
            bench.get(path).text == """
                {"authentication_level":0,"descriptions":{},"persistent_consent":false,"scope_id":"access:insurance.read",\
                "service_endpoint":"","usage_limit":0}
                """)

        let changed = bench.patch(
            path,
            """
            {"scope_id": "access:insurance.read", "usage_limit": 3, "persistent_consent": true,
             "verification_failed_endpoint": "https://x.test", "descriptions": {"nl": "verzekering", "en": "insurance"}}
            """)
        #expect(changed.status == .noContent)
        #expect(
            bench.get(path).text == """
                {"authentication_level":0,"descriptions":{"en":"insurance","nl":"verzekering"},"persistent_consent":true,\
                "scope_id":"access:insurance.read","service_endpoint":"","usage_limit":3,\
                "verification_failed_endpoint":"https://x.test"}
                """)
        let onegini = bench.onegini
        let known = try onegini.database.read { try onegini.server.scopes.known(in: $0) }
        #expect(known.last == Scope("access:insurance.read", "insurance", needsConsent: true))
        #expect(known.map(\.name).contains("phone"), "the others stay known")

        #expect(bench.delete(path).status == .noContent)
        #expect(bench.get(path).text == notFound("Scope configuration"))
        #expect(bench.get(Self.base + "/scopes/phone").status == .ok)
    }

    @Test func `standard scopes are there from the start`() throws {
        let bench = try Bench()
        let body = try bench.get(Self.base + "/scopes").json(JSONValue.self)
        #expect(body["result"]?.array?.first?["scope_id"] == "openid")
        #expect(bench.get(Self.base + "/scopes/openid").status == .ok)
        let taken = bench.post(Self.base + "/scopes", "{\"scope_id\": \"openid\"}")
        #expect(taken.status == .conflict)
        #expect(
            taken.text == "{\"code\":\"conflict\",\"details\":[],\"message\":\"The Scope already exists.\"}")
    }

    @Test func `what is wrong with a scope is named`() throws {
        let bench = try Bench()
        #expect(bench.post(Self.base + "/scopes", "{}").text == invalid("scope_id"))
        #expect(bench.post(Self.base + "/scopes", "{\"scope_id\": \"a b\"}").text == invalid("scope_id"))
        let odd = bench.post(Self.base + "/scopes", "{\"scope_id\": \"a\", \"usage_limit\": -1}")
        #expect(odd.status == .badRequest)
        #expect(odd.text == invalid("usage_limit"))
        #expect(
            bench.patch(Self.base + "/scopes/email", "{\"scope_id\": \"phone\"}").text == invalid("scope_id"))
        #expect(bench.patch(Self.base + "/scopes/none", "{\"scope_id\": \"none\"}").status == .notFound)
        #expect(bench.delete(Self.base + "/scopes/none").status == .notFound)
    }

    // MARK: Identity providers

    @Test func `an identity provider is made, shown without secrets, and removed`() throws {
        let bench = try Bench()
        let made = bench.post(
            Self.base + "/idps",
            """
            {"type": "OAUTH", "id": "oauth-idp", "name": "Other", "client_id": "c", "client_secret": "hidden",
             "user_info_password": "hidden", "authorization_url": "https://i.test/a", "token_url": "https://i.test/t",
             "profile_url": "https://i.test/u"}
            """)
        #expect(made.status == .created)
        #expect(made.headers["Location"] == Self.base + "/idps/oauth-idp")
        let shown = """
            {"authorization_url":"https://i.test/a","client_id":"c","default":false,"enabled":true,"id":"oauth-idp",\
            "name":"Other","profile_url":"https://i.test/u","token_url":"https://i.test/t","type":"OAUTH"}
            """
        #expect(bench.get(Self.base + "/idps/oauth-idp/").text == shown)
        #expect(bench.get(Self.base + "/idps").text == "{\"result\":[\(shown)]}")
        let again = bench.post(
            Self.base + "/idps", "{\"type\": \"CUSTOM\", \"id\": \"oauth-idp\", \"name\": \"x\"}")
        #expect(again.status == .conflict)

        #expect(bench.delete(Self.base + "/idps/oauth-idp").status == .noContent)
        #expect(bench.get(Self.base + "/idps/oauth-idp/").text == notFound("Identity Provider"))
        #expect(bench.delete(Self.base + "/idps/oauth-idp").status == .notFound)
        #expect(bench.get(Self.base + "/idps").text == "{\"result\":[]}")
    }

    @Test func `what is wrong with an identity provider is named`() throws {
        let bench = try Bench()
        #expect(bench.post(Self.base + "/idps", "{}").text == invalid("id", "name", "type"))
        #expect(
            bench.post(Self.base + "/idps", "{\"id\": \"i\", \"name\": \"n\", \"type\": \"TULIP\"}").text
                == invalid("issuer_uri", "client_id"))
    }

    @Test(arguments: [
        "/idps/any", "/applications/com.example.app/platforms/ios/versions/1.0.0",
    ])
    func `the slash at the end is needed where it is documented`(path: String) throws {
        let bench = try Bench()
        let response = bench.get(Self.base + path)

        #expect(response.status == .notFound)
        #expect(response.fields["code"] == "not_found")
        #expect(bench.bench.explanation?.contains(path + "/") == true)
    }

    // MARK: Web hooks

    @Test func `a web hook is made, shown without its password, changed, and removed with its links`() throws
    {
        let bench = try Bench()
        let made = bench.post(
            Self.base + "/web-hooks",
            """
            {"id": "hook-1", "type": "CUSTOMIZE_TOKEN", "name": "Hook", "base_uri": "https://hook.test",
             "authentication_method": "BASIC", "username": "u", "password": "hidden"}
            """)
        #expect(made.status == .created)
        #expect(made.headers["Location"] == Self.base + "/web-hooks/hook-1")
        let shown = """
            {"authentication_method":"BASIC","base_uri":"https://hook.test","id":"hook-1","name":"Hook",\
            "type":"CUSTOMIZE_TOKEN","username":"u"}
            """
        #expect(bench.get(Self.base + "/web-hooks/hook-1").text == shown)
        #expect(bench.get(Self.base + "/web-hooks").text == "{\"result\":[\(shown)]}")
        #expect(bench.patch(WebClientTests.path + "/shop", Self.link).status == .noContent)

        #expect(bench.patch(Self.base + "/web-hooks/hook-1", "{\"name\": \"New\"}").status == .noContent)
        #expect(bench.get(Self.base + "/web-hooks/hook-1").fields["name"] == "New")
        #expect(bench.patch(Self.base + "/web-hooks/hook-1", "{\"type\": \"X\"}").text == invalid("type"))

        #expect(bench.delete(Self.base + "/web-hooks/hook-1").status == .noContent)
        #expect(bench.get(Self.base + "/web-hooks/hook-1").text == notFound("Web Hook configuration"))
        let client = try bench.get(WebClientTests.path + "/shop").json(JSONValue.self)
        #expect(client["web_hook_ids"] == [])
    }

    private static let link = """
        {"web_hook_ids": ["hook-1"], "open_id_connect": {"expiration_time_seconds": 60}}
        """

    @Test func `the journal says when nobody calls a web hook or asks about a scope`() throws {
        let bench = try Bench()
        func told() -> [String?] {
            bench.bench.journal.filter { $0.event == "not emulated" || $0.event == "not verified" }
                .map(\.subject)
        }
        _ = bench.post(
            Self.base + "/web-hooks",
            """
            {"id": "called", "type": "CUSTOMIZE_TOKEN", "name": "n", "base_uri": "https://hook.test",
             "authentication_method": "NONE"}
            """)
        #expect(told() == [])
        _ = bench.post(
            Self.base + "/web-hooks",
            """
            {"id": "hook-1", "type": "DABP", "name": "n", "base_uri": "https://hook.test",
             "authentication_method": "NONE"}
            """)
        #expect(told() == ["hook-1"])
        _ = bench.post(Self.base + "/scopes", #"{"scope_id": "plain"}"#)
        #expect(told() == ["hook-1"])
        _ = bench.post(
            Self.base + "/scopes", #"{"scope_id": "checked", "service_endpoint": "https://check.test"}"#)
        #expect(Set(told()) == ["hook-1", "checked"])
    }

    @Test func `a web hook without an id gets one`() throws {
        let bench = try Bench()
        let body = """
            {"type": "DABP", "name": "n", "base_uri": "https://hook.test", "authentication_method": "NONE"}
            """
        let place = try #require(bench.post(Self.base + "/web-hooks", body).headers["Location"])
        #expect(bench.get(place).fields["type"] == "DABP")
        #expect(
            bench.post(Self.base + "/web-hooks", "{}").text
                == invalid("type", "name", "base_uri", "authentication_method"))
        let bare = body.replacing("NONE", with: "BASIC")
        #expect(bench.post(Self.base + "/web-hooks", bare).text == invalid("username", "password"))
    }
}
