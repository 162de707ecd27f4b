/// What comes back from an OpenID Connect provider.
package struct ProviderLogin: Sendable, Equatable {
    /// Authorization code.
    package let code: String
    /// As it was sent to the provider; nil when none was.
    package let nonce: String?
    /// Of PKCE; nil without.
    package let codeVerifier: String?

    package init(code: String, nonce: String?, codeVerifier: String?) {
        (self.code, self.nonce, self.codeVerifier) = (code, nonce, codeVerifier)
    }
}
