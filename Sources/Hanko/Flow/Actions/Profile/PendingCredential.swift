import Crypto
import Essentials
import WebAuthn

/// A credential that a profile flow asked the device for.
struct PendingCredential: Codable, Sendable, Equatable {
    /// Base64url.
    let challenge: String
    let isSecurityKey: Bool
    let expiresAt: Date

    var kind: CredentialKind { isSecurityKey ? .securityKey : .passkey }

    init(_ challenge: [UInt8], _ rules: CeremonyRules, at now: Date) {
        self.challenge = Base64URL.encode(challenge)
        isSecurityKey = rules.kind == .securityKey
        expiresAt = now.addingTimeInterval(Double(rules.registrationTimeout) / 1000)
    }

    var issued: IssuedChallenge {
        IssuedChallenge(Base64URL.decode(challenge) ?? [], for: .registration, expiresAt: expiresAt)
    }

    /// Nil for a user without any name to show.
    func options(_ account: Account, _ configuration: Configuration) -> CreationOptions? {
        let (address, username) = (account.primaryEmail?.address, account.user.username)
        guard let name = address ?? username else { return nil }
        return CreationOptions(
            rules: CeremonyRules(kind, configuration), challenge: issued.bytes,
            user: .init(id: account.id, name: name, displayName: username ?? name),
            excluded: account.credentials)
    }
}
