import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/registrations/{registrationId}`: what became of a registration.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the members of a listed registration and `userId`; the code while it is CREATED,
    ///   `activationFingerprint` while it waits for the commit. One that ran out of time is REMOVED.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`.
    /// - Source: PowerAuth Cloud documentation, registrations.
    func showRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        return try change { turn in
            let activation = try requireRegistration(request.parameter("registration"), of: user, in: turn)
            return .flat(try shownMembers(of: activation, in: turn.db))
        }
    }

    /// Everything that is told of one registration.
    func shownMembers(of activation: Activation, in db: Connection) throws -> [String: JSONValue] {
        var members = registrationMembers(of: activation)
        members["userId"] = .string(activation.user)
        if activation.state == .created {
            members.merge(try codeMembers(of: activation, in: db)) { own, _ in own }
        }
        if activation.state == .pendingCommit {
            members["activationFingerprint"] = try activation.fingerprint(in: db).map(JSONValue.string)
        }
        return members
    }

    /// What lists tell of a registration.
    func registrationMembers(of activation: Activation) -> [String: JSONValue] {
        var members: [String: JSONValue] = [
            "registrationId": .string(activation.id),
            "registrationStatus": .string(activation.state.rawValue),
            "applicationId": .string(activation.application), "flags": JSONValue(activation.flags),
            "timestampCreated": activation.createdAt.cloudTime,
            "timestampLastUsed": activation.lastUsedAt.cloudTime,
        ]
        members["blockedReason"] = activation.blockedReason.map(JSONValue.string)
        members["name"] = activation.name.map(JSONValue.string)
        members["platform"] = activation.platform.map(JSONValue.string)
        members["deviceInfo"] = activation.deviceInfo.map(JSONValue.string)
        return members
    }
}
