import OpenID
import SQLite
import Synchronization

/// Keeps what the server tells an audit.
final class Recorder: ServerExtension {
    private let kept = Mutex<[AuditEvent]>([])

    var events: [AuditEvent] { kept.withLock { $0 } }

    func note(_ event: AuditEvent) { kept.withLock { $0.append(event) } }
    func note(_ event: AuditEvent, in _: Connection) { note(event) }
}
