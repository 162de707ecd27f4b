import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/user/info`: what there is to tell about the user.
    ///
    /// - Request: `{}`, encrypted for the activation.
    /// - Response: `200`, encrypted OpenID Connect claims, `{}` when nothing is known.
    /// - Errors: `ERR_ENCRYPTION`, also for an activation that is not active.
    /// - Source: PowerAuth documentation, «User info»; OpenID Connect Core §5.1.
    func showUserInfo(_ request: Request) throws -> Response {
        try exchange { turn in
            let opened = try open(request, .activationGeneric, in: &turn)
            let claims = try opened.activation.flatMap { try userClaims.find($0.user, in: turn.db) }
            return try sealed(.object(claims ?? [:]), answering: opened)
        }
    }
}
