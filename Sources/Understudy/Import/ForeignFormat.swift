import Essentials

/// A kind of file of another program that becomes fixtures.
protocol ForeignFormat: Sendable {
    /// Such as “a realm export of Keycloak”.
    static var title: String { get }
    /// Whether C#'s way with the case of names is that of the program.
    static var ignoresCase: Bool { get }
    static func fits(_ value: JSONValue) -> Bool
    /// The fixtures, as an object of sections.
    static func fixtures(of file: Foreign) -> JSONValue
}

extension ForeignFormat {
    static var ignoresCase: Bool { false }
}

/// What several formats say of clients and users.
enum ImportedClient {
    /// Redirect URIs of ours, from those of a program that has patterns: whether the client has to be lenient for them, and which are left.
    ///
    /// - Parameter base: of addresses without a host; nil where there is none.
    static func redirects(_ given: [String], base: String?, of client: String, _ file: Foreign) -> (
        exact: [String], isLenient: Bool
    ) {
        var (exact, isLenient) = ([String](), false)
        for text in given {
            let uri = text.hasPrefix("/") ? (base ?? "").trimmingEnd("/") + text : text
            guard uri.contains("*") else {
                if uri.contains(":") {
                    exact.append(uri)
                } else {
                    file.note("\(client): the redirect URI “\(text)” has no host; write it out")
                }
                continue
            }
            // Of the kind lenient, any address of this machine will do.
            let isLocal = uri == "*" || uri.contains(/^https?:\/\/(localhost|127\.0\.0\.1|\*)([:\/*]|$)/)
            if isLocal { isLenient = true }
            file.note(
                "\(client): the redirect URI “\(text)” is a pattern"
                    + (isLocal
                        ? "; the client is of the kind lenient, which takes any address on localhost"
                        : "; write out the addresses that it stands for"))
        }
        return (exact, isLenient)
    }

    /// Says what clients without a secret need here.
    static func notePublic(_ file: Foreign) {
        file.note(
            "clients without a secret have to send a code_challenge here (PKCE), also where they had not to")
    }

    /// `nil` members are left out.
    static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(
            Dictionary(uniqueKeysWithValues: members.compactMap { member in member.1.map { (member.0, $0) } })
        )
    }
}

/// What several formats say of users.
enum ImportedUser {
    /// What tokens say of themselves. Source: RFC 7519 §4.1, RFC 7662 §2.2, RFC 9068 §2.2, OpenID Connect Core 1.0 §2.
    private static let ownClaims: Set = [
        "act", "active", "acr", "amr", "at_hash", "aud", "auth_time", "azp", "c_hash", "cid", "client_id",
        "cnf", "exp", "iat", "iss", "jti", "may_act",
        "nbf", "nonce", "scope", "scp", "sid", "sub", "token_type", "username", "ver",
    ]

    /// Those of `claims` that a user can have. `taken`: names that are read elsewhere.
    static func claims(
        _ claims: [String: JSONValue], of user: String, besides taken: Set<String> = [], _ file: Foreign
    ) -> [String: JSONValue] {
        for name in claims.keys.sorted() where ownClaims.contains(name) && !taken.contains(name) {
            file.note(
                "the claim \(name) of \(user) is left out: tokens say it of themselves"
                    + (name == "acr" ? " (pages.acr_values)" : ""))
        }
        return claims.filter { !ownClaims.contains($0.key) }
    }
}

extension String {
    func trimmingEnd(_ character: Character) -> String {
        var text = self[...]
        while text.last == character { text.removeLast() }
        return String(text)
    }
}

extension JSONValue {
    /// A list of texts; nil for none.
    static func given(_ texts: [String]) -> JSONValue? { texts.isEmpty ? nil : JSONValue(texts) }
    /// A text; nil for none and for the empty one.
    static func given(_ text: String?) -> JSONValue? { text.flatMap { $0.isEmpty ? nil : .string($0) } }
}

/// Scopes of OpenID Connect, and lists of them.
enum Scopes {
    static let standardNames: Set = ["openid", "profile", "email", "address", "phone", "offline_access"]

    static func joined(_ names: [String]) -> String {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }.joined(separator: " ")
    }

    /// `oauth`, whose list of scopes, if it has one, has those of the standard and those of its clients as well.
    static func completed(_ oauth: JSONValue) -> JSONValue {
        guard var members = oauth.object, let listed = members["scopes"]?.array else { return oauth }
        let clients = members["clients"]?.array ?? []
        let named = clients.filter { $0["kind"]?.string != "api" }.flatMap {
            ($0["scope"]?.string ?? "").split(separator: " ").map(String.init)
        }
        let missing = standardNames.union(named).subtracting(listed.compactMap { $0["name"]?.string })
        members["scopes"] = .array(listed + missing.sorted().map { .object(["name": .string($0)]) })
        return .object(members)
    }
}
