import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/keystore/create`: a key of the server's for the encrypted requests of the next minutes; protocol 3.3.
    ///
    /// - Request: `{"requestObject":{"jwt"}}`, HS256 by the application secret or the activation's transport key.
    /// - Response: `200 {"status":"OK","responseObject":{"jwt"}}`, ES256 by the master key or the activation's server key.
    /// - Errors: `ERR_TEMPORARY_KEY` for everything.
    /// - Source: PowerAuth documentation, “Temporary keys”.
    func createTemporaryKey(_ request: Request) throws -> Response {
        guard let token = request.requestObject?["jwt"]?.string else {
            throw MobileRefusal(.temporaryKey, "The member requestObject.jwt is missing.")
        }
        let answer = try change { try TemporaryKeys(world: world).grant(token, in: $0) }
        return .powerAuth(responseObject: ["jwt": .string(answer)])
    }
}
