import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `PUT /rps/v2/user/{mpinId}`: the mail did not come; the same identity again.
    ///
    /// - Request: `{"userId", "regOTT", "deviceName"?, "pushToken"?}`.
    /// - Response: as ``startRegistration(_:)``, with the same M-Pin id. A new mail, unless the identity is verified already.
    /// - Errors: `404 REGISTRATION_EXPIRED` for an unknown id or a registration that is over; `403` for a wrong `regOTT`.
    /// - Source: Milagro documentation, registration methods of the mobile SDK; Milagro MFA SDK core.
    func restartRegistration(_ request: Request) throws -> Response {
        let input = try Members(request)
        let (mpinID, regOTT) = (request.parameter("id").lowercased(), try input.text("regOTT"))
        let own = try database.read { db in try Identity.find(mpinID, in: db)?.projectID }
        let project = try projects.require(request, named: input.optionalText("projectId"), or: own)
        var identity = try world.change { turn in
            guard var identity = try Identity.find(mpinID, in: turn.db), identity.projectID == project.id
            else {
                throw RegistrationRefusal.identityUnknown(mpinID)
            }
            guard identity.regOTT.isSame(as: regOTT) else {
                throw RegistrationRefusal.regOTTWrong(isRestart: true)
            }
            guard identity.state == .pending || identity.state == .verified else {
                throw RegistrationRefusal.registrationOver(identity.state)
            }
            identity.registrationExpiresAt = world.time(in: project.registrationSeconds)
            try turn.update(identity)
            if identity.state == .pending {
                try verifications.sendVerification(of: identity, in: project, request, in: turn)
            }
            try turn.audit("registration", "registration_restarted", of: identity, request)
            return identity
        }
        identity = try verifications.askVerifier(about: identity, in: project, input, isResend: true, request)
        return .answer(registrations.answer(identity, in: project))
    }
}
