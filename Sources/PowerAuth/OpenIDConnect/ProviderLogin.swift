/// What an app brings back from an OpenID Connect provider.
struct ProviderLogin: Sendable, Equatable {
    /// Authorization code.
    let code: String
    /// As the app sent it to the provider.
    let nonce: String
    /// Of PKCE; nil without.
    let codeVerifier: String?
}
