import HTTP
import PlatformKit

extension Hanko {
    /// Endpoints of the original that are refused with 501 and the name of what is missing.
    static let missingRoutes: [Route<Hanko>] =
        Route.classic([Route(.get, "/saml/provider", missing("SAML"))])
        + [
            Route(.get, "/saml/metadata", missing("SAML")),
            Route(.get, "/saml/auth", missing("SAML")),
            Route(.post, "/saml/callback", missing("SAML")),
        ]

    private static func missing(_ feature: String) -> Route<Hanko>.Handler {
        { _ in { _ in throw HankoError.notEmulated(feature) } }
    }
}
