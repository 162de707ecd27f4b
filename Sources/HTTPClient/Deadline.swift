/// A span of time that several waits share.
struct Deadline {
    let seconds: Double
    private let end: ContinuousClock.Instant

    /// - Parameter seconds: from now; infinity for as long as it takes.
    init(seconds: Double) {
        self.seconds = seconds
        // A Duration cannot hold infinity; three years are as long.
        end = ContinuousClock.now + .seconds(seconds > 0 ? min(seconds, 1e8) : 0)
    }

    /// Seconds that are left; not below 0.
    var left: Double { max(0, (end - ContinuousClock.now) / .seconds(1)) }
}
