import Comparison
import Essentials
import HTTP
import PlatformKit

extension Console {
    /// `GET /comparison?wait=`: how far the comparison of this program is, with its report when it is done.
    ///
    /// - Request: `wait`: seconds in which one under way may end.
    /// - Response: `200 {"state": "none" | "running" | "failed" | "done", …}`.
    func showComparison(_: World, _ request: Request) throws -> Response {
        let seconds = try Parameters(request, "wait").wait()
        return try comparisons.bell.occasion().answer(within: seconds) { [comparisons] in
            if case .running = comparisons.state { return nil }
            return comparisons.state
        } with: { [comparisons] ended in
            Response(
                headers: ["Content-Type": "application/json"],
                body: (ended ?? comparisons.state).json.bytes)
        }
    }

    /// `POST /comparison?platform=&base=&rules=&asIs=&name=`: plays a recording of real services in two worlds that are made for it.
    ///
    /// - Request: an HTTP archive of 16 MiB and 2,000 requests at most. `platform` and `base` as for `understudy compare`, several divided by commas;
    ///   `rules`: lines of known differences.
    /// - Response: `202 {"state": "running", …}`.
    /// - Errors: 409 while another one runs.
    func startComparison(_: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "base", "rules", "asIs", "name")
        var order = ComparisonOrder()
        order.recording = try JSONBody.text(request)
        // All of it is read by the one who plays it, while the client has its answer already.
        guard order.recording.first(where: { $0 > 0x20 }) == UInt8(ascii: "{") else {
            throw ControlError.bodyMalformed("The body is no HTTP archive: it must be a JSON object.")
        }
        order.name = parameters.text("name") ?? order.name
        order.platforms = ComparisonOrder.list(parameters.text("platform") ?? "")
        order.bases = ComparisonOrder.list(parameters.text("base") ?? "")
        order.rules = parameters.text("rules") ?? ""
        order.isAsIs = try parameters.flag("asIs") ?? false
        try comparisons.start(order)
        return Response(
            status: .accepted, headers: ["Content-Type": "application/json"],
            body: comparisons.state.json.bytes)
    }

    /// `DELETE /comparison`: stops the comparison under way, or forgets the last one and deletes its worlds; 204.
    func discardComparison(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        comparisons.discard()
        return .noContent
    }

    /// `GET /comparison/FILE`: `report.json`, `report.html`, `faults.json`, `rules.jsonl` or `made.json` of the last comparison.
    func comparisonFile(_: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let name = request.parameter("file")
        guard case .done(_, let outcome) = comparisons.state else {
            throw ControlError.absent("There is no comparison that is done.")
        }
        guard let file = outcome.files.first(where: { $0.name == name }) else {
            throw ControlError.absent(
                "The comparison has no file “\(name.shortened)”, only "
                    + outcome.files.map(\.name).joined(separator: ", ") + ".")
        }
        var response = Response(headers: ["Content-Type": file.type], body: Array(file.text.utf8))
        response.headers["Content-Disposition"] = "attachment; filename=\"\(file.name)\""
        return response
    }
}

extension ComparisonOrder {
    /// Entries between commas and line breaks.
    static func list(_ text: String) -> [String] {
        text.split(whereSeparator: { $0 == "," || $0.isNewline }).map { String($0).trimmed }
            .filter { !$0.isEmpty }
    }
}

extension ComparisonCenter.State {
    var json: JSONValue {
        switch self {
        case .none: ["state": "none"]
        case .running(let job):
            [
                "state": "running", "name": .string(job.order.name), "done": .integer(job.count.done),
                "total": .integer(job.count.total),
            ]
        case .failed(let name, let sentence):
            ["state": "failed", "name": .string(name), "reason": .string(sentence)]
        case .done(let name, let outcome):
            [
                "state": "done", "name": .string(name), "worlds": JSONValue(outcome.worlds),
                "files": JSONValue(outcome.files.map(\.name)), "report": outcome.report.value,
            ]
        }
    }
}
