import Essentials
import SQLite

extension PowerAuth {
    /// Remembers how a check came out: `signature_ok`, `token_failed`. Nothing of an activation that never was, nor of one that is
    /// out of the caller's reach.
    ///
    /// - Parameters:
    ///   - subject: `signature` or `token`.
    ///   - details: further members of its data, which win.
    func audit(
        _ outcome: AuthenticationOutcome, _ subject: String, details: [String: JSONValue] = [:],
        in turn: Turn
    ) throws {
        guard let activation = outcome.activation else { return }
        var data: [String: JSONValue] = ["activationStatus": .string(activation.state.rawValue)]
        data["signatureType"] = outcome.type.map { .string($0.rawValue) }
        data.merge(details) { _, new in new }
        try turn.db.insert(
            AuditRecord(
                activation: activation.id, user: activation.user, application: activation.application,
                type: subject + (outcome.isValid ? "_ok" : "_failed"), data: .object(data), at: turn.now))
    }
}
