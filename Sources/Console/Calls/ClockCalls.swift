import Essentials
import HTTP
import Phone
import PlatformKit

extension Console {
    struct ClockOutput: Encodable {
        let now: String
        let frozen: Bool
        /// `real` where tokens say real time; nil else.
        let tokenTimes: String?
        /// What to know of the change; nil without one.
        var note: String?

        init(_ clock: WorldClock) {
            now = Timestamp.text(clock.now)
            frozen = clock.isFrozen
            tokenTimes = clock.current.issuesAtRealTime ? "real" : nil
        }

        /// The answer to a change.
        init(changed clock: WorldClock) {
            self.init(clock)
            let ahead = clock.secondsAhead.rounded()
            guard ahead >= 1 else { return }
            note =
                "Tokens that are issued now say an iat that is \(Console.plain(ahead)) s in the future for a library with a real clock, and "
                + "many refuse that. With PUT /clock {\"tokenTimes\": \"real\"} iat and nbf say real time, and expiry obeys the world."
        }
    }

    /// Years either way that a clock can be moved at once.
    private static let advanceLimit = 100 * 365.25 * 86_400

    /// `GET /clock`: the world's time.
    ///
    /// - Response: `200 {"now": "2026-01-02T03:04:05.000Z", "frozen": false}`.
    func showClock(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return try .json(ClockOutput(world.clock))
    }

    /// `PUT /clock`: sets the time, stops it, lets it run.
    ///
    /// - Request: `{"now"?, "frozen"?, "tokenTimes"?}`, at least one of them; `"now": null` is the real time, and the clock runs unless
    ///   `frozen` says otherwise. `"tokenTimes": "real"` lets `iat` and `nbf` say real time, `"world"` the world's.
    /// - Response: as `GET /clock`, with a `note` while tokens lie in the future for libraries with a real clock.
    func setClock(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "now", "frozen", "tokenTimes")
        let now = try body.time("now")
        let frozen = try body.value("frozen", Bool.self, expected: "true or false")
        let times = try body.value("tokenTimes", String.self, expected: "world or real")
        guard body.isNull("now") || now != nil || frozen != nil || times != nil else {
            throw ControlError.bodyMalformed("Give \"now\", \"frozen\" or \"tokenTimes\".")
        }
        if let times, times != "world", times != "real" {
            throw ControlError.parameter("tokenTimes", expected: "world or real", given: times)
        }
        if body.isNull("now") { try world.clock.release() }
        if now != nil || frozen != nil { try world.clock.set(now: now, frozen: frozen) }
        if let times { try world.clock.issue(atRealTime: times == "real") }
        let clock = ClockOutput(changed: world.clock)
        world.clockMoved()
        phones.clockMoved(in: world)
        world.services.journal.event(
            "clock set", "The clock was set to \(clock.now) and \(clock.frozen ? "stands still" : "runs").")
        return try .json(clock)
    }

    /// `POST /clock/advance`: moves the time, backwards with a negative number. Phones that keep alive send their pings on the way.
    ///
    /// - Request: `{"seconds": 300}`, at most 100 years.
    /// - Response: as `PUT /clock`.
    func advanceClock(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "seconds")
        let expected = "a number of seconds, at most 3155760000 (100 years) either way"
        guard let seconds = try body.value("seconds", Double.self, expected: expected) else {
            throw ControlError.parameter("seconds", expected: expected, given: "left out")
        }
        guard abs(seconds) <= Self.advanceLimit else {
            throw ControlError.parameter("seconds", expected: expected, given: "\(seconds)")
        }
        return try phones.advance(world, by: seconds, at: request.ownURL) {
            let way = seconds < 0 ? "back" : "forward"
            world.services.journal.event(
                "clock moved", "The clock was moved \(way) by \(Self.plain(abs(seconds))) s.")
            return try .json(ClockOutput(changed: world.clock))
        }
    }

    /// `300` rather than `300.0`.
    fileprivate static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
