import Essentials
import OpenID

/// What a provider says of somebody, under the names that Hanko uses.
struct ThirdPartyAccount: Sendable, Equatable {
    let subject: String
    /// Lower case; nil when the provider tells none.
    let address: String?
    let isVerified: Bool
    let name: String?
    let givenName: String?
    let familyName: String?
    let picture: String?
    let claims: JSONValue

    init(_ user: ProviderUser, _ provider: ThirdPartyProvider) {
        func claim(_ name: String) -> JSONValue? { user.claims[provider.attributeMapping[name] ?? name] }
        func text(_ name: String) -> String? {
            claim(name)?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        subject = user.subject
        address = text("email")?.lowercased()
        // Some providers write booleans as text.
        isVerified = claim("email_verified")?.boolean ?? (text("email_verified") == "true")
        name = text("name")
        givenName = text("given_name")
        familyName = text("family_name")
        picture = text("picture")
        claims = .object(user.claims)
    }
}
