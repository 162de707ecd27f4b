import HTTP
import PlatformKit

extension Console {
    struct MessagesOutput: Encodable {
        let messages: [MessageShape]
    }

    /// `GET /outbox?to=&subject=&kind=&after=&limit=&wait=`: the newest messages, newest first.
    ///
    /// - Response: `200 {"messages": […]}`, empty when none came within `wait` seconds.
    func listMessages(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "to", "subject", "kind", "after", "limit", "wait")
        var query = OutboxStore.Query(parameters)
        query.after = try parameters.after()
        query.limit = try parameters.limit()
        let wanted = query
        return try world.outbox.occasion(wanted).answer(within: parameters.wait()) {
            let found = try world.outbox.messages(wanted)
            return found.isEmpty ? nil : found
        } with: { found in
            try .json(MessagesOutput(messages: (found ?? []).map { MessageShape($0) }))
        }
    }

    /// `GET /outbox/ID?wait=`: one message, with its text.
    func showMessage(_ world: World, _ request: Request) throws -> Response {
        try message(world, request) { try .json(MessageShape($0)) }
    }

    /// `GET /outbox/ID/raw?wait=`: the message as it went out.
    ///
    /// - Response: `200` with `message/rfc822`.
    func rawMessage(_ world: World, _ request: Request) throws -> Response {
        try message(world, request) { sent in
            Response(headers: ["Content-Type": "message/rfc822"], body: Array(sent.raw.utf8))
        }
    }

    /// `GET /outbox/ID/html?wait=`: the HTML part, which can do nothing but be looked at.
    func messageHTML(_ world: World, _ request: Request) throws -> Response {
        try message(world, request) { try Self.page(of: $0) }
    }

    private static func page(of sent: SentMessage) throws -> Response {
        guard let html = sent.message.html else {
            throw ControlError.absent("The message \(sent.id) has no HTML part.")
        }
        var response = Response.html(html)
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; sandbox allow-popups; "
            + "frame-ancestors 'self'"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
    }

    /// `DELETE /outbox`: 204.
    func deleteMessages(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        try world.outbox.deleteAll()
        return .noContent
    }

    /// `DELETE /outbox/ID`: 204, or 404.
    func deleteMessage(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let id = try request.messageID()
        guard try world.outbox.delete(id) else { throw noMessage(id, in: world) }
        return .noContent
    }

    /// What `show` makes of the message of the path; the first one that is not there yet can be waited for.
    private func message(
        _ world: World, _ request: Request, show: @escaping @Sendable (SentMessage) throws -> Response
    ) throws -> Response {
        let parameters = try Parameters(request, "wait")
        let id = try request.messageID()
        var query = OutboxStore.Query()
        query.after = id - 1
        let behind = query
        return try world.outbox.occasion(behind).answer(within: parameters.wait()) {
            // A later one says that this one will not come any more.
            try world.outbox.message(id) ?? world.outbox.newest(behind)
        } with: { found in
            guard let found, found.id == id else { throw noMessage(id, in: world) }
            return try show(found)
        }
    }

    private func noMessage(_ id: Int, in world: World) -> ControlError {
        .absent("The outbox of the world \(world.name) has no message \(id).")
    }
}

extension OutboxStore.Query {
    /// The filters that the outbox's list and stream share.
    init(_ parameters: Parameters) {
        self.init()
        to = parameters.text("to")
        subject = parameters.text("subject")
        kind = parameters.text("kind")
    }
}
