import PlatformKit

extension PortalSettings {
    /// - Throws: `FixtureProblem` for values that make no sense.
    func check() throws {
        if let tokenServer, !tokenServer.hasPrefix("http://"), !tokenServer.hasPrefix("https://") {
            throw FixtureProblem(
                at: ["portal", "token_server"],
                "expected a URL such as “https://token-server.example.com/oauth”, found “\(tokenServer)”")
        }
        try check(takeUpSeconds, 1...86_400, "take_up_seconds")
        try check(sessionSeconds, 1...31_536_000, "session_seconds")
    }

    private func check(_ seconds: Int, _ range: ClosedRange<Int>, _ member: String) throws {
        guard range.contains(seconds) else {
            throw FixtureProblem(
                at: ["portal", member],
                "expected \(range.lowerBound) to \(range.upperBound), found \(seconds)")
        }
    }
}
