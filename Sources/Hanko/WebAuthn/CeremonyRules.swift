import WebAuthn

/// What a world's server asks of WebAuthn for credentials of one kind.
///
/// Source: Hanko 2.7, configuration, and the options that its classic endpoints and flows make.
struct CeremonyRules: Sendable, Equatable {
    let kind: CredentialKind
    let relyingParty: RelyingParty
    /// What the browser shows.
    let relyingPartyName: String
    let userVerification: UserVerification
    /// `none`, `indirect`, `direct` or `enterprise`.
    let attestation: String
    /// `platform`, `cross-platform`, or nil for either.
    let attachment: String?
    /// Milliseconds.
    let registrationTimeout: Int
    /// Milliseconds.
    let loginTimeout: Int
    /// Whether what would be let pass is refused.
    let isStrict: Bool

    init(_ kind: CredentialKind, _ configuration: Configuration) {
        let (webauthn, keys) = (configuration.webauthn, configuration.mfa.securityKeys)
        self.kind = kind
        relyingParty = configuration.relyingParty
        relyingPartyName = webauthn.relyingParty.displayName ?? configuration.service.name
        userVerification =
            kind == .passkey ? configuration.passkey.userVerification : keys.userVerification
        attestation = configuration.passkey.attestationPreference.rawValue
        attachment =
            kind == .passkey || keys.authenticatorAttachment == .noPreference
            ? nil : keys.authenticatorAttachment.rawValue
        let isBrief = kind == .securityKey && userVerification == .discouraged
        let standard = isBrief ? Self.briefTimeout : Self.standardTimeout
        registrationTimeout = webauthn.timeouts.registration ?? standard
        loginTimeout = webauthn.timeouts.login ?? standard
        isStrict = configuration.own.isStrictAboutWebAuthn
    }

    private static let standardTimeout = 600_000

    /// Milliseconds that a ceremony has which needs no user verification.
    private static let briefTimeout = 120_000

    /// `pubKeyCredParams`, in the order of the original.
    static let algorithms: [COSEAlgorithm] = [
        .es256, .es384, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .eddsa,
    ]

    /// What the standard refuses and the original lets pass: it becomes a warning in the journal.
    static let tolerated: Set<WebAuthnCheck> = [
        .crossOrigin, .topOrigin, .backupState, .backupEligibility, .algorithm,
    ]

    /// The same where a login does not know its user beforehand: there the original does not look at the end of a challenge.
    static let toleratedOfStrangers = tolerated.union([.challengeExpired])
}

/// What a credential is good for.
enum CredentialKind: Sendable, Equatable, CaseIterable {
    /// To sign in with.
    case passkey
    /// As a second factor only.
    case securityKey
}
