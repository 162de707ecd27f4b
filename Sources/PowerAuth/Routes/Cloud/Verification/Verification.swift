import Essentials
import SQLite

/// What back ends hear of an authentication code, an offline code or a MAC token.
///
/// Source: “Implement Login in Mobile Apps” and the published behaviour of the PowerAuth Server.
struct Verification: Sendable {
    let outcome: AuthenticationOutcome
    /// Whether back ends hear everything: not when the activation was not active, or the application key fits no supported version
    /// of its application.
    let isWhole: Bool

    /// - Parameter before: the activation as it was before the check.
    init(_ outcome: AuthenticationOutcome, before: Activation?) {
        self.outcome = outcome
        isWhole = before?.state == .active && outcome.application != nil
    }

    /// - Parameter name: `signatureValid` or `otpValid`.
    func members(_ name: String) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            name: .boolean(outcome.isValid),
            "registrationStatus": .string((outcome.activation?.state ?? .removed).rawValue),
            "remainingAttempts": .integer(isWhole ? outcome.remainingAttempts : 0), "flags": [],
        ]
        members["registrationId"] = outcome.activation.map { .string($0.id) }
        members["blockedReason"] = outcome.activation?.blockedReason.map(JSONValue.string)
        members["signatureType"] = outcome.type.map { .string($0.rawValue) }
        if isWhole { members.merge(identity) { _, new in new } }
        return members
    }

    /// Whose activation it is, with its flags and the application.
    var identity: [String: JSONValue] {
        var members: [String: JSONValue] = [:]
        members["userId"] = outcome.activation.map { .string($0.user) }
        members["flags"] = outcome.activation.map { JSONValue($0.flags) }
        members["application"] = outcome.application.map {
            ["id": .string($0.id), "roles": JSONValue($0.roles)]
        }
        return members
    }
}
