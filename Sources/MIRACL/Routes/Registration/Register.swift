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
    /// - Errors: `400` for a missing member or a key that is none; `403 INVALID_ACTIVATION_TOKEN`; `403 FORBIDDEN`.
    /// - Source: client-js 8; trust-sdk-android.
    func register(_ request: Request) throws -> Response {
        let input = try Members(request)
        let (userID, token) = (try input.text("userId"), try input.text("activationToken"))
        let named = try input.optionalText("projectId") ?? projectID(ofToken: token, request)
        let project = try requireProject(request, named: named)
        guard project.admits(userID) else { throw RegistrationRefusal.userNotAllowed(userID) }
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

    /// The project that the token is of, where the request names none: some clients let the token say it.
    private func projectID(ofToken token: String, _ request: Request) throws -> String? {
        guard !namesProject(request) else { return nil }
        return try database.read { db in try codes.find(Self.tokenKinds, token, db)?.projectID }
    }

    private static let tokenKinds: [OneTimeCode.Kind] = [.activation, .registration, .dvsRegister]

    private func insert(
        _ identity: Identity, _ token: String, in project: Project, _ request: Request
    ) throws -> (identity: Identity, tickets: [ShareTicket]) {
        let outcome = try database.write { db -> Result<(Identity, [ShareTicket]), RegistrationRefusal> in
            var identity = identity
            // A token for a signing key makes no identity that signs in.
            if let code = try codes.find([.dvsRegister], token, db), code.origin != .renewal {
                return .failure(.activationToken(.unknown))
            }
            switch try redeem(token, Self.tokenKinds, of: identity.userID, in: project, db) {
            case .failure(let refused): return .failure(.activationToken(refused.fault))
            case .success(let code):
                identity.origin = code.origin ?? (code.kind == .dvsRegister ? .renewal : .mail)
                identity.mpinID = code.promisedMPinID ?? identity.mpinID
                if code.kind == .dvsRegister, let old = code.mpinID { try retire(old, in: db) }
            }
            try identities.insert(identity, in: db)
            try note("registration", "registration_success", of: identity, request, in: db)
            return .success(
                (
                    identity,
                    try MasterSecret.Share.allCases.map { try makeTicket($0, for: identity, in: project, db) }
                ))
        }
        return try outcome.get()
    }

    /// An identity in whose place another one stands now.
    private func retire(_ mpinID: String, in db: Connection) throws {
        guard var old = try identities.find(mpinID, in: db) else { return }
        old.state = .revoked
        try identities.update(old, in: db)
    }
}
