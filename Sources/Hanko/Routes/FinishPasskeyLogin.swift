import HTTP
import PlatformKit
import WebAuthn

extension Hanko {
    /// `POST /webauthn/login/finalize`: trades an assertion for a session.
    ///
    /// - Request: the `AuthenticationResponseJSON`, whatever the content type says; `userHandle` where the options named no user.
    /// - Response: `200 {"credential_id": base64url, "user_id": uuid}` and the session.
    /// - Errors: 404 while passkeys are off; 400 for what cannot be read, for a `userHandle` that is no user's and for a counter
    ///   that does not grow; 401 for a challenge that does not wait for a login and for what does not verify. The challenge is
    ///   used up by success alone.
    /// - Source: Hanko 2.7, classic API; Web Authentication Level 3 §7.2.
    func finishPasskeyLogin(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasskeys(configuration)
        let posted = try postedCredential(request, .authentication)
        let handle = posted.userHandle.flatMap(UUIDText.text)
        let login = try auditing(.webauthnAuthenticationFinalFailed, request, userID: handle) {
            try accounts.finishLogin(
                posted, CeremonyRules(.passkey, configuration), opening: newSession(request, configuration),
                at: services.clock.now())
        }
        let credential = login.verified.credential
        note(login.verified.warnings, about: credential.userID)
        services.journal.event(
            "passkey accepted", about: login.session.email?.address ?? credential.userID,
            "The user \(credential.userID) signed in with the passkey \(credential.id).")
        var response = Response.hanko(json: Self.ceremonyOutput(credential))
        try hand(login.session, to: &response, configuration)
        try audit(
            .webauthnAuthenticationFinalSucceeded, request, userID: credential.userID,
            address: login.session.email?.address)
        return response
    }
}
