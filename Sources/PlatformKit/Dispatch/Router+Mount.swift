import HTTP

extension Router where Scope == World {
    /// Adds a platform's routes under its base paths. Whatever goes wrong below them is answered in the platform's own shape.
    mutating func mount<P: Platform>(_: P.Type, _ desk: Desk) {
        for mount in P.mounts {
            for route in mount.routes {
                add(route.method, "/" + mount.path + route.pattern, bodyLimit: route.bodyLimit) {
                    world, request in
                    desk.serve(P.self, request, in: world) { try route.handler($0)(request) }
                }
            }
            fallback("/" + mount.path) { world, request, unknown in
                desk.serveLost(P.self, request, unknown, in: world)
            }
        }
    }
}
