import HTTP
import Synchronization

/// The routes of all platforms, to find what a client probably meant that asked for a path which nobody has: one below a base path
/// that its base URL has lost, one with a slip of the keyboard, one with a version that does not belong there.
final class NearMisses: Sendable {
    /// A route with a literal segment behind its base path; any other fits too much to be meant.
    private struct Known: Sendable {
        let method: Request.Method
        let base: String
        /// The base path first.
        let pattern: [Part]
    }

    /// A segment of a pattern.
    private enum Part: Sendable {
        case literal(String)
        /// `:name`, anything but an empty segment.
        case name
        /// `*name`, whatever follows, and something does.
        case rest

        init(_ segment: String) {
            self =
                switch segment.first {
                case ":": .name
                case "*": .rest
                default: .literal(segment)
                }
        }

        /// What has to stand there; nil for what the client chooses.
        var word: String? {
            guard case .literal(let word) = self else { return nil }
            return word
        }
    }

    /// Taken apart at the first miss: no start waits for it.
    private final class Routes: Sendable {
        let known: [Known]
        /// By their base paths.
        let below: [String: [Known]]

        init(_ platforms: [any Platform.Type]) {
            known = platforms.flatMap { NearMisses.routes(of: $0) }
            below = Dictionary(grouping: known, by: \.base)
        }
    }

    private let platforms: [any Platform.Type]
    private let routes = AtomicLazyReference<Routes>()
    private let mounts: [String]

    private var all: Routes { routes.load() ?? routes.storeIfNil(Routes(platforms)) }

    /// Longer paths are not looked at: that costs, and helps nobody.
    private static let byteLimit = 512
    private static let segmentLimit = 16

    init(_ platforms: [any Platform.Type]) {
        self.platforms = platforms
        mounts = Set(platforms.flatMap { $0.mountPaths }).sorted()
    }

    private static func routes<P: Platform>(of _: P.Type) -> [Known] {
        P.mounts.flatMap { mount in
            mount.routes.compactMap { route in
                let behind = segments(route.pattern).map(Part.init)
                guard behind.contains(where: { $0.word?.isEmpty == false }) else { return nil }
                return Known(method: route.method, base: mount.path, pattern: [.literal(mount.path)] + behind)
            }
        }
    }

    private static func segments(_ path: String) -> [String] {
        path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
    }

    /// What was probably meant, in a sentence; nil when nothing is near.
    ///
    /// - Parameter place: what stands before a base path: empty, or `/w/blue`.
    func sentence(for unknown: RouteUnknown, at place: String) -> String? {
        guard unknown.allowed.isEmpty, unknown.path.utf8.count <= Self.byteLimit else { return nil }
        let asked = Self.segments(unknown.path)
        guard asked.count <= Self.segmentLimit else { return nil }
        let below = mounts.compactMap { self.found([$0] + asked, unknown.method) }
        if !below.isEmpty {
            return "This exists at \(list(below, at: place)); the client left out the path of its base URL."
        }
        let meant = variants(of: asked).lazy.compactMap { self.found($0, unknown.method) }.first
        let near = meant ?? withVersion(asked, unknown.method) ?? withSlip(asked, unknown.method)
        return near.map { "Did you mean \(list([$0], at: place))?" }
    }

    private func list(_ all: [Found], at place: String) -> String {
        all.map {
            "\(place)/\($0.segments.joined(separator: "/"))" + ($0.method.map { " (\($0.rawValue))" } ?? "")
        }
        .joined(separator: " and ")
    }

    /// A path that exists, and its method where the client used another one.
    private struct Found {
        let segments: [String]
        let method: Request.Method?
    }

    private func found(_ segments: [String], _ method: Request.Method) -> Found? {
        guard let base = segments.first else { return nil }
        let fitting = all.below[base, default: []].filter { fits($0.pattern, segments) { $0 == $1 } }
        guard let first = fitting.first else { return nil }
        let isMethod = fitting.contains { $0.method == method || method == .head && $0.method == .get }
        return Found(segments: segments, method: isMethod ? nil : first.method)
    }

    private func fits(
        _ pattern: [Part], _ segments: [String], _ isSame: (String, String) -> Bool
    ) -> Bool {
        for (index, part) in pattern.enumerated() {
            guard index < segments.count else { return false }
            switch part {
            case .literal(let word): guard isSame(word, segments[index]) else { return false }
            case .name: guard !segments[index].isEmpty else { return false }
            case .rest: return true
            }
        }
        return pattern.count == segments.count
    }

    /// The path without empty segments, without a version in it, and below a base path without either.
    private func variants(of asked: [String]) -> [[String]] {
        let dense = asked.filter { !$0.isEmpty }
        let plain = dense.filter { !$0.isVersion }
        let own = [dense, plain].filter { $0 != asked && !$0.isEmpty }
        // A base URL with its path, and the path once more: /hanko/hanko/user.
        let twice = [dense, plain].filter { $0.count > 2 && mounts.contains($0[1]) }.map {
            Array($0.dropFirst())
        }
        return own + twice + own.flatMap { path in self.mounts.map { [$0] + path } }
    }

    /// A path that the route has with a version somewhere in it.
    private func withVersion(_ asked: [String], _ method: Request.Method) -> Found? {
        for index in asked.indices.dropFirst() {
            for version in ["v1", "v2", "v3"] {
                let longer = asked[..<index] + [version] + asked[index...]
                if let found = found(Array(longer), method) { return found }
            }
        }
        return nil
    }

    /// A path with one segment that is spelled nearly as the client did.
    private func withSlip(_ asked: [String], _ method: Request.Method) -> Found? {
        var nearest: (slips: Int, segments: [String])?
        for route in all.known {
            var total = (segments: 0, slips: 0)
            let isNear = fits(route.pattern, asked) { part, typed in
                guard part != typed else { return true }
                guard typed.count > 2, let slips = part.slips(from: typed) else { return false }
                total = (total.segments + 1, total.slips + slips)
                return total.segments == 1
            }
            guard isNear, total.slips < nearest?.slips ?? .max else { continue }
            let meant = zip(route.pattern, asked).map { $0.word ?? $1 }
            nearest = (total.slips, meant + asked.dropFirst(meant.count))
        }
        return nearest.flatMap { self.found($0.segments, method) }
    }
}

extension String {
    /// `v1`, `V2`
    fileprivate var isVersion: Bool {
        guard let first, "vV".contains(first), utf8.count <= 3 else { return false }
        return Int(dropFirst()) != nil
    }

    /// How many letters differ, whatever their case; nil when that is more than a slip.
    fileprivate func slips(from typed: String) -> Int? {
        let limit = typed.count <= 4 ? 1 : 2
        guard abs(count - typed.count) <= limit else { return nil }
        let distance = Suggestion.distance(typed.lowercased(), lowercased())
        return distance <= limit ? distance : nil
    }
}

extension Request {
    /// What stands before the base paths of the platforms: empty, or `/w/blue`.
    var place: String {
        guard let scheme = worldURL.firstRange(of: "://") else { return "" }
        return String(worldURL[scheme.upperBound...].drop { $0 != "/" })
    }
}
