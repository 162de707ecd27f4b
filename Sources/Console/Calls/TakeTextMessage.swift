import HTTP
import Mail
import PlatformKit

extension Console {
    /// Characters of a text message's text, and of whom it goes to or comes from.
    private static let mostText = 10_000
    private static let mostAddress = 255

    /// `POST /outbox`: keeps a text message of the developer's own back end, with the code and the link that are found in it.
    ///
    /// - Request: `{"to": "+14155550100", "text": "Your code is 482913", "from"?: "Shop"}`.
    /// - Response: `201` with the message, as `GET /outbox/ID` shows it.
    /// - Errors: 400 for what is no such object; 415 for what is no JSON.
    func takeTextMessage(_ world: World, _ request: Request) throws -> Response {
        _ = try Parameters(request)
        let body = try JSONBody(request, "to", "text", "from")
        guard let to = try Self.address("to", body) else {
            throw ControlError.parameter("to", expected: Self.addressRule, given: "left out")
        }
        let message = Self.message(
            to: to, from: try Self.address("from", body) ?? "your back end", try Self.text(body))
        let sent = try world.receive(message)
        var departure = Departure(sent)
        departure.from = message.from.address
        world.services.journal.event(
            "text message received", about: to,
            "Your back end brought a text message of \(message.text.count) characters to \(to); it is message \(sent.id).",
            departures: [departure])
        guard let letter = try world.outbox.letter(sent.id) else {
            throw ControlError.absent("The message \(sent.id) was deleted at once.")
        }
        return try .json(MessageJSON(letter), status: .created)
    }

    private static func message(to: String, from: String, _ text: String) -> Message {
        let reading = MailReading(subject: "", text: text, html: nil, isWhole: false)
        return Message(
            .sms, kind: reading.kind,
            from: .init(from), to: .init(to), subject: "", text: text, code: reading.code,
            link: reading.link, source: Message.fromControl)
    }

    private static func text(_ body: JSONBody) throws -> String {
        let rule = "a text of 1 to \(mostText) characters"
        guard let text = try body.value("text", String.self, expected: rule),
            1...mostText ~= text.unicodeScalars.count
        else {
            throw ControlError.parameter(
                "text", expected: rule, given: body.has("text") ? "too short or too long" : "left out")
        }
        return text
    }

    private static let addressRule =
        "a telephone number or a name of 1 to \(mostAddress) characters, without control characters or blanks around it"

    private static func address(_ name: String, _ body: JSONBody) throws -> String? {
        guard let text = try body.value(name, String.self, expected: addressRule) else { return nil }
        guard 1...mostAddress ~= text.unicodeScalars.count, text.first?.isWhitespace == false,
            text.last?.isWhitespace == false,
            !text.unicodeScalars.contains(where: { $0.value < 0x20 || 0x7F...0x9F ~= $0.value })
        else {
            throw ControlError.parameter(name, expected: addressRule, given: "“\(text)”")
        }
        return text
    }
}
