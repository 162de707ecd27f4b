import Testing

@testable import Comparison

@Suite struct ReportTests {
    private static func finding(_ number: Int, recorded: String) throws -> Finding {
        var recording = SmallRecording()
        for _ in 1...number { recording.add("GET", "http://localhost:8420/w/rec/hanko/config") }
        let exchange = try recording.exchanges[number - 1]
        return Finding(
            exchange, route: "GET /hanko/config", platform: "hanko",
            .differs([Difference(.value, "body most", recorded: recorded, ours: "5", "")]))
    }

    @Test func `a rule for one value allows no other one`() throws {
        let rules = try Rules("{\"place\":\"body most\",\"recorded\":\"7\"}\r\n\r\n")
        let findings = [try Self.finding(1, recorded: "7"), try Self.finding(2, recorded: "0")]
        let report = Report(findings, RouteBook([]), rules: rules)
        #expect(report.differenceCount == 1)
        #expect(report.routes[0].seen.map(\.numbers) == [[1], [2]])
        #expect(Report([findings[0]], RouteBook([]), rules: rules).differenceCount == 0)
    }
}
