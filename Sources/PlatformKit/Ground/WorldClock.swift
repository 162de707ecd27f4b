package import Essentials
import SQLite
import Synchronization

/// The movable clock of a world: real time shifted by an offset, or standing still.
package final class WorldClock: Sendable {
    /// What is kept of a clock, in fixtures and in a data file.
    package struct Setting: Sendable, Equatable {
        /// Seconds that the world is ahead of real time.
        package var offsetSeconds: Double = 0
        /// The time at which the clock stands still; nil while it runs.
        package var frozenAt: Date?
        /// Whether tokens say in `iat` and `nbf` when they were really issued. When they expire is told by the world's time as ever.
        package var issuesAtRealTime = false

        package init(offsetSeconds: Double = 0, frozenAt: Date? = nil, issuesAtRealTime: Bool = false) {
            self.offsetSeconds = offsetSeconds
            self.frozenAt = frozenAt
            self.issuesAtRealTime = issuesAtRealTime
        }
    }

    /// The years that every format on the wire can say.
    package static let range =
        Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799)

    private let setting: Mutex<Setting>
    /// Held from reading the old setting to storing the new one, so that no change is lost. A lock of its own: storing takes
    /// the database's, under which ``now`` is asked for.
    private let change = Mutex(())
    private let real: @Sendable () -> Date
    private let keep: @Sendable (Setting) throws -> Void

    /// - Parameters:
    ///   - real: the time that the clock follows.
    ///   - keep: stores a changed setting before it takes effect.
    package init(
        _ setting: Setting = Setting(), real: @escaping @Sendable () -> Date,
        keep: @escaping @Sendable (Setting) throws -> Void = { _ in }
    ) {
        self.setting = Mutex(setting)
        self.real = real
        self.keep = keep
    }

    /// In whole milliseconds, as it is stored: what was written now is never later than now.
    package var now: Date { time(current) }
    package var isFrozen: Bool { current.frozenAt != nil }
    /// What a token says that is issued now.
    package var issuingTime: Date { current.issuesAtRealTime ? real() : now }
    /// Seconds that a token lies in the future in the eyes of a library with a real clock; 0 or less when it does not.
    package var secondsAhead: Double { issuingTime.timeIntervalSince(real()) }
    package var current: Setting { setting.withBriefLock { $0 } }

    /// Sets the time and says whether it stands still; `nil` leaves either as it is.
    ///
    /// - Throws: ``ClockOutOfRange``.
    package func set(now: Date?, frozen: Bool?) throws {
        try change { before in
            let time = try checked(now ?? time(before))
            let isFrozen = frozen ?? (before.frozenAt != nil)
            let offset =
                now == nil && before.frozenAt == nil ? before.offsetSeconds : time.timeIntervalSince(real())
            return Setting(
                offsetSeconds: offset, frozenAt: isFrozen ? time : nil,
                issuesAtRealTime: before.issuesAtRealTime)
        }
    }

    /// Moves the time, backwards with a negative number; a frozen clock stays frozen at the new time.
    ///
    /// - Throws: ``ClockOutOfRange``.
    package func advance(seconds: Double) throws {
        try change { before in
            _ = try checked(time(before).addingTimeInterval(seconds))
            return Setting(
                offsetSeconds: before.offsetSeconds + seconds,
                frozenAt: before.frozenAt?.addingTimeInterval(seconds),
                issuesAtRealTime: before.issuesAtRealTime)
        }
    }

    /// Real time again.
    package func release() throws {
        try change { before in Setting(issuesAtRealTime: before.issuesAtRealTime) }
    }

    /// Chooses what tokens say of the time at which they are issued.
    package func issue(atRealTime: Bool) throws {
        try change { before in
            var setting = before
            setting.issuesAtRealTime = atRealTime
            return setting
        }
    }

    private func change(_ new: (Setting) throws -> Setting) throws {
        try change.withLock { _ in
            let new = try new(current)
            try keep(new)
            setting.withBriefLock { $0 = new }
        }
    }

    /// Takes over what a database says without storing it again.
    func follow(_ new: Setting) { setting.withBriefLock { $0 = new } }

    /// Never outside of ``range``: an offset from fixtures, or real time going on, may lead there.
    private func time(_ setting: Setting) -> Date {
        let time =
            setting.frozenAt?.asStored ?? real().addingTimeInterval(setting.offsetSeconds).wholeMilliseconds
        return min(max(time, Self.range.lowerBound), Self.range.upperBound)
    }

    private func checked(_ time: Date) throws -> Date {
        guard Self.range.contains(time) else { throw ClockOutOfRange() }
        return time
    }
}

/// A time before 1970 or after 9999 was asked for.
package struct ClockOutOfRange: Refusal {
    package var explanation: String { "Expected a time from 1970 to 9999." }
}
