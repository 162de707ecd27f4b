import HTTP
import Mail
import PlatformKit
import Synchronization

extension Console {
    /// `GET /outbox?to=&subject=&kind=&q=&after=&limit=&wait=`: the newest messages, newest first.
    ///
    /// - Response: `200 {"messages": […]}`, empty when none came within `wait` seconds.
    func listMessages(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "to", "subject", "kind", "q", "after", "limit", "wait")
        var query = try OutboxStore.Query(parameters)
        query.after = try parameters.after()
        query.limit = try parameters.limit()
        let wanted = query
        return try world.outbox.occasion(wanted).answer(within: parameters.wait()) {
            let found = try world.outbox.ids(wanted)
            return found.isEmpty ? nil : found
        } with: { found in
            try messages(found ?? [], of: world)
        }
    }

    /// Read one at a time, while they are sent: mails may be large, and many. What is deleted meanwhile is left out.
    private func messages(_ ids: [Int], of world: World) throws -> Response {
        let left = Mutex(ids[...])
        return try JSONPieces<MessageJSON>(#"{"messages":["#, "]}") {
            guard let id = left.withLock({ $0.popFirst() }) else { return nil }
            return try world.outbox.message(id).map { [MessageJSON($0)] } ?? []
        }
        .response()
    }

    /// `GET /outbox/latest?to=&subject=&kind=&q=&after=&wait=&explain=`: the newest message that fits, as `GET /outbox/ID` shows it.
    ///
    /// - Errors: 404 when there is none after `wait` seconds.
    func latestMessage(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "to", "subject", "kind", "q", "after", "wait", "explain")
        let explains = try parameters.explains()
        var query = try OutboxStore.Query(parameters)
        query.after = try parameters.after()
        let wanted = query
        return try world.outbox.occasion(wanted).answer(within: parameters.wait()) {
            try world.outbox.newest(wanted)
        } with: { found in
            guard let found, let letter = try world.outbox.letter(found.id) else {
                throw ControlError.absent("The outbox of the world \(world.name) has no message that fits.")
            }
            return try .json(MessageJSON(letter, explains: explains))
        }
    }

    /// `GET /outbox/ID?wait=&explain=`: one message with its text; of one that came by SMTP also the attachments and every code and link, with
    /// `explain=1` why which number is the code.
    func showMessage(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "wait", "explain")
        let explains = try parameters.explains()
        return try letter(world, request, explainable: true) {
            try .json(MessageJSON($0, explains: explains))
        }
    }

    /// `GET /outbox/ID/raw?wait=`: the message as it went out.
    ///
    /// - Response: `200` with `message/rfc822`.
    func rawMessage(_ world: World, _ request: Request) throws -> Response {
        try letter(world, request) { letter in
            Response(headers: ["Content-Type": "message/rfc822"], body: letter.raw)
        }
    }

    /// `GET /outbox/ID/attachments/NUMBER?wait=`: what is attached, from 1, to be saved and never shown.
    ///
    /// - Response: `200 application/octet-stream` with the name that the mail gives; its type stands in the message.
    /// - Errors: 404 for a message or an attachment that is not there.
    func messageAttachment(_ world: World, _ request: Request) throws -> Response {
        let text = request.parameter("number")
        guard let number = Int(digits: text), number > 0 else {
            throw ControlError.parameter(
                "number", expected: "the number of an attachment, from 1", given: "“\(text.shortened)”")
        }
        return try letter(world, request) { letter in
            let attachments = letter.isFromOutside ? MIMEMail(letter.raw).attachments : []
            guard number <= attachments.count else {
                throw ControlError.absent(
                    "Message \(letter.sent.id) has \(attachments.count) attachments; there is no attachment \(number)."
                )
            }
            return Self.download(attachments[number - 1], of: letter)
        }
    }

    /// Whatever it is, no browser shows it under the console's address. Names: RFC 6266 §4.3, RFC 8187 §3.2.
    private static func download(_ attachment: MIMEMail.Attachment, of letter: Letter) -> Response {
        let name = attachment.name.utf8.map { byte in
            byte.isPlainInName
                ? String(Character(Unicode.Scalar(byte)))
                : "%" + String(byte, radix: 16, uppercase: true).padded
        }
        return Response(
            headers: [
                "Content-Type": "application/octet-stream",
                "Content-Disposition": "attachment; filename*=UTF-8''\(name.joined())",
                "Content-Security-Policy": "default-src 'none'; sandbox",
            ], body: attachment.content(in: letter.raw))
    }

    /// The letter of the path, waited for like ``message(_:_:show:)``.
    private func letter(
        _ world: World, _ request: Request, explainable: Bool = false,
        show: @escaping @Sendable (Letter) throws -> Response
    ) throws -> Response {
        try message(world, request, explainable: explainable) { sent in
            guard let letter = try world.outbox.letter(sent.id) else { throw noMessage(sent.id, in: world) }
            return try show(letter)
        }
    }

    /// `GET /outbox/ID/html?wait=`: the HTML part, which can do nothing but be looked at.
    func messageHTML(_ world: World, _ request: Request) throws -> Response {
        try message(world, request) { try Self.page(of: $0) }
    }

    private static func page(of sent: SentMessage) throws -> Response {
        guard let html = sent.message.html else {
            throw ControlError.absent("Message \(sent.id) has no HTML part.")
        }
        var response = Response.html(html)
        response.headers["Content-Security-Policy"] =
            "default-src 'none'; style-src 'unsafe-inline'; img-src data: https:; sandbox allow-popups; "
            + "frame-ancestors 'self'"
        response.headers["Referrer-Policy"] = "no-referrer"
        return response
    }

    /// `DELETE /outbox?to=`: every message, or those to one recipient; 204.
    func deleteMessages(_ world: World, _ request: Request) throws -> Response {
        if let recipient = try Parameters(request, "to").text("to") {
            try world.outbox.deleteAll(to: recipient)
        } else {
            try world.outbox.deleteAll()
        }
        return .noContent
    }

    /// `DELETE /outbox/ID`: 204, or 404.
    func deleteMessage(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let id = try request.messageID()
        guard try world.outbox.delete(id) else { throw noMessage(id, in: world) }
        return .noContent
    }

    /// `DELETE /outbox/latest`: the newest message; 204, or 404 when there is none.
    func deleteLatestMessage(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        guard let newest = try world.outbox.newest(OutboxStore.Query()), try world.outbox.delete(newest.id)
        else {
            throw ControlError.absent("The outbox of the world \(world.name) has no message.")
        }
        return .noContent
    }

    /// What `show` makes of the message of the path; the first one that is not there yet can be waited for.
    private func message(
        _ world: World, _ request: Request, explainable: Bool = false,
        show: @escaping @Sendable (SentMessage) throws -> Response
    ) throws -> Response {
        let parameters =
            explainable ? try Parameters(request, "wait", "explain") : try Parameters(request, "wait")
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
    init(_ parameters: Parameters) throws {
        self.init()
        to = parameters.text("to")
        subject = try parameters.search("subject")
        kind = parameters.text("kind")
        words = try parameters.search("q")
    }
}

extension UInt8 {
    /// `attr-char` of RFC 8187 §3.2.1, the letters and digits and the marks that names have.
    fileprivate var isPlainInName: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || self == UInt8(ascii: ".")
            || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_")
    }
}

extension String {
    /// Two hexadecimal digits.
    fileprivate var padded: String { utf8.count < 2 ? "0" + self : self }
}
