import Essentials
import HTTP

/// What a recording shows of one OAuth client.
struct ClientTrace {
    /// How it proved who it is.
    enum Proof: Equatable {
        case secret(String)
        case assertion
        case nothing
    }

    let id: String
    /// Whether an answer says that the server knew it.
    private(set) var isKnown = false
    /// Nil where no proof was accepted.
    private(set) var proof: Proof?
    private(set) var redirectURIs: [String] = []
    private var responseTypes: [String] = []
    private var grants: [String] = []
    private var logoutURIs: [String] = []
    private(set) var scopes: [String] = []
    private var defaultScope: String?
    /// Scopes of the platform's own APIs.
    private var interfaces: [String] = []
    private var audiences: [String] = []
    private var hasTokens = false
    private var idTokenAlgorithm: String?
    private var idTokenSeconds: Int?
    private var accessTokenSeconds: Int?
    private var isAccessTokenJWT = false

    init(id: String) { self.id = id }

    /// Errors that a server tells who is known alone. Source: RFC 6749 §5.2, RFC 8628 §3.5.
    private static let pastTheClient: Set = [
        "invalid_grant", "invalid_scope", "authorization_pending", "slow_down", "expired_token",
    ]

    /// Errors after which a client may lack what it asked for. Source: RFC 6749 §4.1.2.1.
    private static let unfit = [
        "invalid_scope", "unauthorized_client", "unsupported_response_type", "invalid_request",
    ]

    mutating func note(_ sighting: Sighting) {
        guard Self.isWelcome(sighting) else { return }
        isKnown = true
        noteProof(of: sighting)
        if sighting["response_type"] != nil { noteAuthorization(sighting) }
        if sighting["grant_type"] != nil { noteTokens(sighting) }
        if sighting.path.hasSuffix("/device_authorization") {
            grants.note("urn:ietf:params:oauth:grant-type:device_code")
            for name in Self.names(sighting["scope"]) { scopes.note(name) }
        }
        if sighting.isAccepted { logoutURIs.note(sighting["post_logout_redirect_uri"]) }
        interfaces.note(Self.interface(of: sighting.path))
    }

    private static func isWelcome(_ sighting: Sighting) -> Bool {
        guard sighting.isAccepted else {
            return sighting.answered?["error"]?.string.map(pastTheClient.contains) ?? false
        }
        // Whom a server does not know, it sends to a page of its own at most. Source: RFC 6749 §4.1.2.1.
        guard let location = sighting.exchange.response.headers["Location"], location.contains("error=")
        else { return true }
        return sighting["redirect_uri"].map(location.hasPrefix) ?? false
    }

    private mutating func noteProof(of sighting: Sighting) {
        if let basic = sighting.basic, basic.name == id {
            proof = .secret(basic.secret)
        } else if let secret = sighting["client_secret"] {
            proof = .secret(secret)
        } else if sighting["client_assertion"] != nil {
            proof = .assertion
        } else if sighting["grant_type"] != nil, proof == nil {
            proof = .nothing
        }
    }

    private mutating func noteAuthorization(_ sighting: Sighting) {
        redirectURIs.note(sighting["redirect_uri"])
        grants.note("authorization_code")
        let location = sighting.exchange.response.headers["Location"] ?? ""
        guard !Self.unfit.contains(where: { location.contains("error=" + $0) }) else { return }
        responseTypes.note(sighting["response_type"])
        if let type = sighting["response_type"], type.contains("token") { grants.note("implicit") }
        for name in Self.names(sighting["scope"]) { scopes.note(name) }
    }

    private mutating func noteTokens(_ sighting: Sighting) {
        grants.note(sighting["grant_type"])
        redirectURIs.note(sighting["redirect_uri"])
        guard sighting.isAccepted, let answer = sighting.answered, answer["access_token"] != nil else {
            return
        }
        hasTokens = true
        let granted = Self.names(answer["scope"]?.string)
        for name in Self.names(sighting["scope"]) + granted { scopes.note(name) }
        if sighting["scope"] == nil, sighting["grant_type"] == "client_credentials", !granted.isEmpty {
            defaultScope = granted.joined(separator: " ")
        }
        if answer["refresh_token"] != nil { grants.note("refresh_token") }
        accessTokenSeconds = answer["expires_in"]?.integer ?? accessTokenSeconds
        if let (_, claims) = answer["access_token"]?.string.flatMap(WebToken.parts) {
            isAccessTokenJWT = true
            let issuer = claims["iss"]?.string
            for audience in claims["aud"]?.texts ?? [] where audience != issuer && audience != id {
                audiences.note(audience)
            }
        }
        guard let (header, claims) = answer["id_token"]?.string.flatMap(WebToken.parts) else { return }
        idTokenAlgorithm = header["alg"]?.string
        if let start = claims["iat"]?.integer, let end = claims["exp"]?.integer {
            let (seconds, isTooLong) = end.subtractingReportingOverflow(start)
            idTokenSeconds = isTooLong ? nil : seconds
        }
    }

    private static func names(_ scope: String?) -> [String] {
        (scope ?? "").split(separator: " ").map(String.init)
    }

    /// Source: Token Server documentation, “API clients”.
    private static func interface(of path: String) -> String? {
        let parts = [
            ("/token/introspect", "onegini_api_token_introspection"),
            ("/configuration/api-clients", "onegini_api_admin"),
            ("/configuration/web-hooks", "onegini_api_admin"),
            ("/configuration/", "onegini_api_config"), ("/users/", "onegini_api_end_user"),
            ("/events", "onegini_api_events"), ("/authenticate/user", "onegini_api_mobile_authentication"),
        ]
        return parts.first { path.contains($0.0) }?.1
    }
}

extension ClientTrace {
    /// As an entry of `onegini.oauth.clients`.
    var settings: JSONValue {
        var settings: [String: JSONValue] = ["client_id": .string(id)]
        settings["client_secret"] = secret.map(JSONValue.string)
        switch proof {
        case .assertion: settings["token_endpoint_auth_method"] = "private_key_jwt"
        case .nothing: settings["token_endpoint_auth_method"] = "none"
        case .secret, nil: break
        }
        settings["grant_types"] = JSONValue(grants)
        if grants.isEmpty, !interfaces.isEmpty {
            settings["kind"] = "api"
            settings["scope"] = .string(interfaces.joined(separator: " "))
            return .object(settings)
        }
        func add(_ name: String, _ values: [String]) {
            if !values.isEmpty { settings[name] = JSONValue(values) }
        }
        add("redirect_uris", redirectURIs)
        add("post_logout_redirect_uris", logoutURIs)
        if responseTypes != ["code"] { add("response_types", responseTypes) }
        add("audiences", audiences)
        settings["scope"] = scopes.isEmpty ? nil : .string(scopes.joined(separator: " "))
        settings["default_scope"] = defaultScope.map(JSONValue.string)
        if hasTokens { settings["access_token_format"] = isAccessTokenJWT ? "jwt" : "opaque" }
        settings["access_token_lifetime"] = accessTokenSeconds.map(JSONValue.integer)
        settings["id_token_lifetime"] = idTokenSeconds.map(JSONValue.integer)
        if let idTokenAlgorithm { settings["id_token_signed_response_alg"] = .string(idTokenAlgorithm) }
        return .object(settings)
    }

    /// As one of the applications of a MIRACL project.
    var application: JSONValue {
        [
            "client_id": .string(id), "client_secret": .string(secret ?? Self.unseen), "name": .string(id),
            "redirect_uris": JSONValue(redirectURIs),
        ]
    }

    /// Nil for a client that has none.
    private var secret: String? {
        switch proof {
        case .secret(let secret): secret
        case .assertion, .nothing: nil
        case nil: Self.unseen
        }
    }

    /// In the place of a secret of which nothing is seen: no request that carried one was accepted.
    private static let unseen = "not seen in the recording"

    /// For the sentence.
    var proofWords: String {
        switch proof {
        case .secret: "with the secret that it carries"
        case .assertion: "which proves itself by a key that the recording does not have"
        case .nothing: "which has no secret"
        case nil: "whose secret it does not show"
        }
    }
}
