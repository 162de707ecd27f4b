/// What a tenant asks of ceremonies.
struct CeremonySettings: Codable, Sendable, Equatable {
    enum Attachment: String, Codable, CaseIterable {
        case platform
        case crossPlatform = "cross-platform"
    }

    enum Residence: String, Codable, CaseIterable { case discouraged, preferred, required }

    enum Verification: String, Codable, CaseIterable { case discouraged, preferred, required }

    enum Attestation: String, Codable, CaseIterable { case none, indirect, direct, enterprise }

    /// Milliseconds, after which a challenge is over.
    var timeout: Int?
    var userVerification: Verification?
    /// Nil for either.
    var attachment: Attachment?
    var attestation: Attestation?
    var residentKey: Residence?

    enum CodingKeys: String, CodingKey {
        case timeout, attachment
        case userVerification = "user_verification"
        case attestation = "attestation_preference"
        case residentKey = "resident_key_requirement"
    }

    static let passkeys = CeremonySettings()
    static let secondFactors = CeremonySettings(attachment: .crossPlatform)

    /// Source: README of the vendor's server, `webauthn.timeout`.
    static let usualTimeout = 60_000
}
