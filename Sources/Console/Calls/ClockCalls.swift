import Essentials
import HTTP
import PlatformKit

extension Console {
    struct ClockOutput: Encodable {
        let now: String
        let frozen: Bool

        init(_ clock: WorldClock) {
            now = Timestamp.text(clock.now)
            frozen = clock.isFrozen
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
    /// - Request: `{"now"?, "frozen"?}`, at least one of them; `"now": null` is the real time, and the clock runs unless
    ///   `frozen` says otherwise.
    /// - Response: as `GET /clock`.
    func setClock(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "now", "frozen")
        let now = try body.time("now")
        let frozen = try body.value("frozen", Bool.self, expected: "true or false")
        guard body.isNull("now") || now != nil || frozen != nil else {
            throw ControlError.bodyMalformed("Give \"now\", \"frozen\" or both.")
        }
        if body.isNull("now") { try world.clock.release() }
        if now != nil || frozen != nil { try world.clock.set(now: now, frozen: frozen) }
        let clock = ClockOutput(world.clock)
        world.services.changes.ring()
        world.services.journal.event(
            "clock set", "The clock was set to \(clock.now) and \(clock.frozen ? "stands still" : "runs").")
        return try .json(clock)
    }

    /// `POST /clock/advance`: moves the time, backwards with a negative number.
    ///
    /// - Request: `{"seconds": 300}`, at most 100 years.
    /// - Response: as `GET /clock`.
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
        try world.clock.advance(seconds: seconds)
        world.services.changes.ring()
        let way = seconds < 0 ? "back" : "forward"
        world.services.journal.event(
            "clock moved", "The clock was moved \(way) by \(Self.plain(abs(seconds))) s.")
        return try .json(ClockOutput(world.clock))
    }

    /// `300` rather than `300.0`.
    private static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
