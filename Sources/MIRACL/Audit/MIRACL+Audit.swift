package import PlatformKit

extension MIRACL: KeepsAudit {
    package static var audit: any AuditRow.Type { AuditEntry.self }
}
