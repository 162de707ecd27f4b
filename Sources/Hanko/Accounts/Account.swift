import PlatformKit
import SQLite

/// A user with everything that is the user's.
struct Account: Sendable, Equatable {
    let user: User
    /// In the order in which they came.
    let emails: [Email]
    let credentials: [Credential]
    let password: Password?
    let otpSecret: OTPSecret?
    let identities: [Identity]
    let metadata: Metadata

    var id: String { user.id }
    var primaryEmail: Email? { emails.first(where: \.isPrimary) }
    /// Credentials to sign in with.
    var passkeys: [Credential] { credentials.filter { !$0.isMFAOnly } }
    /// Credentials that are a second factor only.
    var securityKeys: [Credential] { credentials.filter(\.isMFAOnly) }
    var hasSecondFactor: Bool { otpSecret != nil || !securityKeys.isEmpty }
}

extension Connection {
    func account(_ id: String) throws -> Account? {
        guard let user = try user(id) else { return nil }
        return Account(
            user: user, emails: try emails(of: id), credentials: try credentials(of: id),
            password: try password(of: id), otpSecret: try otpSecret(of: id),
            identities: try all(Identity.self, where: "user_id = \(id)"), metadata: try metadata(of: id))
    }
}
