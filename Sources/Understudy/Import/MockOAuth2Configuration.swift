import Essentials

/// The configuration of navikt's mock-oauth2-server, as in its variable `JSON_CONFIG` or its file.
///
/// Source: README of mock-oauth2-server 2.x, “Standalone server”, and `OAuth2Config`.
enum MockOAuth2Configuration: ForeignFormat {
    static let title = "a configuration of mock-oauth2-server (JSON_CONFIG)"

    static func fits(_ value: JSONValue) -> Bool {
        ["tokenCallbacks", "tokenProvider", "interactiveLogin", "rotateRefreshToken", "loginPagePath"]
            .contains { value[$0] != nil }
    }

    static func fixtures(of file: Foreign) -> JSONValue {
        let issuers = file.parts("tokenCallbacks")
        let names = issuers.compactMap { $0.text("issuerId") }
        if !names.isEmpty {
            file.note(
                "issuers (\(names.joined(separator: ", "))): here there is one, /oauth of each world; a world for each, or settings.issuer, gives them names"
            )
        }
        let mappings = issuers.flatMap { issuer in
            let seconds = issuer.number("tokenExpiry")
            return issuer.parts("requestMappings").map { Mapping($0, seconds: seconds) }
        }
        var oauth: JSONValue = .object([
            "clients": .array(clients(mappings, file)), "users": .array(users(mappings, file)),
        ])
        if file.flag("interactiveLogin") == false {
            file.note(
                "interactiveLogin false: a login_hint that names a user logs in without a page (pages.auto_login)"
            )
            oauth = oauth.joined(with: ["pages": ["auto_login": true]])
        }
        if file.flag("rotateRefreshToken") == false {
            file.note("rotateRefreshToken false: refresh tokens are always exchanged here")
        }
        let provider = file.part("tokenProvider")
        if provider?.any("keyProvider") != nil {
            file.note(
                "tokenProvider.keyProvider: signing keys are those of Understudy; own ones stand in the section keys, as PEM"
            )
        }
        let clock = provider?.text("systemTime").map { JSONValue.object(["now": .string($0)]) }
        return ImportedClient.object([("onegini", .object(["oauth": oauth])), ("clock", clock)])
    }

    /// Claims for requests of which a parameter has a value.
    private struct Mapping {
        let parameter, match: String
        let claims: [String: JSONValue]
        let seconds: Int?

        init(_ mapping: Foreign, seconds: Int?) {
            parameter = mapping.text("requestParam") ?? ""
            match = mapping.text("match") ?? "*"
            claims = mapping.any("claims")?.object ?? [:]
            self.seconds = seconds
            if let type = mapping.text("typeHeader"), type != "JWT" {
                mapping.note("typeHeader “\(type)”: access tokens have the typ of RFC 9068, ID tokens JWT")
            }
        }

        /// What it asks, such as `scope=read`.
        var condition: String { "\(parameter)=\(match)" }
        /// Nil for a pattern.
        var name: String? { match.contains(/[*\\\[\]()|^$+?]/) ? nil : match }
        var audiences: [String] { claims["aud"]?.strings ?? claims["aud"]?.string.map { [$0] } ?? [] }
    }

    private static func clients(_ mappings: [Mapping], _ file: Foreign) -> [JSONValue] {
        let named = mappings.filter { $0.parameter == "client_id" && $0.name != nil }
        let scopes = mappings.filter { $0.parameter == "scope" }.compactMap(\.name)
        let others = mappings.filter { $0.parameter != "client_id" }
        file.note(
            "clients: there every client_id is one; here those that are named, of the kind lenient: any secret, any redirect URI on localhost"
        )
        guard !named.isEmpty else {
            return [client("default", scopes, others.flatMap(\.audiences), mappings.first?.seconds)]
        }
        return named.map { client($0.match, scopes, $0.audiences + others.flatMap(\.audiences), $0.seconds) }
    }

    private static func client(_ id: String, _ scopes: [String], _ audiences: [String], _ seconds: Int?)
        -> JSONValue
    {
        let scope = Scopes.joined(["openid", "profile", "email", "offline_access"] + scopes)
        return ImportedClient.object([
            ("client_id", .string(id)), ("client_secret", .string(id + "-secret")), ("kind", "lenient"),
            ("grant_types", ["authorization_code", "refresh_token", "client_credentials", "password"]),
            ("scope", .string(scope)),
            ("default_scope", .string(scope)),
            ("audiences", .given(Scopes.joined(audiences).split(separator: " ").map(String.init))),
            ("access_token_format", "jwt"), ("access_token_lifetime", seconds.map { .integer($0) }),
            ("id_token_lifetime", seconds.map { .integer($0) }),
            ("skips_consent", true),
        ])
    }

    /// One for each subject; what several mappings say of one is laid over one another.
    private static func users(_ mappings: [Mapping], _ file: Foreign) -> [JSONValue] {
        var (order, claims) = ([String](), [String: [String: JSONValue]]())
        for mapping in mappings {
            guard let subject = mapping.claims["sub"]?.string, !subject.contains("${") else {
                if !mapping.claims.isEmpty {
                    file.note(
                        "claims for \(mapping.condition): they name no user (sub), and a token of client_credentials has no place for claims but its audience"
                    )
                }
                continue
            }
            if claims[subject] == nil { order.append(subject) }
            let own = ImportedUser.claims(mapping.claims, of: subject, besides: ["sub", "aud"], file)
            claims[subject, default: [:]].merge(own) { $1 }
            file.note(
                "claims for \(mapping.condition): they are in all tokens of the user \(subject), whatever the request says"
            )
        }
        return order.map { .object(["sub": .string($0), "claims": .object(claims[$0] ?? [:])]) }
    }
}
