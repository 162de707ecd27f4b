import Essentials
import HTTP

/// The form of a new message, checked in the order in which Twilio does. *Assumed*: recipient, sender, text.
struct MessageOrder {
    /// As E.164 has it.
    let to: String
    /// Nil where the messaging service chooses.
    let from: String?
    let service: String?
    let body: String
    /// Parameters that change nothing here.
    private let ignored: [String]

    private static let mostCharacters = 1600

    /// - Throws: ``TwilioRefusal``.
    init(_ form: Form) throws(TwilioRefusal) {
        func value(_ name: String) -> String? { form[name].flatMap { $0.isEmpty ? nil : $0 } }
        for (name, what) in Self.beyond where value(name) != nil {
            throw .notEmulated(what, instead: "Leave \(name) out, and send the text as Body.")
        }
        guard let recipient = value("To") else { throw .toMissing }
        to = try Self.recipient(recipient)
        service = value("MessagingServiceSid")
        if let service, !SID.isOne(service, "MG") { throw .serviceUnknown(service) }
        let sender = value("From")
        guard sender != nil || service != nil else { throw .fromMissing }
        from = try sender.map { sender throws(TwilioRefusal) in try Self.sender(sender) }
        guard let text = value("Body") else { throw .bodyMissing }
        guard text.unicodeScalars.count <= Self.mostCharacters else {
            throw .bodyTooLong(text.unicodeScalars.count)
        }
        body = text
        ignored = ["StatusCallback", "ValidityPeriod", "SendAt", "ScheduleType", "MaxPrice"].filter {
            value($0) != nil
        }
    }

    private static let beyond = [
        ("ContentSid", "A template (ContentSid)"), ("MediaUrl", "A message with media (MediaUrl)"),
    ]

    private static func recipient(_ text: String) throws(TwilioRefusal) -> String {
        if text.contains(":") {
            throw .notEmulated(
                "The channel of “\(text)”", instead: "Only text messages are; leave the prefix out.")
        }
        guard let number = PhoneNumber.e164(text) else { throw .toInvalid(text) }
        switch number {
        case "+15005550001":
            throw .magic(21211, "The 'To' number \(number) is not a valid phone number.", number)
        case "+15005550002":
            throw .magic(
                21612,
                "The 'To' phone number: \(number), is not currently reachable using the 'From' phone number",
                number)
        case "+15005550003":
            throw .magic(
                21408,
                "Permission to send an SMS has not been enabled for the region indicated by the 'To' number: \(number)",
                number)
        case "+15005550004": throw .magic(21610, "Attempt to send to unsubscribed recipient", number)
        case "+15005550009": throw .magic(21614, "'To' number is not a valid mobile number", number)
        default: return number
        }
    }

    private static func sender(_ text: String) throws(TwilioRefusal) -> String {
        if let number = PhoneNumber.e164(text) {
            switch number {
            case "+15005550001": throw .fromInvalid(number)
            case "+15005550007":
                throw .magic(
                    21606,
                    "The 'From' phone number provided (\(number)) is not a valid message-capable Twilio phone number for this destination.",
                    number)
            case "+15005550008":
                throw .magic(
                    21611, "This 'From' number has exceeded the maximum number of queued messages", number)
            default: return number
            }
        }
        guard PhoneNumber.isShortCode(text) || PhoneNumber.isSenderName(text) else {
            throw .fromInvalid(text)
        }
        return text
    }

    /// What happened, for the journal.
    var sentence: String {
        let sender = [from, service].compactMap(\.self).joined(separator: " by ")
        var sentence =
            "Your back end sent a text message of \(body.count) characters from \(sender) to \(to)."
        if !ignored.isEmpty {
            sentence +=
                " What \(ignored.joined(separator: ", ")) asks for is not emulated: the message is there at once, and nobody is called back."
        }
        return sentence
    }

    /// The Message resource. - Parameter date: as RFC 2822 writes it.
    func resource(sid: String, account: String, date: String) -> JSONValue {
        let base = "/2010-04-01/Accounts/\(account)/Messages/\(sid)"
        return .object([
            "account_sid": .string(account), "api_version": .string("2010-04-01"), "body": .string(body),
            "date_created": .string(date), "date_sent": .null, "date_updated": .string(date),
            "direction": .string("outbound-api"), "error_code": .null, "error_message": .null,
            "from": from.map(JSONValue.string) ?? .null,
            "messaging_service_sid": service.map(JSONValue.string) ?? .null,
            "num_media": .string("0"),
            // A messaging service has not chosen its number yet.
            "num_segments": .string(service == nil ? "\(Segments.count(of: body))" : "0"),
            "price": .null, "price_unit": .null,
            "sid": .string(sid), "status": .string(service == nil ? "queued" : "accepted"),
            "subresource_uris": .object(["media": .string(base + "/Media.json")]), "to": .string(to),
            "uri": .string(base + ".json"),
        ])
    }
}
