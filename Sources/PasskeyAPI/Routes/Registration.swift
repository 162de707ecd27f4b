import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension PasskeyAPI {
    /// `POST /{tenant_id}/registration/initialize`: options with which a user makes a passkey.
    ///
    /// - Request: `apiKey`; `{"user_id", "username", "display_name"?, "icon"?}`. The user is made, or described anew.
    /// - Response: `200 {"publicKey": …}`.
    /// - Errors: `The api key is invalid`; `unable to process request`, `unable to validate request`.
    /// - Source: the vendor's server, registration. An id of more than 64 bytes, for which the original makes options that no browser
    ///   takes, is refused here.
    func beginRegistration(_ request: Request) throws -> Response {
        try beginRegistration(request, isMFA: false)
    }

    /// `POST /{tenant_id}/mfa/registration/initialize`: the same for a credential that is a second factor alone.
    ///
    /// - Request: as ``beginRegistration(_:)``.
    /// - Response: `200 {"publicKey": …}`.
    /// - Errors: the same.
    /// - Source: the vendor's server, MFA.
    func beginMFARegistration(_ request: Request) throws -> Response {
        try beginRegistration(request, isMFA: true)
    }

    private func beginRegistration(_ request: Request, isMFA: Bool) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let wish = try RegistrationInput(request)
        let options = try world.change { turn in
            let user = User(
                tenantID: tenant.id, id: wish.userID, name: wish.name, displayName: wish.displayName,
                icon: wish.icon, createdAt: turn.now)
            let options = try Ceremonies(tenant, isMFA: isMFA, services).beginRegistration(of: user, in: turn)
            try log(request, of: tenant).note(
                isMFA ? .mfaRegistrationBegan : .registrationBegan, user: user.id, in: turn)
            return options
        }
        return try .passkeyAPI(options)
    }

    /// `POST /{tenant_id}/registration/finalize`: stores the passkey that the client made. Anybody may call.
    ///
    /// - Request: `RegistrationResponseJSON`, whatever the content type says.
    /// - Response: `200 {"token"}`, see ``TenantTokens``.
    /// - Errors: 400 for what cannot be read, for a challenge that does not wait, and for what does not verify; 404 for a user who is
    ///   gone; 422 when user verification was required and is missing.
    /// - Source: the vendor's server, registration; Web Authentication Level 3 §7.1.
    func finishRegistration(_ request: Request) throws -> Response {
        try finishRegistration(request, of: try tenant(of: request), isMFA: false)
    }

    /// `POST /{tenant_id}/mfa/registration/finalize`: the same for a second factor, called by a back end.
    ///
    /// - Request: `apiKey`; as ``finishRegistration(_:)``.
    /// - Response: `200 {"token"}`.
    /// - Errors: the same, and `The api key is invalid`.
    /// - Source: the vendor's server, MFA.
    func finishMFARegistration(_ request: Request) throws -> Response {
        try finishRegistration(request, of: try tenantOfBackEnd(request), isMFA: true)
    }

    private func finishRegistration(_ request: Request, of tenant: Tenant, isMFA: Bool) throws -> Response {
        let posted = try Self.posted(request, .registration)
        let outcome = try world.change { turn in
            let outcome = try Ceremonies(tenant, isMFA: isMFA, services).finishRegistration(posted, in: turn)
            try log(request, of: tenant).note(
                isMFA ? .mfaRegistrationEnded : .registrationEnded, user: outcome.user, in: turn)
            return outcome
        }
        return try token(of: outcome, tenant)
    }

    /// What every ceremony ends with. Not inside of a turn: keys are asked for by another way than its connection.
    func token(of outcome: Ceremonies.Outcome, _ tenant: Tenant) throws -> Response {
        let token = try TenantTokens(tenant: tenant, services: services).issue(
            for: outcome.user, credential: outcome.credential, transaction: outcome.transaction)
        return .passkeyAPI(["token": .string(token)])
    }
}

/// The body with which a registration begins.
private struct RegistrationInput {
    let userID: String
    let name: String
    let displayName: String
    let icon: String?

    init(_ request: Request) throws {
        var members = try PostedMembers(request)
        userID = try members.required("user_id")
        name = try members.required("username", most: 128)
        let shown = try members.optional("display_name", most: 128)
        displayName = shown.flatMap { $0.contains { !$0.isWhitespace } ? $0 : nil } ?? name
        icon = try members.optional("icon")
        if let icon, !icon.contains("://") { members.refuse("icon must be a valid URL") }
        if userID.utf8.count > 64 {
            members.refuse("user_id has more than 64 bytes, which no authenticator takes as a user handle")
        }
        try members.check()
    }
}
