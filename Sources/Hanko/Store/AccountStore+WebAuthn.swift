import Crypto
import Essentials
import SQLite
import WebAuthn

/// Ceremonies of the classic endpoints: one that begins leaves a challenge behind, one that succeeds uses it up.
extension AccountStore {
    /// Keeps the challenge of options for a registration, made of the account that `make` is given.
    ///
    /// - Throws: ``WebAuthnFault``, as ``HankoError/webAuthn(_:)``.
    func startRegistration(of userID: String, make: (Account) throws -> (CreationOptions, Challenge)) throws
        -> CreationOptions
    {
        try database.write { db in
            guard let account = try Self.account(userID, in: db) else {
                throw HankoError.webAuthn(.userUnknown(userID))
            }
            let (options, challenge) = try make(account)
            try ChallengeStore.insert(challenge, into: db)
            return options
        }
    }

    /// Stores the new credential of the user whose session this is, and uses the challenge up.
    func finishRegistration(
        _ posted: PostedCredential, of userID: String, _ rules: CeremonyRules, at now: Date
    ) throws -> VerifiedCredential {
        try database.write { db in
            let challenge = try Self.challenge(of: posted, in: db)
            if let owner = challenge.userID, owner != userID {
                throw HankoError.webAuthn(
                    .challenge(.ofAnother(owner, signedInAs: userID), .registration))
            }
            let verified: VerifiedCredential
            do {
                verified = try rules.verifyRegistration(
                    posted, challenge: challenge.issued(endingAt: challenge.expiresAt),
                    verification: UserVerification(rawValue: challenge.userVerification),
                    for: userID, at: now, in: db)
            } catch let refusal as WebAuthnRefusal {
                throw HankoError.webAuthn(.attestation(refusal))
            }
            try CredentialStore.insert(verified.credential, into: db)
            try ChallengeStore.delete(challenge.challenge, in: db)
            return verified
        }
    }

    /// Keeps the challenge of options for a login, made of the credentials that will do.
    ///
    /// - Parameter userID: nil where the credential is to say who signs in; so it is for a user who has none.
    func startLogin(
        of userID: String?, make: (String?, [Credential]) -> (RequestOptions, Challenge)
    ) throws -> RequestOptions {
        try database.write { db in
            var credentials: [Credential] = []
            if let userID {
                guard try UserStore.user(userID, in: db) != nil else {
                    throw HankoError.webAuthn(.userUnknown(userID))
                }
                credentials = try CredentialStore.credentials(of: userID, in: db)
            }
            let (options, challenge) = make(credentials.isEmpty ? nil : userID, credentials)
            try ChallengeStore.insert(challenge, into: db)
            return options
        }
    }

    /// A login with a credential.
    struct CredentialLogin: Sendable {
        let verified: VerifiedCredential
        let session: OpenedSession
    }

    /// Signs in whoever the assertion is of, and uses the challenge up.
    func finishLogin(
        _ posted: PostedCredential, _ rules: CeremonyRules, opening: NewSession, at now: Date
    ) throws -> CredentialLogin {
        try database.write { db in
            let challenge = try Self.challenge(of: posted, in: db)
            if challenge.userID == nil { try Self.requireUser(of: posted, in: db) }
            let verified: VerifiedCredential
            do {
                verified = try rules.verifyAuthentication(
                    posted, challenge: challenge.issued(endingAt: challenge.expiresAt),
                    verification: UserVerification(rawValue: challenge.userVerification),
                    allowed: challenge.allowedCredentials, userID: challenge.userID, at: now, in: db)
            } catch let refusal as WebAuthnRefusal {
                throw HankoError.webAuthn(.assertion(refusal))
            }
            try CredentialStore.update(verified.credential, in: db)
            try ChallengeStore.delete(challenge.challenge, in: db)
            let session = try SessionStore.open(opening, for: verified.credential.userID, in: db)
            return CredentialLogin(verified: verified, session: session)
        }
    }

    /// The challenge that the response answers, if it waits for one of this ceremony.
    private static func challenge(of posted: PostedCredential, in db: Connection) throws -> Challenge {
        let text = posted.challenge.map(Base64URL.encode) ?? ""
        guard let challenge = try ChallengeStore.challenge(text, in: db) else {
            let meant = try posted.challenge?.decodings.first {
                try ChallengeStore.challenge(Base64URL.encode($0.bytes), in: db) != nil
            }
            throw HankoError.webAuthn(
                .challenge(.unknown(text, encodedTwice: meant?.encoding), posted.ceremony))
        }
        guard challenge.ceremony.rawValue == posted.ceremony.rawValue else {
            throw HankoError.webAuthn(.challenge(.ofOtherCeremony, posted.ceremony))
        }
        return challenge
    }

    /// That the handle of a response names a user.
    private static func requireUser(of posted: PostedCredential, in db: Connection) throws {
        guard let userID = posted.userHandle.flatMap(UUIDText.text) else {
            throw HankoError.webAuthn(.userHandleMalformed(count: posted.userHandle?.count))
        }
        guard try UserStore.user(userID, in: db) != nil else {
            throw HankoError.webAuthn(.userOfResponseGone(userID))
        }
    }
}

extension Challenge {
    fileprivate func issued(endingAt end: Date?) -> IssuedChallenge {
        IssuedChallenge(
            Base64URL.decode(challenge) ?? [],
            for: ceremony == .registration ? .registration : .authentication, expiresAt: end)
    }
}

/// Credentials of the signed-in user.
extension AccountStore {
    /// - Parameter name: nil to leave it as it is.
    func renameCredential(_ id: String, of userID: String, to name: String?, at now: Date) throws {
        try database.write { db in
            var credential = try Self.requireCredential(id, of: userID, in: db)
            credential.name = name ?? credential.name
            credential.updatedAt = now
            try CredentialStore.update(credential, in: db)
        }
    }

    func removeCredential(_ id: String, of userID: String) throws {
        try database.write { db in
            _ = try Self.requireCredential(id, of: userID, in: db)
            try CredentialStore.delete(id, in: db)
        }
    }

    private static func requireCredential(
        _ id: String, of userID: String, in db: Connection
    ) throws -> Credential {
        guard let credential = try CredentialStore.credential(id, in: db), credential.userID == userID else {
            throw HankoError.webAuthn(.credentialNotYours(id))
        }
        return credential
    }
}
