package import Essentials

/// The time of a world.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date
    package init(now: @escaping @Sendable () -> Date) { self.now = now }

    package static let system = WallClock { Date() }
}
