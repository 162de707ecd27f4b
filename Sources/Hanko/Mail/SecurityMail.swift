import Essentials
import PlatformKit

extension FlowStep {
    /// Mails the user's primary address that something about the account changed, where the configuration wants that.
    ///
    /// - Parameter data: what the mail is about, by the names of the webhook `email.send`: `new_email_address`,
    ///   `old_email_address`, `deleted_email_address`.
    func notify(
        _ notification: SecurityNotification, _ account: Account, _ data: [String: String] = [:]
    ) throws {
        guard configuration.securityNotifications.mails(notification),
            let address = account.primaryEmail?.address
        else { return }
        let mail = SecurityMail(
            notification: notification, serviceName: configuration.service.name, address: address,
            data: data, language: caller.language)
        try announcer.send(mail.outgoing(), in: turn)
        try audit(.securityNotificationSent, userID: account.id, address: address)
        note(
            "security notification sent", about: address,
            "The mail \(notification.rawValue) tells \(address) of the change.")
    }
}

/// A mail that tells a user of a change to the account. Source: Hanko 2.4 and later; the sentences are our own.
struct SecurityMail: Sendable {
    let notification: SecurityNotification
    let serviceName: String
    let address: String
    let data: [String: String]
    let language: MailLanguage

    func outgoing() throws -> OutgoingMail {
        let texts = try MailTexts.texts(language)
        let values = data.merging(["service": serviceName]) { $1 }
        let words = try texts.mail(notification.rawValue, values)
        let message = Message(
            kind: "", from: .hanko, to: Message.Address(address), subject: words.subject,
            text: "\(words.text) \(texts.warning.filled(with: values))\n", source: Vendor.name)
        let facts = data.merging(["template": notification.rawValue, "service_name": serviceName]) { $1 }
        return OutgoingMail(
            message: message, type: "security_notification", language: language,
            data: facts.mapValues(JSONValue.string))
    }
}
