import Crypto
package import Essentials

extension AuthenticationRequest {
    /// Verifies an `AuthenticationResponseJSON`. The comments count the steps of Web Authentication Level 3 §7.2.
    ///
    /// - Parameter find: the record of a credential id, of any user; nil when there is none.
    /// - Throws: ``WebAuthnRefusal``, and what `find` throws.
    package func verify(
        _ credential: [UInt8], at now: Date, find: ([UInt8]) throws -> CredentialRecord?
    ) throws -> VerifiedAuthentication {
        try verify(CredentialJSON.value(credential, .authentication), at: now, find: find)
    }

    /// The same for one that was parsed already.
    package func verify(
        _ credential: JSONValue, at now: Date, find: ([UInt8]) throws -> CredentialRecord?
    ) throws -> VerifiedAuthentication {
        var checks = Checklist(.authentication, tolerated: tolerated)
        // Steps 1 to 4: options, call, and the response of the right kind. What other extensions say is ignored.
        let posted = try CredentialJSON(credential, .authentication)
        try checks.spelling(posted)
        // Step 7, so early because it can fail for its form alone: the members of the response.
        let data = try posted.bytes("authenticatorData")
        let signature = try posted.bytes("signature")
        // Step 5: one of those that were asked for.
        try checks.require(
            allowCredentials.isEmpty || allowCredentials.contains(posted.id), .credentialAllowed, step: 5,
            expected: "one of the \(allowCredentials.count) credentials that were asked for",
            got: Base64URL.encode(posted.id).shortened)
        // Step 6: whose it is.
        let record = try owned(posted.id, try posted.optionalBytes("userHandle"), try find(posted.id), checks)
        // Steps 8 to 14: client data, and in it type, challenge, origin, crossOrigin and topOrigin.
        let clientData = try checks.clientData(
            posted.clientDataJSON, relyingParty, challenge, at: now, from: 9)
        // Steps 15 to 18: RP ID hash, UP, UV when required, BS only with BE.
        let parsed = try checks.authenticatorData(data, step: 15)
        try checks.flags(
            parsed, relyingParty, origin: clientData.origin, presence: true, verification: userVerification,
            from: 15)
        // Step 19: whether it may be backed up never changes.
        try checks.require(
            parsed.flags.contains(.backupEligible) == record.isBackupEligible, .backupEligibility, step: 19,
            expected: "BE \(record.isBackupEligible ? "set" : "clear") as on record", got: "\(parsed.flags)")
        // Step 20: extensions that were not asked for are ignored. Steps 21 and 22: hash and signature.
        try checkSignature(signature, of: data + clientData.hash, record, checks)
        // Step 23: the counter.
        try checks.require(
            signCount.accepts(parsed.signCount, after: record.signCount), .signCount, step: 23,
            expected: "a counter above \(record.signCount), or this may be a copy of the authenticator",
            got: "\(parsed.signCount)")
        // Step 24: to be put on record.
        return VerifiedAuthentication(
            credentialID: record.id, userHandle: record.userHandle, signCount: parsed.signCount,
            flags: parsed.flags, origin: clientData.origin, record: updated(record, by: parsed),
            warnings: checks.warnings)
    }

    private func owned(
        _ id: [UInt8], _ given: [UInt8]?, _ found: CredentialRecord?, _ checks: Checklist
    ) throws(WebAuthnRefusal) -> CredentialRecord {
        guard let record = found, record.id == id else {
            throw checks.refusal(
                .credentialOwner, step: 6, expected: "a credential that is registered",
                got: "\(Base64URL.encode(id).shortened), which is not on record")
        }
        if let userHandle {
            guard record.userHandle == userHandle else {
                throw checks.refusal(
                    .credentialOwner, step: 6, expected: "a credential of the user who was known before",
                    got: "one of the user \(Base64URL.encode(record.userHandle).shortened)")
            }
        } else if given == nil {
            throw checks.refusal(
                .userHandle, step: 6, expected: "a userHandle, because the user was not known before",
                got: "none")
        }
        guard given.map({ $0 == record.userHandle }) ?? true else {
            throw checks.refusal(
                .userHandle, step: 6,
                expected:
                    "\(Base64URL.encode(record.userHandle)), to whom the credential belongs, as userHandle",
                got: given.map { Base64URL.encode($0).shortened } ?? "none")
        }
        return record
    }

    private func checkSignature(
        _ signature: [UInt8], of signed: [UInt8], _ record: CredentialRecord, _ checks: Checklist
    ) throws(WebAuthnRefusal) {
        let key: COSEKey
        do {
            key = try COSEKey(record.publicKey)
        } catch {
            throw checks.refusal(
                .storedKey, step: 22, expected: "a key on record: \(error.expected)", got: error.got)
        }
        guard key.isValid(signature, for: signed) else {
            throw checks.refusal(
                .signature, step: 22,
                expected:
                    "a signature by \(key.algorithm.name) with the credential's key over authenticator data and "
                    + "the hash of client data",
                got: signature.shortHex)
        }
    }

    private func updated(_ record: CredentialRecord, by data: AuthenticatorData) -> CredentialRecord {
        var record = record
        record.signCount = data.signCount
        record.isBackedUp = data.flags.contains(.backedUp)
        // What is true stays true.
        if initializesUserVerification, data.flags.contains(.userVerified) {
            record.isUserVerificationInitialized = true
        }
        // Only differs where that was let pass.
        record.isBackupEligible = data.flags.contains(.backupEligible)
        return record
    }
}
