import Essentials
import HTTP

/// A route that the program answers, as its platform lists it.
package struct KnownRoute: Sendable, Hashable {
    /// `hanko`
    package let platform: String
    /// What people call the platform.
    package let title: String
    /// First segment of its path.
    package let mount: String
    package let method: String
    /// Below the mount, such as `/users/:id`.
    package let pattern: String

    package init(platform: String, title: String, mount: String, method: String, pattern: String) {
        (self.platform, self.title, self.mount, self.method, self.pattern) =
            (platform, title, mount, method, pattern)
    }

    /// `POST /hanko/users/:id`
    package var name: String { "\(method) /\(mount)\(pattern)" }
}

/// Finds the route of a request among those that there are.
package struct RouteBook: Sendable {
    private struct Entry: Sendable {
        let route: KnownRoute
        let segments: [String]
        /// Literal segments: the more, the surer.
        let weight: Int
    }

    /// By mount and number of segments; those that take the rest of a path by mount alone.
    private var exact: [String: [Int: [Entry]]] = [:]
    private var open: [String: [Entry]] = [:]
    private(set) var titles: [String: String] = [:]
    /// The platform of each mount.
    private(set) var platforms: [String: String] = [:]

    package init(_ routes: [KnownRoute]) {
        for route in routes {
            titles[route.platform] = route.title
            platforms[route.mount] = route.platform
            let segments = Self.segments(of: route.pattern)
            let entry = Entry(
                route: route, segments: segments, weight: segments.filter { !$0.hasPrefix(":") }.count)
            if segments.last?.hasPrefix("*") == true {
                open[route.mount, default: []].append(entry)
            } else {
                exact[route.mount, default: [:]][segments.count, default: []].append(entry)
            }
        }
    }

    /// Mount of the sample app, a client of the platforms.
    package static let sampleApp = "app"

    package var mounts: [String] { platforms.keys.sorted() }

    /// - Parameter path: below the mount, percent-encoded: empty, or beginning with a slash.
    func route(_ mount: String, _ method: String, _ path: String) -> KnownRoute? {
        candidates(mount, path).first {
            $0.route.method == method || method == "HEAD" && $0.route.method == "GET"
        }?
        .route
    }

    /// Literal segments of the best route for it, whatever the method of a preflight; nil without one.
    func weight(_ mount: String, _ method: String, _ path: String) -> Int? {
        candidates(mount, path).first { $0.route.method == method || method == "OPTIONS" }?.weight
    }

    /// The routes of a path, whatever their methods, the most literal first.
    func methods(_ mount: String, _ path: String) -> [KnownRoute] { candidates(mount, path).map(\.route) }

    private func candidates(_ mount: String, _ path: String) -> [Entry] {
        let segments = Self.segments(of: path).map { $0[...].percentDecoded }
        let fitting = (exact[mount]?[segments.count] ?? []).filter { Self.fits($0.segments, segments) }
        let rest = (open[mount] ?? []).filter { entry in
            segments.count >= entry.segments.count && Self.fits(entry.segments.dropLast(), segments)
        }
        return fitting.sorted { $0.weight > $1.weight } + rest
    }

    private static func fits(_ pattern: some Sequence<String>, _ segments: [String]) -> Bool {
        zip(pattern, segments).allSatisfy { $0 == $1 || $0.hasPrefix(":") && !$1.isEmpty }
    }

    /// Several slashes are one, as most servers have it.
    private static func segments(of path: String) -> [String] {
        path.split(separator: "/").map(String.init)
    }
}
