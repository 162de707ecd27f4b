package import Essentials

/// Whom a provider says that somebody is.
package struct ProviderUser: Sendable, Equatable {
    /// `sub`, not empty.
    package let subject: String
    /// All claims, `sub` among them.
    package let claims: [String: JSONValue]

    /// Nil for claims that name nobody.
    package init?(_ claims: [String: JSONValue]) {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else { return nil }
        (self.subject, self.claims) = (subject, claims)
    }
}
