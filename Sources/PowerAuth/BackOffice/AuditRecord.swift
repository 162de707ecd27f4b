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

    /// Whether it is of a signature by a device's own key, which only the management API of servers 2.x tells.
    var isOfDeviceKey: Bool { type.hasPrefix("dsa_") }

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
    ///   - format: of the code, where one was checked.
    ///   - details: further members of its data, which win.
    func audit(
        _ outcome: AuthenticationOutcome, _ subject: String, _ format: AuthenticationCodeFormat? = nil,
        details: [String: JSONValue] = [:]
    ) throws {
        guard let activation = outcome.activation else { return }
        var data: [String: JSONValue] = [:]
        data["signatureType"] = outcome.type.map { .string($0.rawValue) }
        if let format {
            data["signatureAlgorithm"] = .string("PowerAuth-V\(activation.generation ?? 3)")
            data["signatureFormat"] = .string(format.auditName)
        }
        try audit(activation, subject, isValid: outcome.isValid, data.merging(details) { $1 })
    }

    /// The same of a signature by a device's own key.
    ///
    /// - Parameters:
    ///   - algorithm: `ECDSA_P384`, `MLDSA_65`.
    ///   - format: `DER`, `JOSE`, `BASE64`.
    func audit(
        signatureOf activation: Activation, _ algorithm: String, _ format: String, isValid: Bool
    ) throws {
        try audit(
            activation, "dsa", isValid: isValid,
            ["signatureAlgorithm": .string(algorithm), "signatureFormat": .string(format)])
    }

    private func audit(
        _ activation: Activation, _ subject: String, isValid: Bool, _ details: [String: JSONValue]
    ) throws {
        let data: [String: JSONValue] = [
            "activationStatus": .string(activation.state.rawValue),
            "version": .integer(activation.generation ?? 3),
        ]
        try insert(
            AuditRecord(
                activation: activation.id, user: activation.user, application: activation.application,
                type: subject + (isValid ? "_ok" : "_failed"), data: .object(data.merging(details) { $1 }),
                at: now))
    }
}

extension AuthenticationCodeFormat {
    /// As the audit log of servers 2.x calls it.
    fileprivate var auditName: String {
        switch self {
        case .decimal: "DECIMAL"
        case .base64, .wholeBase64: "BASE64"
        }
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
