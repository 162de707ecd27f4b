/// No route fits the request.
package struct RouteUnknown: Error {
    package let method: Request.Method
    package let path: String
    /// The methods that the path does know, for `Allow`; empty when the path itself is unknown.
    package let allowed: Set<Request.Method>

    package init(method: Request.Method, path: String, allowed: Set<Request.Method> = []) {
        self.method = method
        self.path = path
        self.allowed = allowed
    }

    /// Value of `Allow`, which a 405 must have (RFC 9110 §15.5.6); nil for an unknown path.
    package var allow: String? {
        allowed.isEmpty ? nil : allowed.map(\.rawValue).sorted().joined(separator: ", ")
    }

    /// 405 when the path exists under another method, else 404.
    package var status: Status { allowed.isEmpty ? .notFound : .methodNotAllowed }
}
