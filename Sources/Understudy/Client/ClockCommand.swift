import Essentials
import HTTP
import HTTPClient
import PlatformKit

/// `clock`: the time of a world by hand. Every action ends by showing the new time.
enum ClockCommand {
    private struct Clock: Decodable {
        let now: String
        let frozen: Bool
        let offsetSeconds: Double
        let note: String?

        /// `+5m`, `-1h30m`, `+3d2h`: how far the clock is from real time; empty where it shows that, or stands still.
        var offset: String {
            guard !frozen, abs(offsetSeconds) >= 1 else { return "" }
            let units = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)]
            var left = Int(saturating: abs(offsetSeconds), .toNearestOrAwayFromZero)
            let parts = units.map { name, size in
                defer { left %= size }
                return left >= size ? "\(left / size)\(name)" : ""
            }
            return "  " + (offsetSeconds < 0 ? "-" : "+") + parts.joined()
        }
    }

    static func run(_ invocation: Invocation, _ terminal: Terminal) throws -> Int32 {
        let (action, arguments) = try invocation.action()
        let api = try ControlAPI(invocation, terminal)
        let response =
            switch action {
            case "set": try api.call(.put, "/clock", json: now(arguments[0]))
            case "advance": try api.call(.post, "/clock/advance", json: seconds(arguments[0]))
            case "freeze": try api.call(.put, "/clock", json: freeze(at: arguments.first))
            case "release": try api.call(.put, "/clock", json: Array(#"{"now":null,"frozen":false}"#.utf8))
            default: try api.call(.get, "/clock")
            }
        if invocation.flag(.json) {
            terminal.print(response.text)
        } else {
            let clock = try api.read(Clock.self, response)
            terminal.print(
                clock.now + clock.offset + (clock.frozen ? "  frozen" : "")
                    + (api.place.isEmpty ? "" : " " + api.place))
            if let note = clock.note { terminal.complain("understudy: " + note) }
        }
        return 0
    }

    /// A time as the control API takes it: a date alone is its midnight.
    ///
    /// - Throws: ``UsageError``.
    static func time(_ text: String) throws -> String {
        for candidate in [text, text + "Z", text + "T00:00:00Z", text.replacing(" ", with: "T") + "Z"] {
            if let date = Timestamp.parse(candidate) { return Timestamp.text(date) }
        }
        throw UsageError(
            "“\(text)” is not a time; write 2026-12-24T18:00:00Z, or 2026-12-24 for midnight (UTC)")
    }

    private static func now(_ text: String) throws -> [UInt8] {
        Array("{\"now\":\(JSONText.value(try time(text)))}".utf8)
    }

    private static func freeze(at text: String?) throws -> [UInt8] {
        guard let text else { return Array(#"{"frozen":true}"#.utf8) }
        return Array("{\"now\":\(JSONText.value(try time(text))),\"frozen\":true}".utf8)
    }

    private static func seconds(_ text: String) throws -> [UInt8] {
        guard let seconds = TimeSpan.seconds(text) else {
            throw UsageError("“\(text)” is not a valid duration; write 90s, 5m, 1h30m or -5m")
        }
        return Array("{\"seconds\":\(seconds)}".utf8)
    }
}
