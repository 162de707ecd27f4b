import Essentials
import PlatformKit
import SQLite

/// Something that was done with an activation and that the audit log tells.
struct AuditRecord: Record, Equatable {
    static let table = Table("powerauth_audit", key: "position", limit: limit)
    /// Of a world; the oldest go.
    static let limit = 10_000

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

extension Turn {
    /// Remembers how a check came out: `signature_ok`, `token_failed`. Nothing of an activation that never was, nor of one that is
    /// out of the caller's reach.
    ///
    /// - Parameters:
    ///   - subject: `signature` or `token`.
    ///   - details: further members of its data, which win.
    func audit(
        _ outcome: AuthenticationOutcome, _ subject: String, details: [String: JSONValue] = [:]
    ) throws {
        guard let activation = outcome.activation else { return }
        var data: [String: JSONValue] = ["activationStatus": .string(activation.state.rawValue)]
        data["signatureType"] = outcome.type.map { .string($0.rawValue) }
        data.merge(details) { _, new in new }
        try insert(
            AuditRecord(
                activation: activation.id, user: activation.user, application: activation.application,
                type: subject + (outcome.isValid ? "_ok" : "_failed"), data: .object(data), at: now))
    }
}

extension AuditRecord: AuditRow {
    var line: AuditLine {
        AuditLine(
            at: at, event: type, user: user, client: application,
            facts: [("registration", activation)]
                + (data.object ?? [:]).sorted { $0.key < $1.key }.map {
                    ($0.key, $0.value.string ?? $0.value.text)
                })
    }
}
