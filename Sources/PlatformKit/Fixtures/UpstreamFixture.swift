import SQLite
package import Upstream

/// The section `upstreams`: real services that answer in the place of platforms, by the mount that they stand behind.
///
/// ```json
/// {"upstreams": {"hanko": {"url": "https://tenant.example"}}}
/// ```
/// A world whose fixtures have it, or to which the control API said something of it, calls these alone; every other world calls those of
/// the program's options.
package enum UpstreamFixture {
    package static let section = "upstreams"
    static let setting = Setting<[String: Upstream]>("kit.upstreams")

    /// - Parameter mounts: those that there are.
    /// - Throws: ``FixtureProblem``.
    package static func checked(_ given: [String: Upstream], mounts: [String]) throws -> [String: Upstream] {
        var checked: [String: Upstream] = [:]
        for (mount, upstream) in given {
            guard mounts.contains(mount) else {
                throw FixtureProblem(
                    at: [mount],
                    "no platform answers at /\(mount.prefix(60))\(Suggestion.question(mount, among: mounts)); known are "
                        + mounts.sorted().joined(separator: ", "))
            }
            do {
                checked[mount] = try Upstream(url: upstream.url, ca: upstream.ca)
            } catch {
                throw FixtureProblem(
                    at: [mount, error.member], "expected \(error.expected), found “\(error.given)”")
            }
        }
        return checked
    }

    static func load(_ given: [String: Upstream], mounts: [String], into db: Connection) throws {
        try setting.set(checked(given, mounts: mounts), in: db)
    }
}
