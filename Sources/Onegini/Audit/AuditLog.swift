import HTTP
import OpenID
import PlatformKit
import SQLite

/// The audit log of a world. What belongs to a change is inserted as an ``Event`` in its turn; here stands what has a turn of its own.
struct AuditLog: Sendable {
    let world: World

    init(_ world: World) { self.world = world }

    /// Writes one event.
    func note(_ event: Event) throws {
        try world.change { turn in try turn.insert(event) }
    }

    /// Runs `body`; what it refuses is written into the audit log, and thrown on.
    func auditing<Value>(
        _ request: Request, clientID: String? = nil, subject: String? = nil, application: String? = nil,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let refusal as any AuditedRefusal {
            if let type = refusal.event as? EventType {
                try note(
                    Event(
                        type, clientID: clientID, subject: subject, application: application, request,
                        world.services))
            }
            throw refusal
        }
    }
}

// MARK: - Events of the authorization server

extension AuditLog {
    /// Outside of any transaction.
    func note(_ audit: AuditEvent) {
        do {
            try world.change { turn in try note(audit, in: turn.db) }
        } catch {
            // The answer stands already; what could not be written down is told to the developer.
            world.services.journal.event(
                "audit log failed", about: audit.clientID,
                "The event \(EventType(audit.kind).rawValue) could not be written into the audit log: \(error)."
            )
        }
    }

    func note(_ audit: AuditEvent, in db: Connection) throws {
        var event = Event(
            EventType(audit.kind), clientID: audit.clientID, subject: audit.subject,
            application: try application(of: audit, in: db), nil, world.services)
        (event.address, event.userAgent) = (audit.address, audit.userAgent)
        try db.insert(event)
    }

    /// Of a device's client; the others have none, and are the many.
    private func application(of audit: AuditEvent, in db: Connection) throws -> String? {
        let kind = audit.clientKind ?? DeviceRegistry.clientKind
        guard let id = audit.clientID, kind == DeviceRegistry.clientKind else { return nil }
        return try db.device(id)?.application
    }
}
