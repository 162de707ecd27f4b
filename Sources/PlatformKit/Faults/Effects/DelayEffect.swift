import Essentials

/// The platform does what it is asked; its answer is late.
package struct DelayEffect: StrikesRequests {
    package static let key = "delay"
    package static let title = "a delay"
    package static let form = "2s, 1s..3s"
    package static let does = "delays the answer by this time"

    package var seconds: Double
    /// Up to so many seconds more, by chance.
    package var spread: Double?

    package init?(_ text: String) {
        guard let dots = text.firstRange(of: "..") else {
            guard let seconds = TimeSpan.seconds(text) else { return nil }
            self.seconds = seconds
            return
        }
        guard let least = TimeSpan.seconds(String(text[..<dots.lowerBound])),
            let most = TimeSpan.seconds(String(text[dots.upperBound...])), most > least
        else { return nil }
        (seconds, spread) = (least, most - least)
    }

    private var span: String { seconds.plain + (spread.map { " to \((seconds + $0).plain)" } ?? "") + " s" }

    package var words: String { "delays by \(span)" }
    package var phase: FaultPhase { .request(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.check(seconds: seconds, path + ["seconds"])
        try FaultBounds.check(seconds: spread, path + ["spread"])
    }

    package func strike(_ request: inout StruckRequest) {
        let more = spread.map { $0 * request.dice() } ?? 0
        request.delay = (request.delay ?? 0) + seconds + more
    }

    package func sentence(_ fault: String, _: StruckRequest) -> String {
        "The \(fault) delayed this answer by \(span)."
    }
}
