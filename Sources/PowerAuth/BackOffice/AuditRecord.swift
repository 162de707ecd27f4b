import Essentials
import SQLite

/// Something that was done with an activation and that the audit log tells.
struct AuditRecord: Record, Equatable {
    static let table = Table("powerauth_audit", key: "position", limit: 10_000)

    let activation: String
    let user: String
    let application: String
    /// Lower-case words, such as `signature_ok`.
    let type: String
    let data: JSONValue
    let at: Date

    /// Oldest first.
    static func all(of user: String, from: Date, to: Date, in db: Connection) throws -> [AuditRecord] {
        try db.all(AuditRecord.self, where: "user = \(user) AND at >= \(from) AND at <= \(to)")
    }
}
