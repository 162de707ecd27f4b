import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /activate/initiate`: a back end that knows its user begins the registration of a device.
    ///
    /// - Request: credentials of an application or service account, and `{"userId", "deviceName"}`.
    /// - Response: `200 {"mpinId", "hashMPinId", "actToken", "expireTime", "redirectURI": ""}`: the M-Pin id that a registration with the
    ///   token gets. The browser goes to `/authorize` next, with `prerollid` and `acttoken`.
    /// - Errors: `401 UNAUTHORIZED`, `400` without a user id, `403 FORBIDDEN` for a user who may not register.
    /// - Source: the vendor's documentation of custom user verification and of the back end API.
    func initiateActivation(_ request: Request) throws -> Response {
        let project = try projects.requireBackEnd(request).project
        let input = try Members(request)
        let userID = try input.text("userId")
        try project.requireAdmitted(userID)
        let identity = try registrations.makeIdentity(
            of: userID, in: project, deviceName: input.optionalText("deviceName"), state: .verified,
            origin: .custom)
        var code = verifications.makeActivationToken(of: userID, in: project, origin: .custom)
        (code.mpinID, code.deviceName) = (identity.mpinID, try input.optionalText("deviceName"))
        let token = code
        try world.change { turn in try turn.insert(token) }
        return .answer([
            "mpinId": .string(identity.mpinID), "hashMPinId": .string(identity.hashMPinID),
            "actToken": .string(token.text), "expireTime": .integer(token.expiresAt.unixSeconds),
            "redirectURI": "",
        ])
    }

    /// `POST /rps/v2/user/{mpinId}` and `/rps/user/{mpinId}`: the customer's verifier is content with the user.
    ///
    /// - Request: `{"activateKey"}`, as the verifier was told it.
    /// - Response: `200 {}`; the registration is verified.
    /// - Errors: `400` without the key; `401` for a key that is another, and for a registration that does not wait.
    /// - Source: Milagro MFA server.
    func activateIdentity(_ request: Request) throws -> Response {
        let (mpinID, key) = (request.parameter("id").lowercased(), try Members(request).text("activateKey"))
        try world.change { turn in
            guard var identity = try Identity.find(mpinID, in: turn.db), identity.state == .pending,
                identity.isRegistering(at: turn.now)
            else { throw VerificationRefusal.activationUnknown(mpinID) }
            guard
                let code = try OneTimeCode.find(
                    [.custom], key, of: identity.userID, in: identity.projectID, turn.db),
                code.mpinID == mpinID, code.fault(at: turn.now) == nil
            else { throw VerificationRefusal.activateKeyWrong }
            try code.spend(in: turn)
            (identity.state, identity.origin) = (.verified, .custom)
            try turn.update(identity)
            try turn.audit("registration", "registration_verified", of: identity, request)
        }
        return .answer([:])
    }
}
