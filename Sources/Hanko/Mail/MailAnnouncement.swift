import Essentials
import HTTP
import PlatformKit

/// The payload of the webhook `email.send`.
struct MailAnnouncement: Encodable, Sendable {
    let mail: OutgoingMail
    let language: String
    let acceptLanguage: String
    let isDelivered: Bool

    /// As the client sent them: flows know `X-Language` alone, the classic endpoints `Accept-Language`; a security notification tells the
    /// former as `language` and nothing as `accept_language`. Source: Hanko 2.7 and 3.x.
    init(_ mail: OutgoingMail, _ request: Request, isDelivered: Bool) {
        self.mail = mail
        let isClassic = mail.type == PasscodeMail.classic
        language = request.headers[isClassic ? "Accept-Language" : "X-Language"] ?? ""
        acceptLanguage = mail.type == SecurityMail.type ? "" : language
        self.isDelivered = isDelivered
    }

    enum CodingKeys: String, CodingKey {
        case subject
        case text = "body_plain"
        case html = "body"
        case to = "to_email_address"
        case isDelivered = "delivered_by_hanko"
        case acceptLanguage = "accept_language"
        case language, type, data
    }

    func encode(to encoder: any Encoder) throws {
        var members = encoder.container(keyedBy: CodingKeys.self)
        try members.encode(mail.message.subject, forKey: .subject)
        try members.encode(mail.message.text, forKey: .text)
        try members.encodeIfPresent(mail.message.html, forKey: .html)
        try members.encode(mail.message.to.address, forKey: .to)
        try members.encode(isDelivered, forKey: .isDelivered)
        try members.encode(acceptLanguage, forKey: .acceptLanguage)
        try members.encode(language, forKey: .language)
        try members.encode(mail.type, forKey: .type)
        try members.encode(mail.data, forKey: .data)
    }
}
