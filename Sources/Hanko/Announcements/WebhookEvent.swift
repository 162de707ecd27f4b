/// What webhooks tell. Source: Hanko 2.7, webhooks.
enum WebhookEvent: String, Codable, Sendable, CaseIterable {
    case user
    case userLogin = "user.login"
    case userCreate = "user.create"
    case userUpdate = "user.update"
    case userDelete = "user.delete"
    case userUpdateEmail = "user.update.email"
    case userUpdateEmailCreate = "user.update.email.create"
    case userUpdateEmailPrimary = "user.update.email.primary"
    case userUpdateEmailDelete = "user.update.email.delete"
    case userUpdateUsername = "user.update.username"
    case userUpdateUsernameCreate = "user.update.username.create"
    case userUpdateUsernameUpdate = "user.update.username.update"
    case userUpdateUsernameDelete = "user.update.username.delete"
    case userUpdatePassword = "user.update.password.update"
    case emailSend = "email.send"
}
