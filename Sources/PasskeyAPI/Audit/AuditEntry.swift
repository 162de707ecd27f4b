import Essentials
import PlatformKit
import SQLite

/// A line of a tenant's audit log.
struct AuditEntry: Record, Equatable {
    static let table = Table("passkeyapi_audit_log", order: "rowid", limit: 10_000)

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_audit_log (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            tenant_id TEXT NOT NULL,
            type TEXT NOT NULL,
            meta_http_request_id TEXT NOT NULL,
            meta_source_ip TEXT NOT NULL,
            meta_user_agent TEXT NOT NULL,
            actor_user_id TEXT,
            transaction_id TEXT,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    let id: String
    let tenantID: String
    let type: AuditType
    let requestID: String
    let sourceAddress: String
    let userAgent: String
    let userID: String?
    /// The app's own id of it.
    let transactionID: String?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, type
        case tenantID = "tenant_id"
        case requestID = "meta_http_request_id"
        case sourceAddress = "meta_source_ip"
        case userAgent = "meta_user_agent"
        case userID = "actor_user_id"
        case transactionID = "transaction_id"
        case createdAt = "created_at"
    }
}

extension AuditEntry: AuditRow {
    var line: AuditLine {
        AuditLine(
            at: createdAt, event: type.rawValue, user: userID, address: sourceAddress,
            facts: [("tenant", tenantID), ("transaction", transactionID), ("request", requestID)])
    }
}

/// What the log tells of. The original writes failures as well and takes them back with everything else that the request did, so that
/// none is ever seen.
enum AuditType: String, Codable, Sendable, CaseIterable {
    case registrationBegan = "webauthn_registration_init_succeeded"
    case registrationEnded = "webauthn_registration_final_succeeded"
    case authenticationBegan = "webauthn_authentication_init_succeeded"
    case authenticationEnded = "webauthn_authentication_final_succeeded"
    case transactionBegan = "webauthn_transaction_init_succeeded"
    case transactionEnded = "webauthn_transaction_final_succeeded"
    case credentialUpdated = "webauthn_credential_updated"
    case credentialDeleted = "webauthn_credential_deleted"
    case mfaRegistrationBegan = "mfa_registration_init_succeeded"
    case mfaRegistrationEnded = "mfa_registration_final_succeeded"
    case mfaAuthenticationBegan = "mfa_authentication_init_succeeded"
    case mfaAuthenticationEnded = "mfa_authentication_final_succeeded"
}
