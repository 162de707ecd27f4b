package import HTTP

/// One emulated service: a section that answers on the wire. The five of them differ in everything except this.
package protocol Platform: Section {
    /// Where its endpoints live, each endpoint once. Most platforms have one place.
    static var mounts: [Mount<Self>] { get }

    /// The only place where an error becomes bytes.
    static func response(for error: any Error) throws -> Response

    /// What the service says when it answers with a status for no reason of the request's, such as 503: what a fault answers with.
    static func errorResponse(_ status: Status) throws -> Response
}

extension Platform {
    /// In the form of what the platform says to a bad request, or when it breaks.
    package static func errorResponse(_ status: Status) throws -> Response {
        var response = try Self.response(
            for: status.code < 500 ? RequestMalformed(reason: "\(status.reason).") : FaultStruck())
        response.status = status
        return response
    }

    /// First path segments, the main one first.
    package static var mountPaths: [String] { mounts.map { $0.path } }

    /// Those of them below which several slashes are one.
    static var mergingPaths: [String] { mounts.filter { $0.mergesSlashes }.map { $0.path } }
}

/// The reason of an answer that a fault gives with a status alone. Platforms need not know it: it is like anything that breaks them.
private struct FaultStruck: Error {}

/// Endpoints under one base path. A platform with a public and an administrative side has two.
package struct Mount<P: Platform>: Sendable {
    /// First path segment, and the host name `PATH.localhost`: `"hanko-admin"`.
    package let path: String
    /// Made when somebody asks for them: whoever wants to know the path alone does not pay for several hundred of them.
    package var routes: [Route<P>] { make() }
    private let make: @Sendable () -> [Route<P>]
    /// Who calls those of the routes that do not say it themselves.
    package let audience: Audience
    /// Whether several slashes in a path are one, as servers behind a proxy that merges them have it.
    package let mergesSlashes: Bool

    package init(
        _ path: String, _ routes: @autoclosure @escaping @Sendable () -> [Route<P>],
        for audience: Audience = .app, mergingSlashes mergesSlashes: Bool = false
    ) {
        self.path = path
        make = routes
        self.audience = audience
        self.mergesSlashes = mergesSlashes
    }
}

/// A method, a path pattern, and the platform's method that answers: `.post("/enrolments", Acme.startEnrolment)`.
package struct Route<P: Platform>: Sendable {
    package typealias Handler = @Sendable (P) -> (Request) throws -> Response

    package let method: Request.Method
    package let pattern: String
    package let bodyLimit: Int?
    package let handler: Handler
    /// Who calls it; nil for whom its mount is meant for.
    package private(set) var audience: Audience?

    package init(
        _ method: Request.Method, _ pattern: String, bodyLimit: Int? = nil, _ handler: @escaping Handler
    ) {
        self.method = method
        self.pattern = pattern
        self.bodyLimit = bodyLimit
        self.handler = handler
    }

    /// The same, after a look at each request.
    package func checking(_ check: @escaping @Sendable (Request) throws -> Void) -> Route {
        var route = Route(method, pattern, bodyLimit: bodyLimit) { [handler] platform in
            { request in
                try check(request)
                return try handler(platform)(request)
            }
        }
        route.audience = audience
        return route
    }

    /// The same, called by others than the rest of its mount; one that says so already keeps to it.
    package func `for`(_ audience: Audience) -> Route {
        var route = self
        route.audience = self.audience ?? audience
        return route
    }

    package static func get(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.get, pattern, handler)
    }

    package static func post(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.post, pattern, handler)
    }

    package static func put(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.put, pattern, handler)
    }

    package static func patch(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.patch, pattern, handler)
    }

    package static func delete(_ pattern: String, _ handler: @escaping Handler) -> Route {
        Route(.delete, pattern, handler)
    }
}
