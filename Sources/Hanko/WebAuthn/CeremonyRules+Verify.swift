import Crypto
import Essentials
import SQLite
import WebAuthn

/// A registration or an assertion that was verified.
struct VerifiedCredential: Sendable, Equatable {
    /// To be inserted after a registration, to be updated after an assertion.
    let credential: Credential
    /// What the standard refuses and was let pass.
    let warnings: [WebAuthnRefusal]
    /// A sentence about an origin that was let pass and that the original refuses.
    let originRemark: String?
}

extension CeremonyRules {
    /// Verifies a new credential. Nothing is stored.
    ///
    /// - Parameters:
    ///   - challenge: the one that was issued, with its end.
    ///   - verification: as the options asked for it; nil for what the rules say now.
    ///   - userID: whose the credential will be.
    /// - Throws: `WebAuthnRefusal`.
    func verifyRegistration(
        _ posted: PostedCredential, challenge: IssuedChallenge, verification: UserVerification? = nil,
        for userID: String, at now: Date, in db: Connection
    ) throws -> VerifiedCredential {
        if let refusal = posted.tokenBindingRefusal { throw refusal }
        let request = RegistrationRequest(
            relyingParty: relyingParty, challenge: challenge,
            userVerification: verification ?? userVerification,
            algorithms: Self.algorithms.map(\.rawValue), tolerated: Self.tolerated)
        let verified = try request.verify(posted.value, at: now) {
            try db.credential(Base64URL.encode($0)) != nil
        }
        return VerifiedCredential(
            credential: try Credential(verified, of: userID, isMFAOnly: kind == .securityKey, at: now),
            warnings: try passing(posted.warnings + verified.warnings),
            originRemark: remark(onOrigin: verified.origin))
    }

    /// Why an origin is right here and would not be in production, with the line that makes it right there.
    private func remark(onOrigin origin: String) -> String? {
        let reason: String
        switch relyingParty.expectation(of: origin) {
        case .listed, nil: return nil
        case .app: reason = "hanko.association.android has the fingerprint of its app"
        case .relatedSite: reason = "hanko.association.related_origins has it"
        case .anyLocalhost: reason = "\"any_localhost_origin\" is on in hanko"
        }
        let line = relyingParty.line(adding: origin)
        return
            "Let pass here alone: Hanko refuses the origin \(origin.prefix(200)), which its configuration does not have. It is "
            + "expected because \(reason)."
            + (line.map { " Production needs \($0) in hanko.config.webauthn.relying_party." } ?? "")
    }

    /// What is let pass, which is nothing where the fixtures are strict.
    private func passing(_ warnings: [WebAuthnRefusal]) throws(WebAuthnRefusal) -> [WebAuthnRefusal] {
        guard isStrict, let first = warnings.first else { return warnings }
        throw WebAuthnRefusal(
            first.check, first.step, expected: first.expected, got: first.got, fixture: first.fixture,
            finding: [first.finding, "Hanko lets this pass; “strict_webauthn” is on."].compactMap(\.self)
                .joined(separator: " "))
    }

    /// Verifies an assertion with the key on record. Nothing is stored.
    ///
    /// - Parameters:
    ///   - challenge: the one that was issued.
    ///   - verification: as the options asked for it; nil for what the rules say now.
    ///   - allowed: credential ids that were sent, in base64url; empty when any is welcome.
    ///   - userID: who was known before; nil when the credential is to say so.
    /// - Returns: the credential as it is to be updated, whose `userID` says who signs in.
    /// - Throws: `WebAuthnRefusal`; a counter that does not grow is its check `signCount`.
    func verifyAuthentication(
        _ posted: PostedCredential, challenge: IssuedChallenge, verification: UserVerification? = nil,
        allowed: [String] = [], userID: String? = nil, at now: Date, in db: Connection
    ) throws -> VerifiedCredential {
        if let refusal = posted.tokenBindingRefusal { throw refusal }
        let request = AuthenticationRequest(
            relyingParty: relyingParty, challenge: challenge,
            userVerification: verification ?? userVerification,
            allowCredentials: allowed.compactMap { Base64URL.decode($0) },
            userHandle: userID.flatMap(UUIDText.bytes), signCount: .allowsZero,
            tolerated: userID == nil ? Self.toleratedOfStrangers : Self.tolerated)
        var known: Credential?
        let verified = try request.verify(
            posted.value, at: now,
            others: { _ in
                try (known.map { try db.credentials(of: $0.userID) } ?? [])
                    .compactMap(CredentialRecord.init)
            }
        ) { id in
            known = try db.credential(Base64URL.encode(id))
            return known.flatMap(CredentialRecord.init)
        }
        guard var credential = known else {
            throw WebAuthnRefusal(
                .credentialOwner, "§7.2 step 6", expected: "a credential that is registered",
                got: Base64URL.encode(verified.credentialID))
        }
        credential.update(verified.record, at: now)
        return VerifiedCredential(
            credential: credential, warnings: try passing(posted.warnings + verified.warnings),
            originRemark: remark(onOrigin: verified.origin))
    }
}

extension Credential {
    /// What is put on record after a registration. The format stands where the original has it, as the type.
    fileprivate init(
        _ verified: VerifiedRegistration, of userID: String, isMFAOnly: Bool, at now: Date
    ) throws {
        let aaguid = UUIDText.text(of: verified.aaguid) ?? ""
        self.init(
            id: Base64URL.encode(verified.credentialID), userID: userID,
            name: AuthenticatorNames.name(of: aaguid),
            publicKey: Base64URL.encode(try CBORDecoder.decode(verified.publicKey.bytes).encoded),
            attestationType: verified.attestation.format.rawValue, aaguid: aaguid,
            signCount: Int(verified.signCount), transports: verified.transports,
            isBackupEligible: verified.flags.contains(.backupEligible),
            isBackedUp: verified.flags.contains(.backedUp), isMFAOnly: isMFAOnly, lastUsedAt: now,
            createdAt: now, updatedAt: now)
    }

    fileprivate mutating func update(_ record: CredentialRecord, at now: Date) {
        signCount = Int(record.signCount)
        isBackupEligible = record.isBackupEligible
        isBackedUp = record.isBackedUp
        lastUsedAt = now
        updatedAt = now
    }
}

extension CredentialRecord {
    /// Nil when the row cannot have come from a ceremony.
    fileprivate init?(_ credential: Credential) {
        guard let id = Base64URL.decode(credential.id),
            let userHandle = UUIDText.bytes(of: credential.userID),
            let publicKey = Base64URL.decode(credential.publicKey),
            let signCount = UInt32(exactly: credential.signCount)
        else { return nil }
        self.init(
            id: id, userHandle: userHandle, publicKey: publicKey, signCount: signCount,
            // The original keeps no such column, and never takes UV for a factor of its own.
            isUserVerificationInitialized: false, isBackupEligible: credential.isBackupEligible,
            isBackedUp: credential.isBackedUp)
    }
}
