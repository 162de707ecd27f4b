import HTTP

extension Router where Scope == World {
    /// Adds a platform's routes under its base paths. Whatever goes wrong below them is answered in the platform's own shape.
    mutating func mount<P: Platform>(_: P.Type, _ responder: PlatformResponder) {
        if let type = P.self as? any AnswersAtRoot.Type { mountHostRoutes(type, responder) }
        for mount in P.mounts {
            for route in mount.routes { add(route, below: "/" + mount.path, responder, mount.audience) }
            fallback("/" + mount.path) { world, request, unknown in
                responder.serveLost(P.self, request, unknown, in: world, for: mount.audience)
            }
        }
    }

    private mutating func mountHostRoutes<P: AnswersAtRoot>(_: P.Type, _ responder: PlatformResponder) {
        for route in P.hostRoutes { add(route, below: "", responder, .client) }
    }

    private mutating func add<P: Platform>(
        _ route: Route<P>, below prefix: String, _ responder: PlatformResponder, _ audience: Audience
    ) {
        let audience = route.audience ?? audience
        add(route.method, prefix + route.pattern, bodyLimit: route.bodyLimit) { world, request in
            responder.serve(P.self, request, in: world, for: audience) { try route.handler($0)(request) }
        }
    }
}
