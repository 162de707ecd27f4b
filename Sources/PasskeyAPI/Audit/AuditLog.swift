import HTTP
import PlatformKit

/// Writes what a request did into the audit log of its tenant, where that is kept.
struct AuditLog {
    let tenant: Tenant
    let request: Request
    let services: Services

    func note(_ type: AuditType, user: String? = nil, transaction: String? = nil, in turn: Turn) throws {
        guard tenant.storesAuditLog else { return }
        try turn.insert(
            AuditEntry(
                id: services.entropy.uuid(for: "passkeyapi.audit"), tenantID: tenant.id, type: type,
                requestID: request.id, sourceAddress: request.peer.address,
                userAgent: request.headers["User-Agent"] ?? "", userID: user, transactionID: transaction,
                createdAt: turn.now))
    }
}
