import Essentials
import HTTP
import PlatformKit

/// A mail, with what the webhook `email.send` says of it beside the text.
struct OutgoingMail: Sendable {
    let message: Message
    /// `passcode` on the classic endpoints, the name of the template in flows, `security_notification`.
    let type: String
    let language: MailLanguage
    /// What the template was filled with, such as `service_name`, `otp_code`.
    let data: [String: JSONValue]
}

/// The payload of the webhook `email.send`.
struct MailAnnouncement: Encodable, Sendable {
    let mail: OutgoingMail
    let acceptLanguage: String
    let isDelivered: Bool

    init(_ mail: OutgoingMail, _ request: Request, isDelivered: Bool) {
        self.mail = mail
        acceptLanguage = request.headers["X-Language"] ?? request.headers["Accept-Language"] ?? ""
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
        try members.encode(mail.language.rawValue, forKey: .language)
        try members.encode(mail.type, forKey: .type)
        try members.encode(mail.data, forKey: .data)
    }
}

/// Mails that tell users of a change to their account. Source: Hanko 2.4 and later.
enum SecurityNotification: String, Codable, Sendable, CaseIterable {
    case emailCreate = "email_create"
    case emailDelete = "email_delete"
    case passwordUpdate = "password_update"
    case passkeyCreate = "passkey_create"
    case primaryEmailUpdate = "primary_email_update"
    case mfaCreate = "mfa_create"
    case mfaDelete = "mfa_delete"
}
