package import PlatformKit

extension PasskeyAPI: KeepsAudit {
    package static var audit: any AuditRow.Type { AuditEntry.self }
}
