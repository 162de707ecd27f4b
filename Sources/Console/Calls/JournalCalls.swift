import HTTP
import PlatformKit
import Synchronization

extension Console {
    /// Bytes of entries in one answer.
    private static let journalBytes = 2 * 1024 * 1024

    /// `GET /journal?platform=&status=&path=&q=&user=&refused=&kind=&correlation=&after=&before=&limit=&wait=`: the newest entries, newest
    /// first, 2 MiB of them at most. Who asks again with the `id` of the last as `before` gets the next ones.
    ///
    /// - Response: `200 {"entries": […]}`, empty when none came within `wait` seconds.
    func listEntries(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(
            request, "platform", "status", "path", "q", "user", "refused", "kind", "correlation", "after",
            "before",
            "limit", "wait")
        var query = try Journal.Query(parameters)
        query.after = try parameters.after()
        query.before = try parameters.before()
        query.limit = try parameters.limit()
        query.byteLimit = Self.journalBytes
        let wanted = query
        return try world.journal.occasion(wanted).answer(within: parameters.wait()) {
            let found = world.journal.entries(wanted)
            return found.isEmpty ? nil : found
        } with: { found in
            try Self.list(found ?? [])
        }
    }

    /// Written a piece at a time: many clients may ask at once, and may not read what they get.
    private static func list(_ entries: [JournalEntry]) throws -> Response {
        let left = Mutex(entries[...])
        return try JSONPieces<EntryJSON>(#"{"entries":["#, "]}") {
            left.withLock { $0.popFirst() }.map { [EntryJSON($0)] }
        }
        .response()
    }

    /// `GET /journal/ID`: one entry.
    func showEntry(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let text = request.parameter("id")
        guard let id = Int(digits: text) else {
            throw ControlError.parameter("id", expected: "the whole number of an entry", given: "“\(text)”")
        }
        guard let entry = world.journal.entry(id) else {
            throw ControlError.absent(
                "The journal has no entry \(id). It keeps the newest \(Journal.entryLimit).")
        }
        return try .json(EntryJSON(entry))
    }

    /// `GET /journal.har?platform=&status=&path=&q=&user=&refused=&correlation=`: the requests that fit, as an HTTP archive.
    ///
    /// - Source: HTTP Archive 1.2, as browsers and proxies import it.
    func exportJournal(_ world: World, _ request: Request) throws -> Response {
        var query = try Journal.Query(
            Parameters(request, "platform", "status", "path", "q", "user", "refused", "correlation"))
        query.kind = .request
        var response = try Archive.response(
            world.journal, query, origin: request.origin, version: info.version)
        response.headers["Content-Disposition"] = "attachment; filename=\"\(world.name).har\""
        return response
    }

    /// `DELETE /journal`: 204.
    func clearJournal(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        world.journal.clear()
        return .noContent
    }
}
