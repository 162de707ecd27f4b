import Crypto
package import Essentials

extension AuthenticationRequest {
    /// Verifies an `AuthenticationResponseJSON`. The comments count the steps of Web Authentication Level 3 §7.2.
    ///
    /// - Parameters:
    ///   - others: all credentials of a record's user, for whom a wrong signature is tried.
    ///   - find: the record of a credential id, of any user; nil when there is none.
    /// - Throws: ``WebAuthnRefusal``, and what `find` and `others` throw.
    package func verify(
        _ credential: [UInt8], at now: Date,
        others: (CredentialRecord) throws -> [CredentialRecord] = { _ in [] },
        find: ([UInt8]) throws -> CredentialRecord?
    ) throws -> VerifiedAuthentication {
        try verify(CredentialJSON.value(credential, .authentication), at: now, others: others, find: find)
    }

    /// The same for one that was parsed already.
    package func verify(
        _ credential: JSONValue, at now: Date,
        others: (CredentialRecord) throws -> [CredentialRecord] = { _ in [] },
        find: ([UInt8]) throws -> CredentialRecord?
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
            got: Base64URL.encode(posted.id).shortened,
            finding: Self.finding(on: posted.id) { allowCredentials.contains($0) })
        // Step 6: whose it is.
        let found = try find(posted.id)
        let meant = try found == nil ? posted.id.decodings.first { try find($0.bytes) != nil } : nil
        let record = try owned(
            posted.id, try posted.optionalBytes("userHandle"), found, checks,
            finding: Self.finding(on: posted.id) { $0 == meant?.bytes })
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
        try checkSignature(signature, of: data, clientData, record, checks, others: others)
        // Step 23: the counter.
        try check(parsed.signCount, after: record.signCount, &checks)
        // Step 24: to be put on record.
        return VerifiedAuthentication(
            credentialID: record.id, userHandle: record.userHandle, signCount: parsed.signCount,
            flags: parsed.flags, origin: clientData.origin, record: updated(record, by: parsed),
            warnings: checks.warnings)
    }

    /// What another decoding of a credential id says of its spelling.
    private static func finding(on id: [UInt8], isKnown: ([UInt8]) -> Bool) -> String? {
        id.decodings.first { isKnown($0.bytes) }.map {
            "The credential id is encoded twice: its bytes are its text in \($0.encoding)."
        }
    }

    /// A policy that takes less than the standard's advice lets it pass with a warning.
    private func check(
        _ new: UInt32, after stored: UInt32, _ checks: inout Checklist
    ) throws(WebAuthnRefusal) {
        if SignCountPolicy.strict.accepts(new, after: stored) { return }
        let refusal = checks.refusal(
            .signCount, step: 23,
            expected: "a counter above \(stored), or this may be a copy of the authenticator", got: "\(new)")
        guard signCount.accepts(new, after: stored) || tolerated.contains(.signCount) else { throw refusal }
        checks.warn([refusal])
    }

    private func owned(
        _ id: [UInt8], _ given: [UInt8]?, _ found: CredentialRecord?, _ checks: Checklist, finding: String?
    ) throws(WebAuthnRefusal) -> CredentialRecord {
        guard let record = found, record.id == id else {
            throw checks.refusal(
                .credentialOwner, step: 6, expected: "a credential that is registered",
                got: "\(Base64URL.encode(id).shortened), which is not on record", finding: finding)
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
        _ signature: [UInt8], of data: [UInt8], _ clientData: ClientData, _ record: CredentialRecord,
        _ checks: Checklist, others: (CredentialRecord) throws -> [CredentialRecord]
    ) throws {
        let key: COSEKey
        do {
            key = try COSEKey(record.publicKey)
        } catch {
            throw checks.refusal(
                .storedKey, step: 22, expected: "a key on record: \(error.expected)", got: error.got)
        }
        guard key.isValid(signature, for: data + clientData.hash) else {
            let doctor = SignatureDoctor(
                isValid: { key.isValid($0, for: $1) }, authenticatorData: data, clientData: clientData.bytes)
            throw checks.refusal(
                .signature, step: 22,
                expected:
                    "a signature by \(key.algorithm.name) with the credential's key over authenticator data and "
                    + "the hash of client data",
                got: signature.shortHex,
                finding: try doctor.finding(on: signature)
                    ?? Self.finding(on: signature, of: data + clientData.hash, others(record)))
        }
    }

    /// Whose signature it is, of the user's other credentials.
    private static func finding(
        on signature: [UInt8], of signed: [UInt8], _ others: [CredentialRecord]
    ) -> String? {
        for (form, note) in SignatureDoctor.forms(of: signature) {
            let other = others.first { (try? COSEKey($0.publicKey))?.isValid(form, for: signed) == true }
            guard let other else { continue }
            return (note.map { $0 + " " } ?? "")
                + "It is by the key of another credential of this user, \(Base64URL.encode(other.id).shortened); "
                + "the id that was posted is not the one whose key signed."
        }
        return nil
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
