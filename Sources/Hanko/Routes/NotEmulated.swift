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
        { _ in { _ in throw HankoRefusal.notEmulated(feature) } }
    }
}

extension Route<Hanko> {
    /// The same endpoints, where the profile is `classic`; in the others they are gone, as in 3.x, and the journal says why.
    static func classic(_ routes: [Route<Hanko>]) -> [Route<Hanko>] {
        routes.map { route in
            let kept = Route(route.method, route.pattern) { hanko in
                { request in
                    guard try hanko.generation().hasClassicRoutes else {
                        throw HankoRefusal.removed("\(route.method.rawValue) \(route.pattern)")
                    }
                    return try route.handler(hanko)(request)
                }
            }
            return route.audience.map(kept.for) ?? kept
        }
    }
}
