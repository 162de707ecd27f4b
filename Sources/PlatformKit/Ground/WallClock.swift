package import Essentials

/// The time of a world.
package struct WallClock: Sendable {
    package var now: @Sendable () -> Date
    /// What a token says that is issued now: ``now`` unless the world is told to let tokens say real time.
    package var issuingTime: @Sendable () -> Date

    package init(
        now: @escaping @Sendable () -> Date, issuingTime: (@Sendable () -> Date)? = nil
    ) {
        self.now = now
        self.issuingTime = issuingTime ?? now
    }

    package static let system = WallClock { Date() }
}
