/// What a credential is good for.
enum CredentialKind: Sendable, Equatable, CaseIterable {
    /// To sign in with.
    case passkey
    /// As a second factor only.
    case securityKey
}
