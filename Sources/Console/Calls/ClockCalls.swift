import Essentials
import HTTP
import Phone
import PlatformKit

extension Console {
    struct ClockOutput: Encodable {
        let now: String
        let frozen: Bool
        /// Seconds that the world is ahead of real time; of a clock that stands still, those when it was stopped or set.
        let offsetSeconds: Double
        /// What people read of the two: `+1 day 2 h`, `frozen`; nil for the real time.
        let shift: String?
        /// `real` where tokens say real time; nil else.
        let tokenTimes: String?
        /// What to know of the change; nil without one.
        var note: String?

        init(_ clock: WorldClock) {
            now = Timestamp.text(clock.now)
            let setting = clock.current
            frozen = setting.frozenAt != nil
            offsetSeconds = setting.offsetSeconds
            shift = ClockWords.shift(setting)
            tokenTimes = setting.issuesAtRealTime ? "real" : nil
        }

        /// The answer to a change.
        init(changed clock: WorldClock) {
            self.init(clock)
            let ahead = clock.secondsAhead.rounded()
            guard ahead >= 1 else { return }
            note =
                "Tokens issued now have an iat that lies \(Console.plain(ahead)) s in the future for a library with a real clock, and "
                + "many refuse that. PUT /clock {\"tokenTimes\": \"real\"} puts the real time into iat and nbf; expiry still follows the world."
        }
    }

    /// Years either way that a clock can be moved at once.
    private static let advanceLimit = 100 * 365.25 * 86_400
    private static let steps = "a number of seconds, at most 3155760000 (100 years) either way"

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
        var wish = ClockRequest(isReal: body.isNull("now"), now: try body.time("now"))
        wish.isFrozen = try body.value("frozen", Bool.self, expected: "true or false")
        let times = try body.value("tokenTimes", String.self, expected: "world or real")
        guard wish.isReal || wish.now != nil || wish.isFrozen != nil || times != nil else {
            throw ControlError.bodyMalformed("Give “now”, “frozen” or “tokenTimes”.")
        }
        if let times, times != "world", times != "real" {
            throw ControlError.parameter("tokenTimes", expected: "world or real", given: times)
        }
        wish.tokensTellRealTime = times.map { $0 == "real" }
        return try .json(setClock(of: world, wish))
    }

    /// How a clock shall be; what is nil stays as it is.
    struct ClockRequest {
        /// Whether it shows the real time again.
        var isReal = false
        var now: Date?
        var isFrozen: Bool?
        var tokensTellRealTime: Bool?
    }

    /// - Throws: `ClockOutOfRange`.
    @discardableResult func setClock(of world: World, _ wish: ClockRequest) throws -> ClockOutput {
        if wish.isReal { try world.clock.release() }
        if wish.now != nil || wish.isFrozen != nil {
            try world.clock.set(now: wish.now, frozen: wish.isFrozen)
        }
        if let isReal = wish.tokensTellRealTime { try world.clock.issue(atRealTime: isReal) }
        let clock = ClockOutput(changed: world.clock)
        world.clockMoved()
        world.services.journal.event(
            "clock set", "The clock was set to \(clock.now) and \(clock.frozen ? "stands still" : "runs").")
        return clock
    }

    /// `POST /clock/advance`: moves the time, backwards with a negative number. Phones that keep alive send their pings on the way.
    ///
    /// - Request: `{"seconds": 300}`, at most 100 years.
    /// - Response: as `PUT /clock`.
    func advanceClock(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "seconds")
        guard let seconds = try body.value("seconds", Double.self, expected: Self.steps) else {
            throw ControlError.parameter("seconds", expected: Self.steps, given: "left out")
        }
        return try advanceClock(of: world, seconds: seconds, at: request.ownURL) { try .json($0) }
    }

    /// - Parameters:
    ///   - ownURL: where phones that keep alive send their pings.
    ///   - answer: made when the clock stands where it shall, which phones may delay.
    /// - Throws: ``ControlError``; `ClockOutOfRange`.
    func advanceClock(
        of world: World, seconds: Double, at ownURL: String,
        then answer: @escaping @Sendable (ClockOutput) throws -> Response
    ) throws -> Response {
        guard abs(seconds) <= Self.advanceLimit else {
            throw ControlError.parameter("seconds", expected: Self.steps, given: "\(seconds)")
        }
        return try phones.advance(world, by: seconds, at: ownURL) {
            let way = seconds < 0 ? "back" : "forward"
            world.services.journal.event(
                "clock moved", "The clock was moved \(way) by \(Self.plain(abs(seconds))) s.")
            return try answer(ClockOutput(changed: world.clock))
        }
    }

    /// `300` rather than `300.0`.
    fileprivate static func plain(_ number: Double) -> String {
        Int(exactly: number).map(String.init) ?? "\(number)"
    }
}
