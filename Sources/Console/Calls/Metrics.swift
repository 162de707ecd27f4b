import HTTP
import PlatformKit

extension Console {
    /// `GET /metrics`, also at the root: the figures of the program for Prometheus.
    ///
    /// - Response: `200` in the text format.
    /// - Source: Prometheus, “Exposition formats”, text format 0.0.4; names by “Metric and label naming”.
    func metrics(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        return Response(
            headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
            body: Array(metricFamilies.map(\.text).joined().utf8))
    }

    private var metricFamilies: [MetricFamily] {
        let figures = info.figures()
        let counts = info.counts.all
        func labels(_ key: RequestCounts.Key) -> [(String, String)] {
            [("platform", key.platform ?? ""), ("status", String(key.status))]
        }
        let requests = counts.map { (labels($0.key), $0.count.all) }
        let refused = counts.filter { $0.count.refused > 0 }.map { (labels($0.key), $0.count.refused) }
        let all = worlds.list()
        return [
            MetricFamily("understudy_info", .gauge, "The program.", [([("version", info.version)], 1)]),
            MetricFamily(
                "understudy_requests_total", .counter, "Requests to platforms that were answered.", requests),
            MetricFamily(
                "understudy_refusals_total", .counter,
                "Those of them that were refused: with a status from 400, or by an error that a redirect carries.",
                refused),
            MetricFamily("understudy_worlds", .gauge, "Worlds that there are.", [([], all.count)]),
            MetricFamily(
                "understudy_worlds_live", .gauge, "Worlds that are open.",
                [([], all.count { $0.live != nil })]),
            MetricFamily("understudy_connections", .gauge, "Open connections.", [([], figures.connections)]),
            MetricFamily(
                "understudy_waiting_requests", .gauge,
                "Requests whose answers are waited for, such as long polls.",
                [([], figures.waiting)]),
            MetricFamily(
                "understudy_handler_threads", .gauge, "Threads that run handlers.", [([], figures.threads)]),
            MetricFamily(
                "understudy_held_bytes", .gauge, "Memory that is booked for bodies and answers.",
                [([], figures.heldBytes)]),
            MetricFamily(
                "process_resident_memory_bytes", .gauge, "Memory that the process has.",
                figures.residentBytes.map { [([], $0)] } ?? []),
        ]
    }
}

/// One metric with its samples.
struct MetricFamily {
    enum Kind: String {
        case counter, gauge
    }

    private let name: String
    private let kind: Kind
    private let help: String
    private let samples: [(labels: [(String, String)], value: Int)]

    init(_ name: String, _ kind: Kind, _ help: String, _ samples: [(labels: [(String, String)], value: Int)])
    {
        (self.name, self.kind, self.help, self.samples) = (name, kind, help, samples)
    }

    /// Lines with their ends; none without a sample.
    var text: String {
        if samples.isEmpty { return "" }
        let lines = samples.map { labels, value in
            let pairs = labels.map { "\($0)=\"\(Self.escaped($1))\"" }.joined(separator: ",")
            return name + (pairs.isEmpty ? "" : "{\(pairs)}") + " \(value)\n"
        }
        return "# HELP \(name) \(help)\n# TYPE \(name) \(kind.rawValue)\n" + lines.joined()
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
