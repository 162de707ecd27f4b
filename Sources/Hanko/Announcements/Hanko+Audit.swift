package import PlatformKit

extension Hanko: KeepsAudit {
    package static var audit: any AuditRow.Type { AuditEntry.self }
}
