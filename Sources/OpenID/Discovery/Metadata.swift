import Essentials
import JOSE
import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The metadata under the URL at which the request came, with what the fixtures say in the place of its own.
    ///
    /// Sources: OpenID Connect Discovery 1.0 §3; RFC 8414 §2; RFC 8628 §4; RFC 9126 §5; RFC 9207 §3; RP-Initiated Logout §2.1;
    /// Front-Channel Logout §3; Back-Channel Logout §2.1; Session Management §3.3.
    func metadata(for request: Request) throws -> JSONValue {
        let settings = try settings()
        var members = try endpointMembers(request)
        members.merge(Self.fixedMembers) { one, _ in one }
        members.merge(Self.clientMembers(settings)) { _, one in one }
        members.merge(grantMembers(settings)) { one, _ in one }
        members.merge(signedMembers(settings)) { _, one in one }
        members.merge(try stateMembers(settings)) { one, _ in one }
        if let names = settings.claimsByScope?.names.filter({ !Self.claims.contains($0) }), !names.isEmpty {
            members["claims_supported"] = JSONValue(Self.claims + names)
        }
        for changes in [profile.metadata, settings.metadata ?? [:]] {
            for (name, value) in changes { members[name] = value.isNull ? nil : value }
        }
        return .object(members)
    }

    private func endpointMembers(_ request: Request) throws -> [String: JSONValue] {
        let paths = profile.paths
        let visited = [
            "authorization_endpoint": paths.authorization, "end_session_endpoint": paths.logout,
            "check_session_iframe": paths.checkSession,
        ]
        let called = [
            "token_endpoint": paths.token, "jwks_uri": paths.keys, "userinfo_endpoint": paths.userinfo,
            "registration_endpoint": paths.registration,
            "device_authorization_endpoint": paths.deviceAuthorization,
            "pushed_authorization_request_endpoint": paths.pushedRequest,
            "introspection_endpoint": paths.introspection, "revocation_endpoint": paths.revocation,
        ]
        let (pages, backChannel) = (try pageBase(request), try backChannel(request))
        // What a platform has no path for, it does not offer.
        var members = visited.compactMapValues { $0.first.map { JSONValue.string(pages + $0) } }
        members.merge(called.compactMapValues { $0.first.map { .string(backChannel + $0) } }) { one, _ in one
        }
        members.merge(try rootMembers(request)) { _, one in one }
        members["issuer"] = .string(try issuer(request))
        members["service_documentation"] = .string(request.worldURL + "/")
        return members
    }

    private func grantMembers(_ settings: ServerSettings) -> [String: JSONValue] {
        var grants = [
            GrantType.authorizationCode, GrantType.refreshToken, GrantType.clientCredentials,
            GrantType.deviceCode,
            GrantType.tokenExchange,
        ]
        var types = ["code"]
        if settings.offersImplicitGrant {
            grants.append(GrantType.implicit)
            types += ["id_token", "token id_token"]
        }
        return ["grant_types_supported": JSONValue(grants), "response_types_supported": JSONValue(types)]
    }

    /// What clients may sign besides their assertions. Sources: RFC 9449 §5.1; RFC 9101 §10.5.
    private func signedMembers(_ settings: ServerSettings) -> [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        if settings.offersDPoP {
            members["dpop_signing_alg_values_supported"] = JSONValue(settings.proofAlgorithms)
        }
        if settings.offersRequestObjects {
            members["request_parameter_supported"] = true
            members["request_object_signing_alg_values_supported"] = JSONValue(
                settings.requestObjectAlgorithms)
        }
        if settings.demandsSignedRequests { members["require_signed_request_object"] = true }
        return members
    }

    /// What clients have to do. Sources: RFC 7636 §6.2.1; RFC 9126 §5.
    private static func clientMembers(_ settings: ServerSettings) -> [String: JSONValue] {
        let all = settings.clientMethods.map(\.rawValue)
        let confidential = JSONValue(all.filter { $0 != ClientAuthenticationMethod.none.rawValue })
        let signing = JSONValue(settings.assertionAlgorithms)
        return [
            "code_challenge_methods_supported": JSONValue(settings.challengeMethods),
            "require_pushed_authorization_requests": .boolean(settings.demandsPush),
            "token_endpoint_auth_methods_supported": JSONValue(all),
            "token_endpoint_auth_signing_alg_values_supported": signing,
            "introspection_endpoint_auth_methods_supported": confidential,
            "introspection_endpoint_auth_signing_alg_values_supported": signing,
            "revocation_endpoint_auth_methods_supported": JSONValue(all),
            "revocation_endpoint_auth_signing_alg_values_supported": signing,
        ]
    }

    /// What follows from the keys, scopes and settings of the world.
    private func stateMembers(_ settings: ServerSettings) throws -> [String: JSONValue] {
        let (known, pages) = try database.read { db in
            (try scopes.known(in: db).map(\.name), try browserSettings(in: db))
        }
        let published = ScopeList(try services.keys.published(profile.name).map(\.algorithm.name)).names
        let strong = published.filter(ServerSettings.fapiAlgorithms.contains)
        let algorithms = settings.isFAPI && !strong.isEmpty ? strong : published
        let lists: [String: [String]] = [
            "scopes_supported": known, "acr_values_supported": pages.reachedACRs,
            "id_token_signing_alg_values_supported": algorithms,
            "userinfo_signing_alg_values_supported": algorithms,
        ]
        // RFC 8414 §2: what would be empty is left out.
        return lists.filter { !$0.value.isEmpty }.mapValues { JSONValue($0) }
    }

    private static let fixedMembers: [String: JSONValue] = [
        "response_modes_supported": ["query", "fragment", "form_post"],
        "subject_types_supported": ["public"],
        "claim_types_supported": ["normal"], "claims_supported": JSONValue(claims),
        "claims_parameter_supported": true, "request_parameter_supported": false,
        // Its default is true.
        "request_uri_parameter_supported": false,
        "authorization_response_iss_parameter_supported": true, "backchannel_logout_supported": true,
        "backchannel_logout_session_supported": true, "frontchannel_logout_supported": true,
        "frontchannel_logout_session_supported": true, "ui_locales_supported": ["en"],
        "prompt_values_supported": JSONValue(AuthorizationRequest.Prompt.allCases.map(\.rawValue)),
    ]

    /// Source: OpenID Connect Core 1.0 §2, §5.1; Front-Channel Logout §3 for `sid`.
    private static let claims = [
        "sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr", "azp", "at_hash", "sid",
        "name",
        "family_name", "given_name", "middle_name", "nickname", "preferred_username", "profile", "picture",
        "website",
        "gender", "birthdate", "zoneinfo", "locale", "updated_at", "email", "email_verified", "address",
        "phone_number", "phone_number_verified",
    ]
}
