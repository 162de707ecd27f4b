import Essentials

/// How time ends a session. Computed when read; no timer runs.
extension DeviceSession {
    /// Seconds beyond the ping time in which a ping still counts.
    static let graceSeconds = 2

    /// Half of the ping time: when the next ping should come. 0 for a one-shot login.
    var nextPingSeconds: Int { pingTime == 0 ? 0 : max(1, pingTime / 2) }

    /// The moment at which time ends it unless something happens before, and why; nil for a session that lasts until its logout.
    var deadline: (at: Date, ending: SessionEnding)? {
        let ping = pingTime > 0 ? lastPingAt.adding(seconds: pingTime.adding(Self.graceSeconds)) : nil
        guard let appLogin = appLoginDeadline else { return ping.map { ($0, .pingTimeout) } }
        guard let ping, ping < appLogin else { return (appLogin, .appLoginTimeout) }
        return (ping, .pingTimeout)
    }

    var appLoginDeadline: Date? { appLoginTimeout.map { startedAt.adding(seconds: $0) } }

    /// When time alone will ask for a ping or end it, whichever comes first; nil when time does neither.
    var nextMoment: Date? {
        let reminder =
            pingTime > 0 && endedAt == nil && !isPingAsked ? lastPingAt.adding(seconds: nextPingSeconds) : nil
        return [reminder, deadline?.at].compactMap { $0 }.min()
    }

    /// Whether the device should be reminded to ping.
    func wantsPing(at now: Date) -> Bool {
        pingTime > 0 && endedAt == nil && !isPingAsked
            && now >= lastPingAt.adding(seconds: nextPingSeconds)
    }

    /// Whether the user was away for longer than the app allows.
    func isInactive(since activity: Date, at now: Date) -> Bool {
        guard let inactivityTimeout else { return false }
        return now.timeIntervalSince(activity) > Double(inactivityTimeout)
    }

    /// Why time ended it, in a sentence.
    func explanation(of ending: SessionEnding, at now: Date) -> String {
        switch ending {
        case .pingTimeout:
            "The last ping came \(now.seconds(since: lastPingAt)) s ago, pingTime is \(pingTime) s."
        case .appLoginTimeout:
            "The AppLogin began \(now.seconds(since: startedAt)) s ago, its timeout is \(appLoginTimeout.map(String.init) ?? "the app's") s."
        case .inactivity:
            "The user was away for longer than the inactivity timeout of "
                + "\(inactivityTimeout.map { "\($0) s" } ?? "the app")."
        case .user: "The app logged it out."
        case .server: "A back end logged it out."
        case .accountBlocked: "Its account was blocked."
        case .accountDeleted: "Its account was deleted."
        case .replaced: "Another login took its place."
        case .administrator: "It was stopped on the devices page."
        }
    }
}
