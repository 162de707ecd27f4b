import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/token/create`: a MAC token; encrypted for the activation, then signed (`/pa/token/create`).
    ///
    /// - Request: `{}`, encrypted; the code covers the encrypted body.
    /// - Response: `200`, encrypted `{"tokenId","tokenSecret"}`, the secret 16 bytes in Base64.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID`; 401 `POWER_AUTH_REQUEST_INVALID` for members that the version does not have;
    ///   401 `POWER_AUTH_TOKEN_ERROR` for a body that cannot be decrypted, whose code is used up by then.
    /// - Source: PowerAuth documentation, “Token-based authentication”.
    func createToken(_ request: Request) throws -> Response {
        try change { turn in
            try authenticate(request, uriID: "/pa/token/create", types: .anyWithPossession, in: turn) {
                sender in
                try checkForm(of: request, sender.version)
                return try encryption.open(
                    request, .createToken, refusingAs: .tokenFailed, knowing: sender.activation, in: turn
                ) {
                    opened in
                    let token = try Token.create(
                        for: sender.activation, sender.type, services.entropy, in: turn)
                    return try encryption.sealed(token.told, answering: opened)
                }
            }
        }
    }

    private func checkForm(of request: Request, _ version: RequestVersion) throws {
        guard case .three(let version) = version else { return }
        do {
            _ = try EnvelopeRequest(JSONValue(parsing: request.body), version)
        } catch let fault as ProtocolFault {
            throw MobileRefusal(
                .requestInvalid,
                "The encrypted request does not fit version \(version.rawValue): \(fault).")
        } catch let error as DecodingError {
            throw MobileRefusal(.requestInvalid, "The encrypted body is not JSON: \(error.sentence).")
        }
    }
}
