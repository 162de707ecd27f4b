import Essentials
import PlatformKit

/// A mail that tells a user of a change to the account. Source: Hanko 2.4 and later, subjects too; the sentences are our own.
struct SecurityMail: Sendable {
    /// What the webhook `email.send` calls it.
    static let type = "security_notification"

    let notification: SecurityNotification
    let serviceName: String
    let address: String
    let data: [String: String]
    let language: MailLanguage

    func outgoing() throws -> OutgoingMail {
        let texts = try MailTexts.texts(language)
        let values = data.merging(["service": serviceName]) { $1 }
        let words = try texts.mail(notification.rawValue, values)
        let warning = texts.warning.filled(with: values)
        let message = Message(
            kind: "", from: .hanko, to: Message.Address(address), subject: words.subject,
            text: "\(words.text) \(warning)\n", html: MailPage(words, language, end: warning).text,
            source: Vendor.name)
        let facts = data.merging(["template": notification.rawValue, "service_name": serviceName]) { $1 }
        return OutgoingMail(
            message: message, type: Self.type, data: facts.mapValues(JSONValue.string))
    }
}
