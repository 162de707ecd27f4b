import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension PasskeyAPI {
    /// `POST /{tenant_id}/login/initialize`: options with which somebody signs in.
    ///
    /// - Request: nothing, or `{"user_id"}` with `apiKey` for a login of one user.
    /// - Response: `200 {"publicKey": …}`; with `allowCredentials`, without transports, for one user.
    /// - Errors: `api key is missing`, `The api key is invalid`; 404 `user not found`; 500 for a user without passkeys, as there.
    /// - Source: the vendor's server, login.
    func beginLogin(_ request: Request) throws -> Response {
        let tenant = try tenant(of: request)
        var members = try PostedMembers(request)
        let user = try members.text("user_id")
        if user == "" { members.refuse("user_id must at least have 1 entry") }
        try members.check()
        if user != nil {
            guard request.headers["apiKey"]?.contains(where: { !$0.isWhitespace }) == true else {
                throw PasskeyAPIRefusal.apiKeyMissing()
            }
            try requireKey(request, of: tenant)
        }
        return try beginLogin(request, of: user, tenant, isMFA: false)
    }

    /// `POST /{tenant_id}/mfa/login/initialize`: options with which a user shows a second factor.
    ///
    /// - Request: `apiKey`; `{"user_id"}`.
    /// - Response: `200 {"publicKey": …}`, with all credentials of the user.
    /// - Errors: `The api key is invalid`; `unable to validate request`; 404 `user not found`; 500 for a user without credentials.
    /// - Source: the vendor's server, MFA.
    func beginMFALogin(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        var members = try PostedMembers(request)
        let user = try members.required("user_id")
        try members.check()
        return try beginLogin(request, of: user, tenant, isMFA: true)
    }

    private func beginLogin(
        _ request: Request, of user: String?, _ tenant: Tenant, isMFA: Bool
    ) throws -> Response {
        let options = try world.change { turn in
            let options = try Ceremonies(tenant, isMFA: isMFA, services).beginLogin(of: user, in: turn)
            try log(request, of: tenant).note(
                isMFA ? .mfaAuthenticationBegan : .authenticationBegan, user: user, in: turn)
            return options
        }
        return try .passkeyAPI(options)
    }

    /// `POST /{tenant_id}/login/finalize`: somebody signs in. Anybody may call.
    ///
    /// - Request: `AuthenticationResponseJSON`, whatever the content type says.
    /// - Response: `200 {"token"}`, see ``TenantTokens``.
    /// - Errors: 400 for what cannot be read, and for a second factor; 401 for everything else.
    /// - Source: the vendor's server, login; Web Authentication Level 3 §7.2, without the signature counter.
    func finishLogin(_ request: Request) throws -> Response {
        let posted = try Self.posted(request, .authentication)
        return try finishLogin(request, posted, of: try tenant(of: request), isMFA: false)
    }

    /// `POST /{tenant_id}/mfa/login/finalize`: a user has shown a second factor.
    ///
    /// - Request: `apiKey`; as ``finishLogin(_:)``.
    /// - Response: `200 {"token"}`.
    /// - Errors: the same, and `The api key is invalid`.
    /// - Source: the vendor's server, MFA.
    func finishMFALogin(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        return try finishLogin(request, try Self.posted(request, .authentication), of: tenant, isMFA: true)
    }

    private func finishLogin(
        _ request: Request, _ posted: PostedCredential, of tenant: Tenant, isMFA: Bool
    ) throws -> Response {
        let outcome = try world.change { turn in
            let outcome = try Ceremonies(tenant, isMFA: isMFA, services).finishLogin(posted, in: turn)
            try log(request, of: tenant).note(
                isMFA ? .mfaAuthenticationEnded : .authenticationEnded, user: outcome.user, in: turn)
            return outcome
        }
        return try token(of: outcome, tenant)
    }
}
