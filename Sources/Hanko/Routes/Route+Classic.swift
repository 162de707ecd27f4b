import HTTP
import PlatformKit

extension Route<Hanko> {
    /// The same endpoints, where the profile is `classic`; in `current` they are gone, as in 3.x, and the journal says why.
    static func classic(_ routes: [Route<Hanko>]) -> [Route<Hanko>] {
        routes.map { route in
            Route(route.method, route.pattern) { hanko in
                { request in
                    guard try hanko.configuration().generation == .classic else {
                        throw HankoError.removed("\(route.method.rawValue) \(route.pattern)")
                    }
                    return try route.handler(hanko)(request)
                }
            }
        }
    }
}
