/// What is checked in a ceremony. Each refusal names one of these.
package enum WebAuthnCheck: String, Sendable, CaseIterable {
    // What the client posted.
    case response, base64, credentialType, credentialID

    // Client data.
    case clientData, type, challenge, challengeCeremony, challengeUsed, challengeExpired
    case origin, crossOrigin, topOrigin

    // Attestation object and authenticator data.
    case attestationObject, authenticatorData, relyingPartyHash, userPresence, userVerification
    case backupState, publicKey, publicKeyEncoding, algorithm, credentialIDLength

    // Attestation.
    case attestationFormat, attestationStatement, attestationAlgorithm, attestationSignature
    case attestationCertificate, attestationAAGUID, attestationKey, attestationNonce, attestationProperties
    case attestationTrust

    // What is on record.
    case credentialRegistered, credentialAllowed, credentialOwner, userHandle, storedKey
    case backupEligibility, signature, signCount

    /// Whether a relying party may let it pass with a warning: what products leave out, or the standard leaves to policy.
    package var isTolerable: Bool {
        switch self {
        case .base64, .challengeExpired, .crossOrigin, .topOrigin, .backupState, .backupEligibility,
            .publicKeyEncoding,
            .algorithm,
            .credentialRegistered, .credentialIDLength, .attestationTrust, .signCount:
            true
        default: false
        }
    }
}
