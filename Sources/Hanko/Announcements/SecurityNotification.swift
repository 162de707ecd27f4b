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
