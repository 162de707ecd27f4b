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
        let project = try requireProject(
            request, named: input.optionalText("projectId"), ofToken: token, Self.activationKinds, of: userID,
            or: .activationToken(.unknown))
        try requireAdmitted(userID, in: project)
        var identity = try makeIdentity(
            of: userID, in: project, deviceName: input.optionalText("deviceName"), state: .issued, origin: nil
        )
        identity.publicKey = try publicKey(input.text("publicKey"))
        identity.pushToken = try input.optionalText("pushToken")
        let made = try insert(identity, token, in: project, request)
        return .answer([
            "mpinId": .string(made.identity.mpinID), "projectId": .string(project.id),
            "dtas": .string(made.identity.dtas), "curve": .string(BN254CX.name),
            "secretUrls": JSONValue(made.tickets.map { url(of: $0, request) }),
            "pinLength": .integer(project.pinDigits), "nowTime": .integer(now.unixSeconds),
            "verificationType": .string(project.verificationType),
        ])
    }

    private static let activationKinds: [OneTimeCode.Kind] = [.activation, .registration, .dvsRegister]

    private func insert(
        _ identity: Identity, _ token: String, in project: Project, _ request: Request
    ) throws -> (identity: Identity, tickets: [ShareTicket]) {
        try world.change { turn in
            var identity = identity
            // A token for a signing key makes no identity that signs in.
            if let code = try OneTimeCode.find([.dvsRegister], token, turn.db), code.origin != .renewal {
                throw RegistrationRefusal.activationToken(.unknown)
            }
            let code = try redeem(token, Self.activationKinds, of: identity.userID, in: project, turn) {
                .activationToken($0)
            }
            identity.origin = code.origin ?? (code.kind == .dvsRegister ? .renewal : .mail)
            identity.mpinID = code.promisedMPinID ?? identity.mpinID
            if code.kind == .dvsRegister { identity.renewal = Renewal(predecessor: code.mpinID) }
            try turn.insert(identity)
            try note("registration", "registration_success", of: identity, request, in: turn)
            let made = identity
            return (
                made, try MasterSecret.Share.allCases.map { try makeTicket($0, for: made, in: project, turn) }
            )
        }
    }
}

extension OneTimeCode {
    /// Whether a text may be an activation token: 32 hexadecimal digits, the six digits of a registration code, or a JWT, which is
    /// what the vendor's own tokens are. Source: trust-sdk-android, integration tests.
    fileprivate static func isShapedAsToken(_ text: String) -> Bool {
        text.wholeMatch(of: /[0-9a-fA-F]{32}|[0-9]{6}|[\w-]+\.[\w-]+\.[\w-]+/) != nil
    }
}
