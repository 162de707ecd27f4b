import WebAuthn

/// What a ceremony of one kind is held against. Source: the admin API's defaults.
struct CeremonyRules: Sendable {
    /// Whether it is about credentials that are a second factor alone.
    let isMFA: Bool
    let party: RelyingParty
    let partyName: String
    /// Milliseconds.
    let timeout: Int
    let verification: UserVerification
    let attachment: String?
    let attestation: String
    let residentKey: String

    init(_ tenant: Tenant, isMFA: Bool) {
        let settings = isMFA ? tenant.mfa : tenant.webauthn
        self.isMFA = isMFA
        party = RelyingParty(
            id: tenant.relyingParty.id, origins: tenant.relyingParty.origins,
            allowsLocalhost: tenant.relyingParty.allowsLocalhost, ignoresCase: true)
        partyName = tenant.relyingParty.displayName
        timeout = settings.timeout ?? CeremonySettings.usualTimeout
        let verification = settings.userVerification ?? (isMFA ? .preferred : .required)
        self.verification = UserVerification(rawValue: verification.rawValue) ?? .preferred
        attachment = settings.attachment?.rawValue ?? (isMFA ? "cross-platform" : nil)
        attestation = (settings.attestation ?? .direct).rawValue
        residentKey = (settings.residentKey ?? (isMFA ? .discouraged : .required)).rawValue
    }

    /// Why an origin is right here and would not be in production, with the line that makes it right there; nil where it is right in both.
    func remark(onOrigin origin: String) -> String? {
        guard party.expectation(of: origin) == .anyLocalhost else { return nil }
        return
            "Let pass here alone: the Passkey API refuses the origin \(origin.prefix(200)), which the tenant does not have. It is expected "
            + "because “any_localhost_origin” is on."
            + (party.line(adding: origin).map { " Production needs \($0) in relying_party of the tenant." }
                ?? "")
    }

    /// `pubKeyCredParams`. Source: the library go-webauthn 0.10.
    static let algorithms: [COSEAlgorithm] = [
        .es256, .es384, .es512, .rs256, .rs384, .rs512, .ps256, .ps384, .ps512, .eddsa,
    ]

    /// What the standard refuses and the original lets pass; it never looks at the signature counter.
    static let tolerated: Set<WebAuthnCheck> = [
        .crossOrigin, .topOrigin, .backupState, .backupEligibility, .algorithm, .signCount,
    ]
}
