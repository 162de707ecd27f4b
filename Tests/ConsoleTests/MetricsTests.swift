import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct MetricsTests {
    // Prometheus, “Exposition formats”: HELP and TYPE lines before the samples of a metric, labels in braces.
    @Test func `requests are counted by platform and status, and refusals apart`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/nothing")
        _ = bench.send(.get, "/nowhere")
        let told = bench.send(.get, "/metrics")

        #expect(told.status.code == 200)
        #expect(told.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        let lines = told.text.split(separator: "\n").map(String.init)
        let place = try #require(lines.firstIndex(of: "# TYPE understudy_requests_total counter"))
        #expect(lines[place - 1].hasPrefix("# HELP understudy_requests_total "))
        #expect(lines.contains(#"understudy_requests_total{platform="acme",status="404"} 1"#))
        #expect(lines.contains(#"understudy_refusals_total{platform="acme",status="404"} 1"#))
        #expect(lines.contains(#"understudy_refusals_total{platform="",status="404"} 1"#))
        #expect(lines.contains("understudy_worlds 1"))
        #expect(lines.contains(#"understudy_info{version="1.2.3"} 1"#))
        #expect(bench.get("/metrics").text == told.text)
    }

    @Test func `where a token is asked for, figures are for those who have it`() throws {
        let bench = try ConsoleBench(token: "open-sesame")
        for path in ["/metrics", ConsoleBench.root + "/metrics"] {
            #expect(bench.send(.get, path).status.code == 401)
            #expect(
                bench.send(.get, path, headers: ["Authorization": "Bearer open-sesame"]).status.code == 200)
        }
    }

    @Test func `a label is written as the format wants it`() {
        let family = MetricFamily("a", .gauge, "Help.", [([("b", "x\"y\\z\n")], 3)])
        #expect(family.text == "# HELP a Help.\n# TYPE a gauge\na{b=\"x\\\"y\\\\z\\n\"} 3\n")
        #expect(MetricFamily("a", .gauge, "Help.", []).text == "")
    }
}
