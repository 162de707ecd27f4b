package import Essentials
package import JOSE

/// A token that is about to be signed: which one, and for whom.
package struct SigningSubject: Sendable, Equatable {
    /// ``Platform/name``
    package let platform: String
    /// Such as `id_token`; the names of ``TokenKind`` where it can be minted.
    package let kind: String
    /// As the token names the user.
    package var user: String?
    package var client: String?

    package init(_ platform: String, _ kind: String, user: String? = nil, client: String? = nil) {
        (self.platform, self.kind, self.user, self.client) = (platform, kind, user, client)
    }
}

/// What shall be otherwise about a token that is about to be signed.
package struct TokenAlteration: Sendable {
    package var flaw: TokenFlaw?
    /// Beside the claims that the platform gives it, or in their place.
    package var claims: [String: JSONValue]
    /// In the place of the key that signs now.
    package var key: SigningKey?

    package init(flaw: TokenFlaw? = nil, claims: [String: JSONValue] = [:], key: SigningKey? = nil) {
        (self.flaw, self.claims, self.key) = (flaw, claims, key)
    }
}

/// Who says what shall be otherwise about tokens.
package struct TokenAlterations: Sendable {
    /// Asked once for each token, right before it is signed, on the thread that signs; nil when it is to be a good one. It must not use
    /// the world's database: some tokens are signed while a turn has it.
    package var change: @Sendable (SigningSubject) -> TokenAlteration?

    package init(_ change: @escaping @Sendable (SigningSubject) -> TokenAlteration?) { self.change = change }
}
