import Essentials
package import PlatformKit

/// Finds what the fixtures of an authorization server say and cannot mean.
///
/// Whoever writes fixtures may want a client that no server would register, so that ``ClientFixtureRules`` lets it load; a check tells.
package struct FixtureMistakes {
    private let kinds: [String]
    private let path: [String]
    /// Names of scopes; empty where every name is one.
    private let scopes: [String]
    private let settings: ServerSettings
    private var found: [FixtureProblem] = []

    /// - Parameters:
    ///   - kinds: the words that the platform has for clients.
    ///   - path: where the fixtures stand in the platform's section.
    package static func all(
        in fixtures: OpenIDFixtures, kinds: [String], at path: [String] = ["oauth"]
    ) -> [FixtureProblem] {
        var mistakes = FixtureMistakes(
            kinds: kinds, path: path, scopes: (fixtures.scopes ?? []).map(\.name),
            settings: fixtures.settings ?? ServerSettings())
        if fixtures.settings?.initialAccessToken == "" {
            mistakes.note(
                ["settings", "initial_access_token"],
                "an empty token is not a secret: leave it out to allow open registration")
        }
        mistakes.checkScopes(fixtures.settings?.registeredScope, at: ["settings", "registered_scope"])
        for (index, user) in (fixtures.users ?? []).enumerated() {
            mistakes.check(user, at: ["users", String(index)])
        }
        for (index, client) in (fixtures.clients ?? []).enumerated() {
            mistakes.check(client, at: ["clients", String(index)])
        }
        return mistakes.found
    }

    private init(kinds: [String], path: [String], scopes: [String], settings: ServerSettings) {
        (self.kinds, self.path, self.scopes, self.settings) = (kinds, path, scopes, settings)
    }

    private mutating func note(_ place: [String], _ reason: String) {
        found.append(FixtureProblem(at: path + place, reason))
    }

    private mutating func check(_ word: String, among words: [String], at place: [String]) {
        guard !words.contains(word) else { return }
        note(
            place,
            "expected one of \(words.joined(separator: ", ")), found “\(word.prefix(80))”\(Suggestion.question(word, among: words))"
        )
    }

    private mutating func checkScopes(_ text: String?, at place: [String]) {
        guard let text, !scopes.isEmpty else { return }
        for name in ScopeList(text).missing(in: ScopeList(scopes)) {
            note(
                place,
                "the scope “\(name.prefix(80))” is not among those of this server\(Suggestion.question(name, among: scopes))"
            )
        }
    }

    // MARK: Clients

    private mutating func check(_ entry: ClientFixture, at place: [String]) {
        let client = entry.client
        if let kind = entry.kind { check(kind, among: kinds, at: place + ["kind"]) }
        for (index, type) in (entry.metadata.grantTypes ?? []).enumerated() {
            check(type, among: GrantType.all, at: place + ["grant_types", String(index)])
        }
        for (index, type) in (entry.metadata.responseTypes ?? []).enumerated() where ResponseType(type) == nil
        {
            note(
                place + ["response_types", String(index)],
                "expected one of code, id_token, token, id_token token, found “\(type.prefix(80))”")
        }
        checkScopes(of: client, at: place)
        checkSchemes(client.redirectURIs, at: place + ["redirect_uris"])
        checkSchemes(client.metadata.postLogoutRedirectURIs ?? [], at: place + ["post_logout_redirect_uris"])
        // It needs neither secret nor redirect URI.
        if client.isLenient { return }
        checkProof(client, at: place)
        let isSent = client.may(GrantType.authorizationCode) || client.may(GrantType.implicit)
        if isSent, client.redirectURIs.isEmpty, client.kind != AuthorizationServer.apiKind {
            note(
                place + ["redirect_uris"],
                "a client of the authorization endpoint needs at least one; without a login its grant_types name another grant, or none: []"
            )
        }
    }

    /// By the letter, `localhost:3000/cb` is an address with the scheme `localhost`.
    private mutating func checkSchemes(_ uris: [String], at place: [String]) {
        for (index, uri) in uris.enumerated() {
            guard let meant = ClientURI.withScheme(uri) else { continue }
            note(
                place + [String(index)],
                "“\(uri.prefix(80))” has no scheme; did you mean “\(meant.prefix(80))”?")
        }
    }

    private mutating func checkProof(_ client: Client, at place: [String]) {
        if !settings.clientMethods.contains(client.authentication) {
            note(
                place + ["token_endpoint_auth_method"],
                "the profile among the settings takes \(settings.clientMethods.map(\.rawValue).joined(separator: ", ")) alone, so this client "
                    + "cannot authenticate"
            )
            return
        }
        switch client.authentication {
        case .basic, .post:
            if client.secret == "" {
                note(
                    place + ["client_secret"],
                    "an empty secret is none; a client without one has token_endpoint_auth_method none")
            }
            if client.secret == nil, client.metadata.vendor == nil {
                note(
                    place + ["client_secret"],
                    "there is none, so this client cannot authenticate; a client without one has token_endpoint_auth_method none"
                )
            }
        case .privateKeyJWT:
            if client.metadata.jwks == nil, client.metadata.jwksURI == nil {
                note(place + ["jwks"], "private_key_jwt needs jwks or jwks_uri")
            }
            guard let jwks = client.metadata.jwks else { return }
            do {
                try ClientKeyRules.checkAssertions(jwks)
            } catch let fault as MetadataFault {
                note(place + [fault.member], fault.reason)
            } catch {
                note(place + ["jwks"], "\(error)")
            }
        case .none: break
        }
    }

    private mutating func checkScopes(of client: Client, at place: [String]) {
        // What stands for an API has scopes of the platform's own.
        if client.kind != AuthorizationServer.apiKind {
            checkScopes(client.metadata.scope, at: place + ["scope"])
        }
        guard let standard = client.defaultScopes, client.metadata.scope != nil else { return }
        let tooMuch = standard.missing(in: client.scopes)
        if !tooMuch.isEmpty {
            note(
                place + ["default_scope"],
                "“\(tooMuch.joined(separator: " "))” is not in the scope of the client, “\(client.scopes.text)”"
            )
        }
    }

    // MARK: Users

    private mutating func check(_ user: UserFixture, at place: [String]) {
        if user.password == "" { note(place + ["password"], "an empty password is none: leave it out") }
        for (name, value) in (user.claims ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let type = StandardClaims.type(of: name), !type.fits(value) else { continue }
            note(place + ["claims", name], "expected \(type.rawValue), found \(value.shown)")
        }
    }
}

extension GrantType {
    /// Every one that a client can be registered for.
    static let all = atTokenEndpoint + [implicit]
}

extension StandardClaims {
    /// Source: OpenID Connect Core 1.0 §5.1.
    enum ClaimType: String {
        case text = "a text"
        case flag = "true or false"
        case number = "a whole number of seconds"
        case object = "an object"

        func fits(_ value: JSONValue) -> Bool {
            switch self {
            case .text: value.string != nil
            case .flag: value.boolean != nil
            case .number: value.integer != nil
            case .object: value.object != nil
            }
        }
    }

    /// Nil for a claim that the standard does not have.
    static func type(of claim: String) -> ClaimType? {
        switch claim {
        case "email_verified", "phone_number_verified": .flag
        case "updated_at": .number
        case "address": .object
        default: byScope.values.contains { $0.contains(claim) } ? .text : nil
        }
    }
}
