import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/token/remove`: signed (`/pa/token/remove`).
    ///
    /// - Request: `{"requestObject":{"tokenId"}}`.
    /// - Response: `200 {"status":"OK","responseObject":{"tokenId"}}`, also for a token that there is not, or that is another
    ///   activation's and stays.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`; 401 `POWER_AUTH_REQUEST_INVALID` without `tokenId`.
    /// - Source: PowerAuth documentation, “Token-based authentication”.
    func removeToken(_ request: Request) throws -> Response {
        let id = try change { turn in
            try authenticate(request, uriID: "/pa/token/remove", types: .anyWithPossession, in: turn) {
                sender in
                guard let id = request.requestObject?["tokenId"]?.string else {
                    throw MobileRefusal(.requestInvalid, "The member requestObject.tokenId is missing.")
                }
                try Token.remove(id, of: sender.activation.id, in: turn.db)
                return id
            }
        }
        return .powerAuth(responseObject: ["tokenId": .string(id)])
    }
}
