package import PlatformKit

extension PowerAuth: KeepsAudit {
    package static var audit: any AuditRow.Type { AuditRecord.self }
}
