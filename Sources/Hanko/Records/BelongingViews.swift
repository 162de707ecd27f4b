import PlatformKit

/// A passkey or security key as the console shows one.
struct CredentialView {
    static let kind = "credential"

    let credential: Credential
    let owner: String

    init(_ credential: Credential, of owner: String) { (self.credential, self.owner) = (credential, owner) }

    var record: ConsoleRecord {
        let facts: [(String, String?)] = [
            ("User id", credential.userID),
            ("Signature counter", "\(credential.signCount)"), ("AAGUID", credential.aaguid),
            ("Attestation", credential.attestationType),
            (
                "Transports",
                credential.transports.isEmpty ? nil : credential.transports.joined(separator: ", ")
            ),
            ("Backup", credential.isBackedUp ? "made" : credential.isBackupEligible ? "possible" : "none"),
            ("Last used", credential.lastUsedAt.map(Timestamp.text)),
        ]
        return ConsoleRecord(
            id: credential.id,
            title: credential.name ?? (credential.isMFAOnly ? "Security key" : "Passkey"), user: owner,
            state: credential.isMFAOnly ? "security key" : "passkey", createdAt: credential.createdAt,
            facts: ConsoleRecord.Fact.known(facts),
            actions: [ConsoleRecord.Action("delete", "Delete", isFinal: true)])
    }
}

/// An authenticator app as the console shows one. Its secret is told, so that a test can make the codes.
struct OTPView {
    static let kind = "authenticator"

    let secret: OTPSecret
    let owner: String

    init(_ secret: OTPSecret, of owner: String) { (self.secret, self.owner) = (secret, owner) }

    var record: ConsoleRecord {
        ConsoleRecord(
            id: secret.id, title: "Authenticator app", user: owner,
            state: "set up", createdAt: secret.createdAt,
            facts: [
                ConsoleRecord.Fact("Secret", secret.secret), ConsoleRecord.Fact("User id", secret.userID),
            ],
            actions: [ConsoleRecord.Action("delete", "Delete", isFinal: true)])
    }
}

/// An open session as the console shows one.
struct SessionView {
    static let kind = "session"

    let session: Session
    let owner: String

    init(_ session: Session, of owner: String) { (self.session, self.owner) = (session, owner) }

    var record: ConsoleRecord {
        let facts: [(String, String?)] = [
            ("User id", session.userID), ("User agent", session.userAgent),
            ("Address", session.ipAddress), ("Last used", Timestamp.text(session.lastUsed)),
            ("Ends", Timestamp.text(session.expiresAt)),
        ]
        return ConsoleRecord(
            id: session.id, title: "Session", user: owner,
            state: "open", createdAt: session.createdAt,
            facts: ConsoleRecord.Fact.known(facts),
            actions: [ConsoleRecord.Action("revoke", "Revoke", isFinal: true)])
    }
}
