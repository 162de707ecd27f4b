import Comparison
import Console
import Essentials
import PlatformKit

/// A comparison as a running server plays it for its console.
struct ServedComparison {
    let place: ComparisonPlace
    /// Whether mail goes on to a real mail server, which would bring it to the people of the recording.
    let handsMailOn: Bool

    /// - Throws: `ComparisonFailure`, and what a world throws.
    func outcome(of job: ComparisonJob) throws -> ComparisonOutcome {
        guard !handsMailOn else {
            throw ComparisonFailure(
                "This server hands its mail on (--smtp-relay), and would write to the people of the recording. Use understudy compare."
            )
        }
        do {
            return try play(job)
        } catch let error as RecordingUnreadable {
            throw ComparisonFailure("\(error).")
        } catch let error as UsageError {
            throw ComparisonFailure("\(error.message).")
        } catch let failure as Failure {
            throw ComparisonFailure("\(failure.message).")
        }
    }

    private func play(_ job: ComparisonJob) throws -> ComparisonOutcome {
        let order = job.order
        let wish = try ComparisonWish(platforms: order.platforms, bases: order.bases)
        let rules = try Rules(order.rules)
        let exchanges = try HARReader.exchanges(in: order.recording)
        guard exchanges.count <= ComparisonOrder.requestLimit else {
            throw ComparisonFailure(
                "The recording has \(exchanges.count) requests, more than the \(ComparisonOrder.requestLimit) that a server plays; understudy compare plays more."
            )
        }
        let run = ComparisonRun(
            exchanges: exchanges, book: wish.book, bases: try wish.bases(of: exchanges), rules: rules,
            isAsIs: order.isAsIs)
        var (shown, budget): ([ComparedExchange], Int) = ([], ComparisonOutcome.bodyBudget)
        try job.advance(to: 0, of: exchanges.count)
        let (report, made) = try run.report(at: place, note: job.note) { played in
            shown.append(ComparedExchange(played, budget: &budget))
            try job.advance(to: shown.count, of: exchanges.count)
        }
        guard !report.isEmpty else {
            throw ComparisonFailure(
                exchanges.isEmpty
                    ? "The recording has no requests."
                    : "None of its requests goes to a service that is emulated; say where it stood.")
        }
        return ComparisonOutcome(
            report, report.faults(as: exchanges),
            made: made.isEmpty ? nil : Made.file(made).text + "\n", shown, worlds: job.worlds)
    }
}
