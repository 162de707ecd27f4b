package import PlatformKit

extension Onegini: KeepsAudit {
    package static var audit: any AuditRow.Type { Event.self }
}
