/// What the relying party asked for when a user was to be authenticated, and how strict it is.
package struct AuthenticationRequest: Sendable {
    package var relyingParty: RelyingParty
    package var challenge: IssuedChallenge
    package var userVerification: UserVerification
    /// The credential ids that were sent; empty when any is welcome.
    package var allowCredentials: [[UInt8]]
    /// The handle of the user who was known before; nil when the credential is to say who it is.
    package var userHandle: [UInt8]?
    package var signCount: SignCountPolicy
    /// Whether UV may be trusted from now on although it was never set before: the user was known by another factor as good
    /// as user verification. Source: Web Authentication Level 3 §7.2 step 24.
    package var initializesUserVerification: Bool
    /// Checks that only warn; see ``WebAuthnCheck/isTolerable``.
    package var tolerated: Set<WebAuthnCheck>

    package init(
        relyingParty: RelyingParty, challenge: IssuedChallenge,
        userVerification: UserVerification = .preferred, allowCredentials: [[UInt8]] = [],
        userHandle: [UInt8]? = nil, signCount: SignCountPolicy = .strict,
        initializesUserVerification: Bool = false, tolerated: Set<WebAuthnCheck> = []
    ) {
        (self.relyingParty, self.challenge) = (relyingParty, challenge)
        (self.userVerification, self.allowCredentials) = (userVerification, allowCredentials)
        (self.userHandle, self.signCount, self.tolerated) = (userHandle, signCount, tolerated)
        self.initializesUserVerification = initializesUserVerification
    }
}
