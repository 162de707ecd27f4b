import OpenID
import Synchronization

/// Keeps what the server tells an audit.
final class Recorder: ServerExtension {
    private let kept = Mutex<[AuditEvent]>([])

    var events: [AuditEvent] { kept.withLock { $0 } }

    func note(_ event: AuditEvent) { kept.withLock { $0.append(event) } }
}
