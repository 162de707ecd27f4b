/// What the relying party asked for when a credential was to be created, and how strict it is.
package struct RegistrationRequest: Sendable {
    package var relyingParty: RelyingParty
    package var challenge: IssuedChallenge
    package var userVerification: UserVerification
    /// `alg` of the `pubKeyCredParams` that were sent; when there were none, the standard's default of ES256 and RS256 counts.
    package var algorithms: [Int]
    /// Whether the options asked for `mediation: "conditional"`, where no presence of the user is asked for.
    package var isConditional: Bool
    package var attestation: AttestationPolicy
    /// Checks that only warn; see ``WebAuthnCheck/isTolerable``.
    package var tolerated: Set<WebAuthnCheck>

    package init(
        relyingParty: RelyingParty, challenge: IssuedChallenge,
        userVerification: UserVerification = .preferred, algorithms: [Int],
        isConditional: Bool = false, attestation: AttestationPolicy = AttestationPolicy(),
        tolerated: Set<WebAuthnCheck> = []
    ) {
        (self.relyingParty, self.challenge) = (relyingParty, challenge)
        (self.userVerification, self.algorithms) = (userVerification, algorithms)
        (self.isConditional, self.attestation, self.tolerated) = (isConditional, attestation, tolerated)
    }
}
