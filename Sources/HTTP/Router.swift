/// Finds the route for a request. One value serves the whole process and holds no state of any world.
///
/// A pattern is a path whose segments are literal or `:name`; a literal wins over a name, also where that is found out only
/// segments later. A last segment `*name` takes the rest of the path, slashes included. Segments are percent-decoded before they
/// are compared, and compare exactly: `/users/` is not `/users`. `HEAD` finds the route of `GET` where it has none of its own.
package struct Router<Scope>: Sendable {
    package typealias Handler = @Sendable (Scope, Request) throws -> Response
    /// Answers a request that no route fits; the error says why.
    package typealias Fallback = @Sendable (Scope, Request, RouteUnknown) throws -> Response

    private struct Entry: Sendable {
        let handler: Handler
        let names: [String]
        let bodyLimit: Int?
    }

    private var tree = RouteTree()
    private var entries: [Entry] = []
    private var fallbacks: [Fallback] = []

    package init() {}

    /// - Parameter bodyLimit: bytes of body that this route accepts, where it differs from the server's own limit.
    package mutating func add(
        _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
    ) {
        let names = tree.add(entries.count, method, pattern)
        entries.append(Entry(handler: handler, names: names, bodyLimit: bodyLimit))
    }

    /// Answers every request at or under the literal path `prefix` that no route fits; the longest such prefix wins.
    package mutating func fallback(_ prefix: String, _ handler: @escaping Fallback) {
        tree.addFallback(fallbacks.count, prefix)
        fallbacks.append(handler)
    }

    /// - Throws: whatever the handler throws; ``RouteUnknown`` when neither a route nor a fallback fits.
    package func respond(to request: Request, in scope: Scope) throws -> Response {
        let match = tree.match(request.method, request.path)
        guard let route = match.route else {
            let unknown = RouteUnknown(method: request.method, path: request.path, allowed: match.allowed)
            guard let fallback = tree.fallback(for: request.path) else { throw unknown }
            return try fallbacks[fallback](scope, request, unknown)
        }
        let entry = entries[route]
        if entry.names.isEmpty { return try entry.handler(scope, request) }
        var request = request
        request.parameters = zip(entry.names, match.values).map { ($0, $1) }
        return try entry.handler(scope, request)
    }

    /// Bytes of body that the route for `method` and `path` accepts, or `nil` where it sets no limit of its own.
    package func bodyLimit(_ method: Request.Method, _ path: String) -> Int? {
        tree.match(method, path).route.flatMap { entries[$0].bodyLimit }
    }
}
