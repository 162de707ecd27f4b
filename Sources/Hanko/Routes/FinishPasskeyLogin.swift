import HTTP
import PlatformKit
import SQLite
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
            try finishLogin(
                posted, CeremonyRules(.passkey, configuration), opening: newSession(request, configuration))
        }
        let credential = login.verified.credential
        var response = Response.hanko(json: Self.ceremonyOutput(credential))
        try hand(login.session, to: &response, configuration)
        try audit(
            .webauthnAuthenticationFinalSucceeded, request, userID: credential.userID,
            address: login.session.email?.address)
        return response
    }

    /// Signs in whoever the assertion is of, and uses the challenge up.
    private func finishLogin(
        _ posted: PostedCredential, _ rules: CeremonyRules, opening: NewSession
    ) throws -> CredentialLogin {
        try world.change { turn in
            let challenge = try turn.db.challenge(of: posted)
            if challenge.userID == nil { try turn.db.requireUser(of: posted) }
            let verified: VerifiedCredential
            do {
                verified = try rules.verifyAuthentication(
                    posted, challenge: challenge.issued,
                    verification: UserVerification(rawValue: challenge.userVerification),
                    allowed: challenge.allowedCredentials, userID: challenge.userID, at: turn.now,
                    in: turn.db)
            } catch let refusal as WebAuthnRefusal {
                throw PasskeyRefusal.assertion(refusal)
            }
            let credential = verified.credential
            try turn.update(credential)
            try turn.delete(challenge)
            let session = try turn.db.open(opening, for: credential.userID)
            turn.note(verified.warnings, about: credential.userID)
            turn.note(
                "passkey accepted", about: session.email?.address ?? credential.userID,
                "The user \(credential.userID) signed in with the passkey \(credential.id).")
            return CredentialLogin(verified: verified, session: session)
        }
    }
}

private struct CredentialLogin {
    let verified: VerifiedCredential
    let session: OpenedSession
}

extension Connection {
    /// That the handle of a response names a user.
    fileprivate func requireUser(of posted: PostedCredential) throws {
        guard let userID = posted.userHandle.flatMap(UUIDText.text) else {
            throw PasskeyRefusal.userHandleMalformed(count: posted.userHandle?.count)
        }
        guard try user(userID) != nil else { throw PasskeyRefusal.userOfResponseGone(userID) }
    }
}
