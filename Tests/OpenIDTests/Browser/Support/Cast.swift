import Crypto
import Essentials
import HTTP
import OpenID
import TestKit

/// The clients and users of these tests.
enum Cast {
    static let callback = "https://client.example/cb"

    static let scope = "openid profile email address phone offline_access"

    static let users = """
        "users": [
            {"sub": "a-1", "username": "alice", "password": "wonderland", "claims":
                {"name": "Alice Liddell", "email": "alice@example.com", "email_verified": true,
                 "phone_number": "+31201234567", "address": {"country": "NL"}, "given_name": "Alice"}},
            {"sub": "b-2", "username": "bob", "claims": {"name": "Bob <b>Builder</b>"}}
        ]
        """

    static let web = """
        {"client_id": "web", "client_secret": "s3cret", "client_name": "Web Shop", "scope": "\(scope)",
         "redirect_uris": ["\(callback)"], "grant_types": ["authorization_code", "refresh_token"],
         "post_logout_redirect_uris": ["https://client.example/bye"]}
        """

    static let app = """
        {"client_id": "app", "client_name": "App", "token_endpoint_auth_method": "none", "scope": "\(scope)",
         "redirect_uris": ["com.example.app:/cb", "http://127.0.0.1/native", "http://[::1]/native"]}
        """

    static let implicit = """
        {"client_id": "page", "client_secret": "p", "scope": "\(scope)", "redirect_uris": ["\(callback)"],
         "response_types": ["code", "id_token", "token id_token", "token"],
         "grant_types": ["authorization_code", "implicit"]}
        """

    /// - Parameters:
    ///   - clients: beside the three above.
    ///   - more: further members of the section.
    static func bench(_ clients: String..., more: String = "") throws -> TestBench<MountedServer> {
        let all = ([web, app, implicit] + clients).joined(separator: ", ")
        return try .mounted("\(users), \"clients\": [\(all)]\(more.isEmpty ? "" : ", " + more)")
    }

    /// A request of the client `web` with one thing added or changed.
    static func request(_ changes: KeyValuePairs<String, String> = [:]) -> String {
        var fields = [
            ("response_type", "code"), ("client_id", "web"), ("redirect_uri", callback), ("scope", "openid"),
            ("state", "xyz"), ("nonce", "n-0S6_WzA2Mj"),
        ]
        for (name, value) in changes {
            fields.removeAll { $0.0 == name }
            if !value.isEmpty { fields.append((name, value)) }
        }
        return "/authorize?" + Browser.encoded(fields)
    }
}

extension Browser {
    /// Presses the button of a user on the login page.
    func click(_ subject: String, on visit: Visit) -> Visit {
        guard let form = visit.forms.first(where: { $0.buttons.contains { $0.name == "subject" } }) else {
            return visit
        }
        return submit(form, pressing: ("subject", subject))
    }

    func logIn(_ name: String, _ password: String, on visit: Visit) -> Visit {
        guard let form = visit.forms.first(where: { $0["username"] != nil }) else { return visit }
        return submit(form, ["username": name, "password": password])
    }

    /// Presses `allow` or `deny`.
    func decide(_ decision: String, on visit: Visit) -> Visit {
        guard let form = visit.forms.first else { return visit }
        return submit(form, pressing: ("decision", decision))
    }

    /// Asks, and logs in with a click where that is asked for.
    func authorize(_ changes: KeyValuePairs<String, String> = [:], as subject: String = "a-1") -> Visit {
        let visit = open(Cast.request(changes))
        return visit.heading == "Log in" ? click(subject, on: visit) : visit
    }
}

extension TestBench where P == MountedServer {
    /// Trades a code of the client `web` for tokens.
    func redeem(_ code: String?, _ more: KeyValuePairs<String, String> = [:]) throws -> JSONValue {
        var fields = [
            ("grant_type", "authorization_code"), ("code", code ?? ""), ("redirect_uri", Cast.callback),
        ]
        for (name, value) in more { fields.append((name, value)) }
        let response = send(
            .post, "/oauth/token", body: Array(Browser.encoded(fields).utf8),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": Self.basic("web", "s3cret"),
            ])
        return try JSONValue(parsing: response.bytes)
    }

    /// The claims of an ID token, unverified.
    func claims(_ token: JSONValue?) throws -> JSONValue {
        let parts = (token?.string ?? "").split(separator: ".")
        return try JSONValue(parsing: parts.count == 3 ? Base64URL.decode(parts[1]) ?? [] : Array("{}".utf8))
    }

    func userinfo(_ tokens: JSONValue) throws -> JSONValue {
        let token = tokens["access_token"]?.string ?? ""
        return try JSONValue(
            parsing: get("/oauth/userinfo", headers: ["Authorization": "Bearer \(token)"]).bytes)
    }
}
