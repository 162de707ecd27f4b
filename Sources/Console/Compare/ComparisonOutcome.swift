package import Comparison
import Essentials

/// What came of a comparison.
package struct ComparisonOutcome: Sendable {
    /// Bytes of bodies that are kept of all exchanges together.
    package static let bodyBudget = 8 << 20

    let report: Report
    let faults: RecordedFaults
    /// A fixture file; nil where nothing was made.
    let made: String?
    let exchanges: [ComparedExchange]
    /// Where it was played; the first is the one whose answers are shown.
    let worlds: [String]

    package init(
        _ report: Report, _ faults: RecordedFaults, made: String?, _ exchanges: [ComparedExchange],
        worlds: [String]
    ) {
        (self.report, self.faults, self.made) = (report, faults, made)
        (self.exchanges, self.worlds) = (exchanges, worlds)
    }

    /// A file of it that can be taken along.
    struct File {
        let name: String
        let type: String
        /// For a link.
        let title: String
        let text: String
    }

    var files: [File] {
        var files = [
            File(name: "report.json", type: "application/json", title: "Report as JSON", text: report.json),
            File(
                name: "report.html", type: "text/html; charset=utf-8", title: "Report as a page",
                text: report.html),
        ]
        if !faults.rules.isEmpty {
            files.append(
                File(
                    name: "faults.json", type: "application/json", title: "Faults that answer as recorded",
                    text: faults.fixtures))
        }
        if report.differenceCount > 0 {
            files.append(
                File(
                    name: "rules.jsonl", type: "application/jsonl", title: "Rules that allow what differs",
                    text: report.acceptance))
        }
        if let made {
            files.append(
                File(
                    name: "made.json", type: "application/json", title: "Fixtures that were made", text: made)
            )
        }
        return files
    }
}
