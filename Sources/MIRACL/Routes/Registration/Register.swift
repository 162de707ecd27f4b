import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /registration`: an identity for a user who has confirmed already.
    ///
    /// - Request: `{"userId", "deviceName", "activationToken", "publicKey", "pushToken"?, "deviceTag"?}`. The token is that of a
    ///   confirmation, a registration code, or what a proof of an identity brought that has to be renewed.
    /// - Response: `200 {"mpinId", "projectId", "dtas", "curve": "BN254CX", "secretUrls": [two], "pinLength", "nowTime",
    ///   "verificationType"}`.
    /// - Errors: `400` for a missing member, a key that is none, or a text that is no token by its shape; `403
    ///   INVALID_ACTIVATION_TOKEN`, whatever the project; `403 FORBIDDEN`.
    /// - Source: client-js 8; trust-sdk-android.
    func register(_ request: Request) throws -> Response {
        let input = try Members(request)
        let (userID, token) = (try input.text("userId"), try input.text("activationToken"))
        guard OneTimeCode.isShapedAsToken(token) else { throw RegistrationRefusal.activationTokenMisshapen }
        let project = try projects.require(
            request, named: input.optionalText("projectId"), ofToken: token, OneTimeCode.tokenKinds,
            of: userID,
            or: .activationToken(.unknown))
        try project.requireAdmitted(userID)
        var identity = try registrations.makeIdentity(
            of: userID, in: project, deviceName: input.optionalText("deviceName"), state: .issued, origin: nil
        )
        identity.publicKey = try Shares.publicKey(input.text("publicKey"))
        identity.pushToken = try input.optionalText("pushToken")
        let made = try registrations.insert(identity, by: token, in: project, request)
        return .answer([
            "mpinId": .string(made.identity.mpinID), "projectId": .string(project.id),
            "dtas": .string(made.identity.dtas), "curve": .string(BN254CX.name),
            "secretUrls": JSONValue(made.tickets.map { shares.url(of: $0, request) }),
            "pinLength": .integer(project.pinDigits), "nowTime": .integer(now.unixSeconds),
            "verificationType": .string(project.verificationType),
        ])
    }
}

extension OneTimeCode {
    /// Whether a text may be an activation token: 32 hexadecimal digits, the six digits of a registration code, or a JWT, which is
    /// what the vendor's own tokens are. Source: trust-sdk-android, integration tests.
    fileprivate static func isShapedAsToken(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-fA-F]{32}|[0-9]{6}|[\w-]+\.[\w-]+\.[\w-]+/) != nil
    }
}
