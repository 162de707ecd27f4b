import HTTP
import PlatformKit

extension Console {
    struct EntriesOutput: Encodable {
        let entries: [EntryShape]
    }

    /// Bytes of entries in one answer: many clients may ask at once, and may not read what they get.
    private static let journalBytes = 2 * 1024 * 1024

    /// `GET /journal?platform=&status=&path=&kind=&correlation=&after=&limit=&wait=`: the newest entries, newest first,
    /// 2 MiB of them at most.
    ///
    /// - Response: `200 {"entries": […]}`, empty when none came within `wait` seconds.
    func listEntries(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(
            request, "platform", "status", "path", "kind", "correlation", "after", "limit", "wait")
        var query = try Journal.Query(parameters)
        query.after = try parameters.after()
        query.limit = try parameters.limit()
        query.byteLimit = Self.journalBytes
        let wanted = query
        return try world.journal.occasion(wanted).answer(within: parameters.wait()) {
            let found = world.journal.entries(wanted)
            return found.isEmpty ? nil : found
        } with: { found in
            try .json(EntriesOutput(entries: (found ?? []).map { EntryShape($0) }))
        }
    }

    /// `DELETE /journal`: 204.
    func clearJournal(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        world.journal.clear()
        return .noContent
    }
}
