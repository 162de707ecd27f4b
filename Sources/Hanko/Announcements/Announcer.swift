import HTTP
import PlatformKit

/// Tells others what a request did: the audit log, the webhooks. Always after the transaction that did it.
extension Hanko {
    /// Writes an entry of the audit log.
    ///
    /// - Parameters:
    ///   - error: what went wrong, for the types that say so.
    ///   - details: such as `flow_id`, `login_method`.
    func audit(
        _ type: AuditType, _ request: Request, userID: String? = nil, address: String? = nil,
        error: String? = nil, details: [String: String] = [:]
    ) throws {
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API shows one.
    func announce(_ event: WebhookEvent, _ request: Request, userID: String) throws {
    }

    /// Calls the webhooks that asked for `event`, with the user as the admin API showed one before.
    func announce(_ event: WebhookEvent, _ request: Request, of account: Account) throws {
    }
}
