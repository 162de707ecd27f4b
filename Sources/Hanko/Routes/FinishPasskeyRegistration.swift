import Essentials
import HTTP
import PlatformKit
import WebAuthn

extension Hanko {
    /// What both ends of a ceremony answer.
    static func ceremonyOutput(_ credential: Credential) -> JSONValue {
        ["credential_id": .string(credential.id), "user_id": .string(credential.userID)]
    }

    /// `POST /webauthn/registration/finalize`: stores the passkey that the client made.
    ///
    /// - Request: a session and the `RegistrationResponseJSON`, whatever the content type says; `transports` in `response` or
    ///   beside it.
    /// - Response: `200 {"credential_id": base64url, "user_id": uuid}`.
    /// - Errors: 404 while passkeys are off; 401; 400 for what cannot be read, for a challenge that does not wait for this
    ///   user's registration, and for what does not verify; 422 when user verification was required and is missing. The
    ///   challenge is used up by success alone.
    /// - Source: Hanko 2.7, classic API; Web Authentication Level 3 §7.1. A credential id that somebody has is 500 there.
    func finishPasskeyRegistration(_ request: Request) throws -> Response {
        let configuration = try configuration()
        try requirePasskeys(configuration)
        let announcer = try announcer(request)
        let credential = try change(for: request) { turn, accepted in
            let userID = accepted.session.userID
            let posted = try postedCredential(request, .registration)
            return try announcer.auditing(.webauthnRegistrationFinalFailed, userID: userID, in: turn) {
                let credential = try turn.finishRegistration(
                    posted, of: userID, CeremonyRules(.passkey, configuration))
                try announcer.audit(.webauthnRegistrationFinalSucceeded, userID: userID, in: turn)
                return credential
            }
        }
        return .hanko(json: Self.ceremonyOutput(credential))
    }

    /// The credential in the body.
    ///
    /// - Throws: ``PasskeyRefusal/unreadable(_:_:)``.
    func postedCredential(_ request: Request, _ ceremony: Ceremony) throws -> PostedCredential {
        do {
            return try PostedCredential(request.body, ceremony)
        } catch let fault as PostedCredentialFault {
            throw PasskeyRefusal.unreadable(fault, ceremony)
        }
    }
}

extension Turn {
    /// Stores the new credential of the user whose session this is, and uses the challenge up.
    fileprivate func finishRegistration(
        _ posted: PostedCredential, of userID: String, _ rules: CeremonyRules
    ) throws -> Credential {
        let challenge = try db.challenge(of: posted)
        concern(challenge.subjects)
        if let owner = challenge.userID, owner != userID {
            throw PasskeyRefusal.challengeOfAnother(owner, signedInAs: userID)
        }
        let verified: VerifiedCredential
        do {
            verified = try rules.verifyRegistration(
                posted, challenge: challenge.issued,
                verification: UserVerification(rawValue: challenge.userVerification), for: userID,
                at: now, in: db)
        } catch let refusal as WebAuthnRefusal {
            throw PasskeyRefusal.attestation(refusal)
        }
        let credential = verified.credential
        try insert(credential)
        try delete(challenge)
        noteLeniency(of: verified, about: userID)
        note(
            "passkey registered", about: userID,
            "The user \(userID) has the passkey \(credential.id) now, "
                + "\(credential.name.map { "made by \($0)" } ?? "by an authenticator without a name in our list") "
                + "(\(credential.aaguid)), with the attestation \(credential.attestationType).")
        return credential
    }
}
