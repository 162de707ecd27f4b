package import PlatformKit

/// A platform, as pages and lists introduce it.
package struct PlatformCard: Sendable {
    package let name: String
    package let title: String
    /// First path segments, the main one first.
    package let mounts: [String]

    package init(name: String, title: String, mounts: [String]) {
        self.name = name
        self.title = title
        self.mounts = mounts
    }

    package init<P: Platform>(_: P.Type) {
        self.init(name: P.name, title: P.title, mounts: P.mountPaths)
    }
}
