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
        let (announcer, opening) = (try announcer(request), newSession(request, configuration))
        let (credential, session) = try world.change { turn in
            try announcer.auditing(.webauthnAuthenticationFinalFailed, userID: handle, in: turn) {
                let credential = try turn.accept(posted, CeremonyRules(.passkey, configuration))
                let address = try turn.db.primaryEmail(of: credential.userID)?.address
                turn.note(
                    "passkey accepted", about: address ?? credential.userID,
                    "The user \(credential.userID) signed in with the passkey \(credential.id).")
                let session = try turn.open(opening, for: credential.userID)
                try announcer.audit(
                    .webauthnAuthenticationFinalSucceeded, userID: credential.userID, address: address,
                    in: turn)
                return (credential, session)
            }
        }
        var response = Response.hanko(json: Self.ceremonyOutput(credential))
        try hand(session, to: &response, configuration)
        return response
    }
}

extension Turn {
    /// The credential that the assertion is of, as it is from now on. Uses the challenge up.
    fileprivate func accept(_ posted: PostedCredential, _ rules: CeremonyRules) throws -> Credential {
        let challenge = try db.challenge(of: posted)
        concern(challenge.subjects)
        if challenge.userID == nil { try db.requireUser(of: posted) }
        let verified: VerifiedCredential
        do {
            verified = try rules.verifyAuthentication(
                posted, challenge: challenge.issued,
                verification: UserVerification(rawValue: challenge.userVerification),
                allowed: challenge.allowedCredentials, userID: challenge.userID, at: now, in: db)
        } catch let refusal as WebAuthnRefusal {
            throw PasskeyRefusal.assertion(refusal)
        }
        try update(verified.credential)
        try delete(challenge)
        noteLeniency(of: verified, about: verified.credential.userID)
        return verified.credential
    }
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
