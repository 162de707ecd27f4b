import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/user/info`: what there is to tell about the user.
    ///
    /// - Request: `{}`, encrypted for the activation.
    /// - Response: `200`, encrypted OpenID Connect claims; `sub`, `iat` in seconds and `jti` alone when nothing is known.
    /// - Errors: `ERR_ENCRYPTION`, also for an activation that is not active.
    /// - Source: PowerAuth documentation, «User info»; OpenID Connect Core §5.1; published tests of the server and of the mobile SDKs,
    ///   which ask for the least of claims.
    func showUserInfo(_ request: Request) throws -> Response {
        try exchange { turn in
            let opened = try open(request, .activationGeneric, in: &turn)
            guard let user = opened.activation?.user else { return try sealed([:], answering: opened) }
            let claims = try userClaims.find(user, in: turn.db) ?? leastClaims(of: user, at: turn.now)
            return try sealed(.object(claims), answering: opened)
        }
    }

    private func leastClaims(of user: String, at now: Date) -> [String: JSONValue] {
        [
            "sub": .string(user), "iat": .integer(now.milliseconds / 1000),
            "jti": .string(services.entropy.uuid(for: "powerauth.user-info")),
        ]
    }
}
