import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/user/info`: what there is to tell about the user.
    ///
    /// - Request: `{}` or nothing, encrypted for the activation.
    /// - Response: `200`, encrypted OpenID Connect claims; `sub`, `iat` in seconds and `jti` alone when nothing is known.
    /// - Errors: `ERR_ENCRYPTION`, also for an activation that is not active; `ERR_USER_INFO` for a plaintext that is no object.
    /// - Source: PowerAuth documentation, “User info”; OpenID Connect Core §5.1; published tests of the server and of the mobile SDKs,
    ///   which ask for the least of claims.
    func showUserInfo(_ request: Request) throws -> Response {
        try change { turn in
            try encryption.open(request, .activationGeneric, in: turn) { opened in
                guard opened.plaintext.isEmpty || opened.object != nil else {
                    throw MobileRefusal(.userInfo, "The decrypted request is not a JSON object.")
                }
                let claims =
                    try opened.activation.map { try UserClaims.told(of: $0.user, services.entropy, in: turn) }
                    ?? [:]
                return try encryption.sealed(.object(claims), answering: opened)
            }
        }
    }
}
