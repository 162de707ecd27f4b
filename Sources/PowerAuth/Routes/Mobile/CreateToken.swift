import Crypto
import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/token/create`: a MAC token; encrypted for the activation, then signed (`/pa/token/create`).
    ///
    /// - Request: `{}`, encrypted; the code covers the encrypted body.
    /// - Response: `200`, encrypted `{"tokenId","tokenSecret"}`, the secret 16 bytes in Base64.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`; 401 `POWER_AUTH_REQUEST_INVALID` for members that the version does not have;
    ///   401 `POWER_AUTH_TOKEN_ERROR` for a body that cannot be decrypted, whose code is used up by then.
    /// - Source: PowerAuth documentation, «Token-based authentication».
    func createToken(_ request: Request) throws -> Response {
        try exchange { turn in
            let sender = try authenticate(
                request, uriID: "/pa/token/create", types: .anyWithPossession, in: &turn
            ).orRefuse()
            do {
                let members = try JSONValue(parsing: request.body)
                _ = try EnvelopeRequest(members, sender.version)
            } catch let fault as ProtocolFault {
                throw MobileRefusal(
                    .requestInvalid,
                    "The encrypted request does not fit version \(sender.version.rawValue): \(fault).")
            } catch let error as DecodingError {
                throw MobileRefusal(.requestInvalid, "The encrypted body is no JSON: \(error.sentence).")
            }
            let opened = try open(request, .createToken, refusingAs: .tokenFailed, in: &turn)
            let token = try createToken(for: sender.activation, sender.type, in: &turn)
            return try sealed(
                ["tokenId": .string(token.id), "tokenSecret": .string(Base64.encode(token.secret.bytes))],
                answering: opened)
        }
    }
}
