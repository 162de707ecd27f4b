import Comparison
import Essentials
import HTTP
import PlatformKit
import Platforms

/// Which services a comparison is about, as people say it.
struct ComparisonWish {
    let book = RouteBook(Platforms.knownRoutes)
    let only: Set<String>
    let given: [(mount: String, url: String)]

    /// - Parameters:
    ///   - platforms: names of those that are meant; none for all.
    ///   - bases: `MOUNT=URL` each, or a URL where one platform is named.
    /// - Throws: ``UsageError``.
    init(platforms: [String], bases: [String]) throws {
        let known = Set(Platforms.all.map { $0.name })
        for name in platforms where !known.contains(name) {
            throw UsageError(
                "--platform expects \(known.sorted().joined(separator: ", ")), not “\(name)”")
        }
        only = Set(platforms)
        let mounts = book.mounts
        given = try bases.map { text in
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            let named = parts.count == 2 && !parts[0].contains("/") ? parts[0] : nil
            guard let name = named ?? (platforms.count == 1 ? platforms[0] : nil),
                let mount = Self.mount(name, mounts), case let url = named == nil ? text : parts[1],
                url.hasPrefix("http://") || url.hasPrefix("https://")
            else {
                throw UsageError(
                    "--base expects MOUNT=URL, such as hanko=https://tenant.example, or a URL and --platform, not “\(text)”; mounts are \(mounts.joined(separator: ", "))"
                )
            }
            return (mount, url)
        }
    }

    /// A mount by its name, or the main one of a platform.
    private static func mount(_ name: String, _ mounts: [String]) -> String? {
        mounts.contains(name) ? name : Platforms.all.first { $0.name == name }?.mountPaths.first
    }

    /// - Throws: ``RecordingUnreadable``.
    func bases(of exchanges: [Exchange]) throws(RecordingUnreadable) -> Bases {
        try Bases(of: exchanges, book, given: given, only: only)
    }
}

extension Platforms {
    /// Every route of every platform.
    fileprivate static var knownRoutes: [KnownRoute] { all.flatMap { routes(of: $0) } }

    private static func routes<P: Platform>(of platform: P.Type) -> [KnownRoute] {
        platform.mounts.flatMap { mount in
            mount.routes.map {
                KnownRoute(
                    platform: platform.name, title: platform.title, mount: mount.path,
                    method: $0.method.rawValue,
                    pattern: $0.pattern)
            }
        }
    }
}
