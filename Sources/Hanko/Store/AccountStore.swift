import SQLite

/// Users with everything that is theirs.
struct AccountStore: Sendable {
    let database: Database

    func account(_ id: String) throws -> Account? { try database.read { try Self.account(id, in: $0) } }

    static func account(_ id: String, in db: Connection) throws -> Account? {
        guard let user = try UserStore.user(id, in: db) else { return nil }
        return Account(
            user: user,
            emails: try EmailStore.emails(of: id, in: db),
            credentials: try CredentialStore.credentials(of: id, in: db),
            password: try PasswordStore.password(of: id, in: db),
            otpSecret: try OTPStore.secret(of: id, in: db),
            identities: try IdentityStore.identities(of: id, in: db),
            metadata: try MetadataStore.metadata(of: id, in: db))
    }
}
