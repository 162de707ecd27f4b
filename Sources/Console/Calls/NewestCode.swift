import Essentials
import HTTP
import PlatformKit

extension Console {
    /// Written by hand, since thousands may wait for the same code: an encoder takes a third of the time of their answers.
    private static func output(of sent: SentMessage) -> Response {
        let message = sent.message
        var writer = JSONObjectWriter()
        writer.add("code", message.code.map(JSONValue.string))
        writer.add("expiresAt", message.expiresAt.map { .string(Timestamp.text($0)) })
        writer.add("id", .integer(sent.id))
        writer.add("kind", .string(message.kind))
        writer.add("link", message.link.map(JSONValue.string))
        writer.add("sentAt", .string(Timestamp.text(sent.sentAt)))
        writer.add("source", .string(message.source))
        writer.add("to", .string(message.to.address))
        writer.add("usedAt", sent.usedAt.map { .string(Timestamp.text($0)) })
        return Response(headers: ["Content-Type": "application/json"], body: writer.bytes)
    }

    /// `GET /codes?to=&kind=&after=&used=&wait=`: the newest code or link that was sent and can still be used; with `used=true` also one
    /// that was used up or has expired.
    ///
    /// - Response: `200 {"id", "kind", "to", "code"?, "link"?, "sentAt", "expiresAt"?, "usedAt"?, "source"}`.
    /// - Errors: 404 when there is none after `wait` seconds, saying who has codes.
    func newestCode(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "to", "kind", "after", "used", "wait")
        var query = OutboxStore.Query()
        query.to = parameters.text("to")
        query.kind = parameters.text("kind")
        query.after = try parameters.after()
        query.hasCode = true
        let mayBeUsed = try parameters.flag("used") ?? false
        let wanted = query
        return try world.outbox.occasion(wanted).answer(within: parameters.wait()) { mayShare in
            var usable = wanted
            usable.usableAt = mayBeUsed ? nil : world.clock.now
            return Look(try world.outbox.newest(usable, mayShare: mayShare))
        } with: { sent in
            guard let sent else { throw ControlError.absent(try noCode(wanted, in: world)) }
            return Self.output(of: sent)
        }
    }

    /// What was looked for, and who does have codes.
    private func noCode(_ query: OutboxStore.Query, in world: World) throws -> String {
        let wanted =
            (query.kind.map { " of kind “\($0.shortened)”" } ?? "")
            + (query.to.map { " for \($0.shortened)" } ?? "")
            + (query.after.map { " after message \($0)" } ?? "")
        let old = try world.outbox.newest(query).map { sent in
            "The newest one sent there, message \(sent.id), "
                + (sent.usedAt.map { "was used up at \(Timestamp.text($0))" }
                    ?? "expired at \(sent.message.expiresAt.map(Timestamp.text) ?? "an unknown time")")
                + "; used=true, or --used in a shell, returns it anyway."
        }
        if let old { return "The world \(world.name) has no code\(wanted) that can still be used. \(old)" }
        var all = OutboxStore.Query()
        all.hasCode = true
        var recipients: [String] = []
        for sent in try world.outbox.messages(all) where !recipients.contains(sent.message.to.address) {
            recipients.append(sent.message.to.address)
        }
        let known =
            recipients.isEmpty
            ? "nobody has one" : "there are codes for " + recipients.prefix(10).joined(separator: ", ")
        return "The world \(world.name) has no code\(wanted); \(known)"
            + (recipients.count > 10 ? " and \(recipients.count - 10) more." : ".")
    }
}
