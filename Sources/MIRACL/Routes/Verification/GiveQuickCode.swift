import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /verification/quickcode`: a registered device brings in another one of its user.
    ///
    /// - Request: `{"projectId", "jwt", "deviceName"}`; the JWT is that of a proof with the scope `reg-code`.
    /// - Response: `200 {"code", "expireTime", "ttlSeconds"}`: six digits, which the other device confirms.
    /// - Errors: `401 UNAUTHORIZED` for a JWT that is none, or of an identity that is gone; `403 LIMITED_QUICKCODE_GENERATION`; `403
    ///   FORBIDDEN` where the project gives out no codes.
    /// - Source: trust-sdk-android and trust-sdk-ios; client-js 8.
    func giveQuickCode(_ request: Request) throws -> Response {
        let input = try Members(request)
        let project = try projects.require(request, named: input.optionalText("projectId"))
        let claims = try verifications.requireJWT(input.text("jwt"), in: project, request)
        guard project.offersRegistrationCodes else { throw VerificationRefusal.codesOff }
        let code = try world.change { turn in
            guard let hash = claims["hash_mpin_id"]?.string,
                let identity = try turn.first(Identity.self, where: "hash = \(hash)"),
                identity.projectID == project.id, identity.state == .active, !identity.isExpired(at: turn.now)
            else {
                throw VerificationRefusal.jwtRefused(
                    "The JWT is of an identity that is not active in this world.")
            }
            if project.limitRegCodeVerified ?? false, let origin = identity.origin, origin.isByCode {
                throw VerificationRefusal.codesLimited(origin)
            }
            guard claims["scope"]?.strings?.contains(Scope.regCode) ?? false else {
                throw VerificationRefusal.jwtRefused(
                    "The JWT is of a proof with the scope \(claims["scope"]?.text ?? "of none"), expected \(Scope.regCode)."
                )
            }
            let code = OneTimeCode(
                kind: .quickCode, text: world.digits(for: "quick_code"), projectID: project.id,
                userID: identity.userID, origin: .quickCode, createdAt: now,
                expiresAt: world.time(in: project.codeSeconds))
            try turn.insert(code)
            return code
        }
        return .answer([
            "code": .string(code.text), "expireTime": .integer(code.expiresAt.unixSeconds),
            "ttlSeconds": .integer(project.codeSeconds),
        ])
    }
}

extension Identity.Origin {
    /// Whether another device of the user vouched for it.
    var isByCode: Bool { self == .quickCode || self == .registrationCode }
}
