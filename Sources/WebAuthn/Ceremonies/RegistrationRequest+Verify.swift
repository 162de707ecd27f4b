import Crypto
package import Essentials

extension RegistrationRequest {
    /// Verifies a `RegistrationResponseJSON`. The comments count the steps of Web Authentication Level 3 §7.1.
    ///
    /// - Parameter isRegistered: whether a credential of this id is on record for any user.
    /// - Throws: ``WebAuthnRefusal``, and what `isRegistered` throws.
    package func verify(
        _ credential: [UInt8], at now: Date, isRegistered: ([UInt8]) throws -> Bool
    ) throws -> VerifiedRegistration {
        try verify(CredentialJSON.value(credential, .registration), at: now, isRegistered: isRegistered)
    }

    /// The same for one that was parsed already.
    package func verify(
        _ credential: JSONValue, at now: Date, isRegistered: ([UInt8]) throws -> Bool
    ) throws -> VerifiedRegistration {
        var checks = Checklist(.registration, tolerated: tolerated)
        // Steps 1 to 4: options, call, and the response of the right kind. What other extensions say is ignored.
        let posted = try CredentialJSON(credential, .registration)
        try checks.spelling(posted)
        let objectBytes = try posted.bytes("attestationObject")
        // Steps 5 to 11: client data, and in it type, challenge, origin, crossOrigin and topOrigin.
        let clientData = try checks.clientData(
            posted.clientDataJSON, relyingParty, challenge, at: now, from: 6)
        // Step 12: the hash is over the bytes that came.
        let hash = clientData.hash
        // Step 13: attestation object and authenticator data.
        let (object, data, attested) = try decode(objectBytes, &checks)
        // Steps 14 to 17: RP ID hash, UP unless the ceremony is conditional, UV when required, BS only with BE.
        try checks.flags(
            data, relyingParty, origin: clientData.origin, presence: !isConditional,
            verification: userVerification, from: 14)
        // Steps 18 and 19 leave it to policy what BE and BS are good for. Step 20: the algorithm was offered.
        try check(attested.publicKey, &checks)
        // Step 21: extensions that were not asked for are ignored. Steps 22 and 23: the statement.
        let evidence = try verifyStatement(
            object,
            AttestationSubject(
                data: data, credential: attested, clientData: clientData.bytes, clientDataHash: hash), &checks
        )
        // Steps 24 and 25: anchors and trust.
        let trust = attestation.trust(evidence)
        try checks.require(
            trust.isTrusted || !attestation.requiresTrust, .attestationTrust, step: 25,
            expected: "an attestation by one of \(attestation.anchors.count) trust anchors",
            got: trust.summary)
        try checkID(attested.id, posted.id, &checks)
        // Step 27: nobody has it yet.
        try checks.require(
            try !isRegistered(attested.id), .credentialRegistered, step: 27,
            expected: "a credential id that nobody has registered",
            got: "\(Base64URL.encode(attested.id).shortened), which is on record")
        // Step 28: to be put on record.
        return VerifiedRegistration(
            credentialID: attested.id, publicKey: attested.publicKey, signCount: data.signCount,
            flags: data.flags, aaguid: attested.aaguid, transports: Self.transports(posted.response),
            origin: clientData.origin, attestation: evidence, trust: trust, attestationObject: objectBytes,
            clientDataJSON: clientData.bytes, warnings: checks.warnings)
    }

    private func decode(
        _ bytes: [UInt8], _ checks: inout Checklist
    ) throws(WebAuthnRefusal) -> (AttestationObject, AuthenticatorData, AttestedCredential) {
        let object: AttestationObject
        do {
            object = try AttestationObject(bytes)
        } catch {
            throw checks.refusal(
                .attestationObject, step: 13, expected: "a map of fmt, attStmt and authData",
                got: (error as? AttestationObjectError)?.got ?? "no CBOR: \(error)")
        }
        let data = try checks.authenticatorData(object.authenticatorData, step: 13)
        guard let attested = data.credential else {
            throw checks.refusal(
                .authenticatorData, step: 13, expected: "the flag AT and a credential", got: "\(data.flags)")
        }
        return (object, data, attested)
    }

    private func check(_ key: COSEKey, _ checks: inout Checklist) throws(WebAuthnRefusal) {
        // §5.1.3 step 10: an empty list stands for these two.
        let offered =
            algorithms.isEmpty ? [COSEAlgorithm.es256.rawValue, COSEAlgorithm.rs256.rawValue] : algorithms
        try checks.require(
            offered.contains(key.algorithm.rawValue), .algorithm, step: 20,
            expected: "one of the algorithms that were offered: "
                + offered.map(COSEAlgorithm.summary).joined(separator: ", "),
            got: COSEAlgorithm.summary(key.algorithm.rawValue))
        // §6.5.1: the key is in CTAP2 canonical form. Some test clients are careless about it, so nothing is refused.
        if (try? CBORDecoder.decode(key.bytes).encoded) != key.bytes {
            checks.warn([
                checks.refusal(
                    .publicKeyEncoding, step: 13, expected: "a COSE_Key in canonical form",
                    got: "one with its members in another order")
            ])
        }
    }

    private func verifyStatement(
        _ object: AttestationObject, _ subject: AttestationSubject, _ checks: inout Checklist
    ) throws(WebAuthnRefusal) -> AttestationEvidence {
        guard let format = AttestationFormat(rawValue: object.format) else {
            throw checks.refusal(
                .attestationFormat, step: 22,
                expected: Checklist.list(AttestationFormat.allCases.map(\.rawValue)),
                got: "“\(object.format.shortened)”")
        }
        let evidence = try format.verify(object.statement, subject)
        checks.warn(evidence.warnings)
        return evidence
    }

    /// Step 26, and that the JSON speaks of the same credential as the authenticator does.
    private func checkID(
        _ id: [UInt8], _ posted: [UInt8], _ checks: inout Checklist
    ) throws(WebAuthnRefusal) {
        try checks.require(
            id.count <= WebAuthnLimits.credentialID, .credentialIDLength, step: 26,
            expected: "a credential id of at most \(WebAuthnLimits.credentialID) bytes",
            got: "\(id.count) bytes")
        try checks.require(
            id == posted, .credentialID, step: 26,
            expected: "“rawId” to be the credential id in the authenticator data, \(id.shortHex)",
            got: posted.shortHex)
    }

    private static func transports(_ response: JSONValue) -> [String] {
        let names = (response["transports"]?.array ?? []).compactMap(\.string)
        return Array(names.filter { $0.utf8.count <= 32 }.prefix(16))
    }
}
