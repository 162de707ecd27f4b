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
