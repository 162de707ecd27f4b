import HTTP

extension Router where Scope == World {
    /// Adds a platform's routes under its base paths. Whatever goes wrong below them is answered in the platform's own shape.
    mutating func mount<P: Platform>(_: P.Type, _ responder: PlatformResponder) {
        if let type = P.self as? any AllowsOrigins.Type {
            mountOpen(type, responder)
        } else {
            mount(OriginRules<P> { _, _ in .none }, responder)
        }
    }

    private mutating func mountOpen<P: AllowsOrigins>(_: P.Type, _ responder: PlatformResponder) {
        mount(OriginRules<P> { try $0.crossOriginPolicy(for: $1) }, responder)
    }

    private mutating func mount<P: Platform>(_ origins: OriginRules<P>, _ responder: PlatformResponder) {
        if let type = P.self as? any AnswersAtRoot.Type { mountHostRoutes(of: type, origins, responder) }
        for mount in P.mounts {
            for route in mount.routes {
                add(route, below: "/" + mount.path, origins, responder, mount.audience)
            }
            fallback("/" + mount.path) { world, request, unknown in
                responder.serveLost(origins, request, unknown, in: world, for: mount.audience)
            }
        }
    }

    /// - Parameter origins: those of the same platform, by its other name.
    private mutating func mountHostRoutes<P: AnswersAtRoot>(
        of _: P.Type, _ origins: Any, _ responder: PlatformResponder
    ) {
        guard let origins = origins as? OriginRules<P> else { return }
        for route in P.hostRoutes { add(route, below: "", origins, responder, .client) }
    }

    private mutating func add<P: Platform>(
        _ route: Route<P>, below prefix: String, _ origins: OriginRules<P>, _ responder: PlatformResponder,
        _ audience: Audience
    ) {
        let audience = route.audience ?? audience
        add(route.method, prefix + route.pattern, bodyLimit: route.bodyLimit) { world, request in
            responder.serve(origins, request, in: world, for: audience) { try route.handler($0)(request) }
        }
    }
}
