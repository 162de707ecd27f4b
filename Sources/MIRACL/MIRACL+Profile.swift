import Essentials
import OpenID
import SQLite

extension MIRACL {
    /// Source: the vendor's documentation of OpenID Connect.
    static let profile: ServerProfile = {
        var paths = EndpointPaths()
        paths.authorization = ["/authorize"]
        paths.token = ["/oidc/token"]
        paths.userinfo = ["/oidc/userinfo"]
        paths.keys = ["/oidc/certs"]
        (paths.introspection, paths.revocation, paths.deviceAuthorization) = ([], [], [])
        (paths.deviceVerification, paths.pushedRequest, paths.registration) = ([], [], [])
        (paths.logout, paths.checkSession, paths.login, paths.consent) = ([], [], [], [])
        return ServerProfile(
            name: name, title: title, paths: paths, ignoresUnknownScopes: true, asksUsersItself: true,
            secretPlaces: .either, knowsResources: false, metadata: metadata,
            claims: .standard(in: [.userinfo]).overlaid(
                with: ClaimMapping([
                    "mpin_id": ["mpin_id": [.userinfo]], "hash_mpin_id": ["hash_mpin_id": [.userinfo]],
                    "dvs": ["dvs_keys": [.userinfo]],
                ])))
    }()

    /// What the vendor's metadata says, null for what it does not have.
    private static let metadata: [String: JSONValue] = [
        "grant_types_supported": ["authorization_code", "refresh_token"],
        "response_types_supported": ["code"],
        "response_modes_supported": ["query", "fragment", "form_post"],
        "scopes_supported": JSONValue(Vendor.scopes), "subject_types_supported": ["public"],
        "token_endpoint_auth_methods_supported": ["client_secret_basic", "client_secret_post"],
        "token_endpoint_auth_signing_alg_values_supported": .null,
        "introspection_endpoint_auth_methods_supported": .null,
        "introspection_endpoint_auth_signing_alg_values_supported": .null,
        "revocation_endpoint_auth_methods_supported": .null,
        "revocation_endpoint_auth_signing_alg_values_supported": .null,
        "claims_supported": ["sub", "iss", "email", "email_verified"],
        "authorization_response_iss_parameter_supported": .null, "acr_values_supported": .null,
        "backchannel_logout_supported": .null, "backchannel_logout_session_supported": .null,
        "frontchannel_logout_supported": .null, "frontchannel_logout_session_supported": .null,
        "prompt_values_supported": .null, "ui_locales_supported": ["en", "ro", "fr"],
    ]
}
