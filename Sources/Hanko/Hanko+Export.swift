import Essentials
import PlatformKit
package import SQLite

extension Hanko {
    package static func export(from db: Connection) throws -> HankoFixtures {
        let (config, own) = try ConfigurationStore.export(from: db)
        let emails = Dictionary(grouping: try EmailStore.export(from: db), by: \.userID)
        return HankoFixtures(
            config: config, profile: own.profile, anyLocalhostOrigin: own.anyLocalhostOrigin,
            strictPendingAddress: own.strictPendingAddress, strictWebAuthn: own.strictWebAuthn,
            fullUserAnswers: own.fullUserAnswers,
            association: try AssociationStore.export(from: db),
            users: try UserStore.export(from: db).map { user in
                try HankoFixtures.UserFixture(user, emails: emails[user.id] ?? [], in: db)
            },
            emails: (emails[nil] ?? []).map(HankoFixtures.EmailFixture.init),
            passcodes: try PasscodeStore.export(from: db).map(HankoFixtures.PasscodeFixture.init),
            sessions: try SessionStore.export(from: db).map(HankoFixtures.SessionFixture.init),
            rateLimits: try RateLimitStore.export(from: db).map(HankoFixtures.RateLimitFixture.init),
            trustedDevices: try TrustedDeviceStore.export(from: db)
                .map(HankoFixtures.TrustedDeviceFixture.init),
            challenges: try ChallengeStore.export(from: db).map(HankoFixtures.ChallengeFixture.init),
            flows: try FlowStore.export(from: db),
            thirdPartyStates: try ThirdPartyStore.exportStates(from: db),
            thirdPartyTokens: try ThirdPartyStore.exportTokens(from: db),
            adminKey: own.adminKey,
            webhooks: try WebhookStore.all(in: db).map(HankoFixtures.WebhookFixture.init),
            auditLog: try AuditStore.export(from: db).map(HankoFixtures.AuditFixture.init))
    }
}

extension HankoFixtures.UserFixture {
    fileprivate init(_ user: User, emails: [Email], in db: Connection) throws {
        let metadata = try MetadataStore.metadata(of: user.id, in: db)
        self.init(
            id: user.id, username: user.username, name: user.name, givenName: user.givenName,
            familyName: user.familyName, picture: user.picture, pendingEmailID: user.pendingEmailID,
            createdAt: user.createdAt, updatedAt: user.updatedAt,
            emails: emails.map(HankoFixtures.EmailFixture.init),
            usernameCreatedAt: user.usernameCreatedAt, usernameUpdatedAt: user.usernameUpdatedAt,
            password: try PasswordStore.password(of: user.id, in: db)
                .map(HankoFixtures.PasswordFixture.init),
            otp: try OTPStore.secret(of: user.id, in: db).map(HankoFixtures.OTPFixture.init),
            credentials: Self.some(
                try CredentialStore.credentials(of: user.id, in: db)
                    .map(HankoFixtures.CredentialFixture.init)),
            identities: Self.some(
                try IdentityStore.identities(of: user.id, in: db).map(HankoFixtures.IdentityFixture.init)),
            metadata: metadata.isEmpty ? nil : HankoFixtures.MetadataFixture(metadata))
    }
}

extension HankoFixtures.UserFixture {
    private static func some<Entry>(_ entries: [Entry]) -> [Entry]? { entries.isEmpty ? nil : entries }
}

extension HankoFixtures.EmailFixture {
    fileprivate init(_ email: Email) {
        self.init(
            id: email.id, address: email.address, isVerified: email.isVerified, isPrimary: email.isPrimary,
            createdAt: email.createdAt, updatedAt: email.updatedAt)
    }
}

extension HankoFixtures.PasscodeFixture {
    fileprivate init(_ passcode: Passcode) {
        self.init(
            id: passcode.id, userID: passcode.userID, emailID: passcode.emailID, code: nil,
            digest: Data(passcode.digest).base64EncodedString(), ttl: passcode.ttlSeconds,
            wrongTries: passcode.wrongTries, createdAt: passcode.createdAt)
    }
}

extension HankoFixtures.SessionFixture {
    fileprivate init(_ session: Session) {
        self.init(
            id: session.id, userID: session.userID, userAgent: session.userAgent,
            ipAddress: session.ipAddress,
            createdAt: session.createdAt, updatedAt: session.updatedAt, expiresAt: session.expiresAt,
            lastUsed: session.lastUsed)
    }
}

extension HankoFixtures.RateLimitFixture {
    fileprivate init(_ row: RateLimitRow) {
        self.init(key: row.key, since: row.bucket.since, used: row.bucket.used)
    }
}
