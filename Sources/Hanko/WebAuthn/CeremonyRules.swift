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
        let rules = configuration.relyingParty
        let verification =
            kind == .passkey
            ? configuration.passkey.userVerification : configuration.mfa.securityKeyUserVerification
        let isBrief = kind == .securityKey && verification == UserVerification.discouraged.rawValue
        let standard = isBrief ? Self.briefTimeout : Configuration.RelyingPartyRules.standardTimeout
        self.kind = kind
        relyingParty = RelyingParty(rules)
        relyingPartyName = rules.displayName
        userVerification = UserVerification(rawValue: verification) ?? .preferred
        attestation = configuration.passkey.attestationPreference
        attachment = kind == .passkey ? nil : configuration.mfa.securityKeyAttachment
        registrationTimeout = rules.registrationTimeout ?? standard
        loginTimeout = rules.loginTimeout ?? standard
        isStrict = rules.isStrict
    }

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

extension RelyingParty {
    /// Origins are compared without regard to case, as the original does; those of Android apps as they are.
    init(_ rules: Configuration.RelyingPartyRules) {
        self.init(
            id: rules.id, origins: rules.origins, relatedOrigins: rules.relatedOrigins,
            allowsLocalhost: rules.allowsAnyLocalhost, ignoresCase: true)
    }
}

/// What a credential is good for.
enum CredentialKind: Sendable, Equatable, CaseIterable {
    /// To sign in with.
    case passkey
    /// As a second factor only.
    case securityKey
}
