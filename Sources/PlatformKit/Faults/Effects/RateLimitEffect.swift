package import Essentials
import HTTP

/// What comes beyond it is answered with 429 and `Retry-After`, by the world's clock.
package struct RateLimitEffect: StrikesRequests {
    package static let key = "rate_limit"
    package static let title = "a rate limit"
    package static let form = "10/60s"
    package static let does = "answers requests beyond this rate with 429 and Retry-After"

    package var requests: Int
    package var seconds: Double

    package init?(_ text: String) {
        guard let rate = FaultBounds.rate(text) else { return nil }
        (requests, seconds) = rate
    }

    package var words: String { "lets \(requests.counted("request")) pass each \(seconds.plain) s" }
    package var phase: FaultPhase { .request(self) }

    package func check(at path: [String]) throws {
        try FaultBounds.require(0...1_000_000, requests, path + ["requests"])
        try FaultBounds.check(seconds: seconds, path + ["seconds"])
    }

    /// The window begins with the first request behind the last one.
    package func spares(_ window: inout FaultWindow?, at now: Date) -> Bool {
        var open = window ?? FaultWindow(beganAt: now, requests: 0)
        if !(0..<seconds).contains(now.timeIntervalSince(open.beganAt)) {
            open = FaultWindow(beganAt: now, requests: 0)
        }
        open.requests.increment()
        window = open
        return open.requests <= requests
    }

    /// Whole seconds until the window is over, at least 1.
    private func secondsToWait(_ request: StruckRequest) -> Int {
        guard let window = request.window else { return 1 }
        return max(1, Int(saturating: seconds - request.now.timeIntervalSince(window.beganAt), .up))
    }

    package func strike(_ request: inout StruckRequest) {
        let wait = secondsToWait(request)
        request.verdict = .answer { error in
            var response = try error(.tooManyRequests)
            response.headers["Retry-After"] = String(wait)
            return response
        }
    }

    package func sentence(_ fault: String, _ request: StruckRequest) -> String {
        "The \(fault) answered: more than \(requests.counted("request")) came within \(seconds.plain) s; the next passes in "
            + "\(secondsToWait(request)) s."
    }
}
