package import HTTP

/// Lets web pages of other origins call. Without it, none may.
package protocol AllowsOrigins: Platform {
    /// Which may, in this world and with this request.
    func crossOriginPolicy(for request: Request) throws -> CrossOriginPolicy
}

/// Which web pages of other origins may call a platform from a browser.
///
/// Source: WHATWG Fetch, “CORS protocol”.
package struct CrossOriginPolicy: Sendable {
    /// Origins such as `http://localhost:8888`; `*` allows every one.
    package var allowedOrigins: [String]
    /// Whether `*` stands for any text in them, and `?` for any character: `https://*.example.com`.
    package var allowsPatterns: Bool
    package var allowsCredentials: Bool
    /// Value of `Access-Control-Allow-Methods` in a preflight.
    package var allowedMethods: String
    /// Response headers that a page may read.
    package var exposedHeaders: [String]
    /// Seconds that a preflight may be remembered.
    package var maxAgeSeconds: Int
    /// Paths below the mount that no page of another origin may call, such as `/authorize`; `/messages/*` is what lies below it.
    package var exemptPaths: [String]
    /// Those of them to which pages of other origins send their visitors by a form: `POST /authorize`.
    package var formPaths: [String]
    /// Paths below the mount that every page may read, whatever ``allowedOrigins`` says, without credentials: `*`.
    package var openPaths: [String]
    /// What lets pages of other origins call an exempt path after all, for a sentence: the path, and the line for the fixtures.
    package var exemptionLines: [String: String] = [:]
    /// Whether pages of this machine may call, whatever their port.
    var allowsAnyLocalhost = false

    package init(
        allowedOrigins: [String], allowsPatterns: Bool = false, allowsCredentials: Bool = true,
        allowedMethods: String = "GET,HEAD,PUT,PATCH,POST,DELETE", exposedHeaders: [String] = [],
        maxAgeSeconds: Int = 7200, exemptPaths: [String] = [], formPaths: [String] = [],
        openPaths: [String] = []
    ) {
        self.allowedOrigins = allowedOrigins
        self.allowsPatterns = allowsPatterns
        self.allowsCredentials = allowsCredentials
        self.allowedMethods = allowedMethods
        self.exposedHeaders = exposedHeaders
        self.maxAgeSeconds = maxAgeSeconds
        self.exemptPaths = exemptPaths
        self.formPaths = formPaths
        self.openPaths = openPaths
    }

    /// Same origin only.
    package static let none = CrossOriginPolicy(allowedOrigins: [])

    func allows(_ origin: String) -> Bool {
        allowedOrigins.contains {
            $0 == "*" || $0.equalsIgnoringCase(origin) || (allowsPatterns && Self.matches(origin, $0))
        } || (allowsAnyLocalhost && CORSFixture.isLocalhost(origin))
    }

    /// Source: Echo, middleware CORS: what is longer than a domain can be is not looked at.
    private static func matches(_ origin: String, _ pattern: String) -> Bool {
        guard pattern.utf8.contains(where: { $0 == star || $0 == UInt8(ascii: "?") }), origin.contains("://"),
            origin.utf8.count <= 261
        else { return false }
        let pattern = Array(pattern.utf8)
        // Which beginnings of the pattern are used up by the origin so far.
        var places = reached([0], pattern)
        for byte in origin.utf8 {
            places = reached(
                Set(
                    places.compactMap { place in
                        guard place < pattern.count else { return nil }
                        if pattern[place] == star { return place }
                        return pattern[place] == byte || pattern[place] == UInt8(ascii: "?") ? place + 1 : nil
                    }), pattern)
        }
        return places.contains(pattern.count)
    }

    private static let star = UInt8(ascii: "*")

    /// With those behind stars that stand for nothing.
    private static func reached(_ places: Set<Int>, _ pattern: [UInt8]) -> Set<Int> {
        var all = places
        for var place in places {
            while place < pattern.count, pattern[place] == star {
                place += 1
                all.insert(place)
            }
        }
        return all
    }

    /// Whether the request is for an exempt path; the route table's path begins with the mount's name.
    func exempts(_ request: Request) -> Bool {
        Self.lists(request, in: exemptPaths)
    }

    func opens(_ request: Request) -> Bool { Self.lists(request, in: openPaths) }

    func takesForms(_ request: Request) -> Bool { Self.lists(request, in: formPaths) }

    private static func lists(_ request: Request, in paths: [String]) -> Bool {
        guard !paths.isEmpty else { return false }
        let path = path(request)
        return paths.contains { covers($0, path) }
    }

    /// Below the mount.
    static func path(_ request: Request) -> String {
        String(Substring(request.path.utf8.dropFirst().drop { $0 != UInt8(ascii: "/") }))
    }

    static func covers(_ pattern: String, _ path: String) -> Bool {
        if pattern == path { return true }
        guard pattern.utf8.last == star, pattern.hasSuffix("/*") else { return false }
        return path.utf8.starts(with: pattern.utf8.dropLast())
    }

    /// A browser sends forms and plain texts for any page, and asks nobody before: what the rules do not let a page read, it may
    /// not change either.
    ///
    /// - Throws: ``CrossOriginRefused``.
    func refuseForeignChange(_ request: Request) throws(CrossOriginRefused) {
        guard request.isForeignChange, let origin = request.foreignOrigin, !takesForms(request)
        else { return }
        if !exempts(request), allows(origin) { return }
        throw CrossOriginRefused(
            origin: origin, own: request.origin, allowed: exempts(request) ? [] : allowedOrigins,
            remedy: remedy(for: origin, request))
    }

    /// Adds what a browser needs to hand `response` to the page that asked.
    func apply(to response: inout Response, for request: Request) {
        if opens(request) {
            response.headers["Access-Control-Allow-Origin"] = "*"
            return
        }
        guard !allowedOrigins.isEmpty || allowsAnyLocalhost, !exempts(request) else { return }
        response.headers.add("Vary", "Origin")
        guard let origin = request.headers["Origin"], allows(origin) else { return }
        response.headers["Access-Control-Allow-Origin"] = origin
        if allowsCredentials { response.headers["Access-Control-Allow-Credentials"] = "true" }
        if !exposedHeaders.isEmpty, !Self.isPreflight(request) {
            response.headers["Access-Control-Expose-Headers"] = exposedHeaders.joined(separator: ",")
        }
    }

    static func isPreflight(_ request: Request) -> Bool {
        request.method == .options && request.headers["Access-Control-Request-Method"] != nil
    }

    /// The answer to a preflight: always 204; it grants nothing when the origin is not allowed. What every answer to another
    /// origin says, ``apply(to:for:)`` adds.
    func preflight(_ request: Request) -> Response {
        var response = Response.noContent
        response.headers.add("Vary", "Access-Control-Request-Method")
        response.headers.add("Vary", "Access-Control-Request-Headers")
        guard !exempts(request), let origin = request.headers["Origin"], opens(request) || allows(origin)
        else {
            return response
        }
        response.headers["Access-Control-Allow-Methods"] = allowedMethods
        if let asked = request.headers["Access-Control-Request-Headers"] {
            response.headers["Access-Control-Allow-Headers"] = asked
        }
        response.headers["Access-Control-Max-Age"] = String(maxAgeSeconds)
        return response
    }
}
