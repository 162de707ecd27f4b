import OpenID
import PlatformKit
import SQLite

extension DeviceRegistry {
    /// Writes an event of the authorization server into the audit log. Outside of any transaction.
    func note(_ audit: AuditEvent) {
        do {
            try world.change { turn in try note(audit, in: turn.db) }
        } catch {
            // The answer stands already; what could not be written down is told to the developer.
            services.journal.event(
                "audit log failed", about: audit.clientID,
                "The event \(EventType(audit.kind).rawValue) could not be written into the audit log: \(error)."
            )
        }
    }

    /// Writes an event of the authorization server into the audit log.
    func note(_ audit: AuditEvent, in db: Connection) throws {
        var event = Event(
            EventType(audit.kind), clientID: audit.clientID, subject: audit.subject,
            application: try audit.clientID.flatMap { try db.device($0)?.application }, nil, services
        )
        (event.address, event.userAgent) = (audit.address, audit.userAgent)
        try db.insert(event)
    }
}
