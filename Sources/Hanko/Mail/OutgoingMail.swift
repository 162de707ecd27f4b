import Essentials
import PlatformKit

/// A mail, with what the webhook `email.send` says of it beside the text.
struct OutgoingMail: Sendable {
    let message: Message
    /// `passcode` on the classic endpoints, the name of the template in flows, `security_notification`.
    let type: String
    /// What the template was filled with, such as `service_name`, `otp_code`.
    let data: [String: JSONValue]
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
