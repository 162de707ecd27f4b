import OpenID
import PlatformKit
import SQLite
import Synchronization

/// Keeps what the server tells its audit.
final class AuditTray: ServerExtension {
    private let kept = Mutex<[AuditEvent]>([])
    var events: [AuditEvent] { kept.withLock { $0 } }
    func note(_ event: AuditEvent) { kept.withLock { $0.append(event) } }
    func note(_ event: AuditEvent, in _: Connection) { note(event) }
}

/// Keeps the calls to other back ends, which nobody makes.
final class CallbackTray: Sendable {
    private let kept = Mutex<[Callback]>([])
    var calls: [Callback] { kept.withLock { $0 } }
    var callbacks: Callbacks { Callbacks { [self] call in kept.withLock { $0.append(call) } } }
}
