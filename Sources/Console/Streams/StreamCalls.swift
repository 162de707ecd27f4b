import HTTP
import PlatformKit

extension Console {
    /// `GET /outbox/stream?to=&subject=&kind=&after=`: messages as they are sent, as server-sent events.
    ///
    /// - Response: `event: message`, with the message as in `GET /outbox`. `after` or `Last-Event-ID` replays what came since.
    func streamMessages(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "to", "subject", "kind", "q", "after")
        let query = try OutboxStore.Query(parameters)
        let after = try Self.cursor(request, parameters)
        return .events { writer in OutboxFeed(world.outbox, query, after: after, writer).start() }
    }

    /// `GET /journal/stream?platform=&status=&path=&q=&refused=&kind=&correlation=&after=&brief=`: entries as they are written.
    ///
    /// - Response: `event: entry`, with the entry as in `GET /journal`, or only its `id` and `at` with `brief=true`. `after` or `Last-Event-ID` replays what came since.
    func streamEntries(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(
            request, "platform", "status", "path", "q", "user", "refused", "kind", "correlation", "after",
            "brief")
        let query = try Journal.Query(parameters)
        let extent: EntryCache.Extent = try parameters.flag("brief") == true ? .brief : .whole
        let after = try Self.cursor(request, parameters)
        return .events { writer in
            JournalFeed(world.journal, query, after: after, extent, encoded, writer).start()
        }
    }

    /// Where to go on: a client that connects again says what it had last; else the parameter; nil is from now on.
    private static func cursor(_ request: Request, _ parameters: Parameters) throws -> Int? {
        let after = try parameters.after()
        guard let last = request.headers["Last-Event-ID"], !last.isEmpty else { return after }
        guard let id = Int(digits: last) else {
            throw ControlError.parameter(
                "Last-Event-ID", expected: "the id of an event", given: "“\(last)”")
        }
        return id
    }
}
