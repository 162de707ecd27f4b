import Crypto
import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v4/token/create`: a MAC token (`/pa/token/create`); encrypted for the activation, the code over what was sent.
    ///
    /// - Request: `{}` or nothing, encrypted.
    /// - Response: `200`, encrypted `{"tokenId","tokenSecret"}`, the secret 32 bytes in Base64.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; 401 `POWER_AUTH_TOKEN_ERROR` for a body that cannot be decrypted, whose code is used up
    ///   by then.
    /// - Source: PowerAuth documentation 2.x, “Token-based authentication”.
    func createToken4(_ request: Request) throws -> Response {
        try change { turn in
            try authenticateEncrypted4(
                request, .createToken, types: .anyOf4, refusingAs: .tokenFailed, in: turn
            ) { sender, opened, _ in
                let token = try Token.create(
                    for: sender.activation, sender.type, secretCount: V4.keyCount, services.entropy, in: turn)
                return try aeadEncryption.sealed(token.told, answering: opened)
            }
        }
    }

    /// `POST /pa/v4/token/remove`: `/pa/token/remove`.
    ///
    /// - Request: `{"requestObject":{"tokenId"}}`.
    /// - Response: `200 {"status":"OK","responseObject":{"tokenId"}}`, also for a token that there is not, or that is another
    ///   activation's and stays.
    /// - Errors: 401 `POWER_AUTH_CODE_INVALID`; `ERR_VALIDATION` without `tokenId`.
    /// - Source: PowerAuth documentation 2.x, “Token-based authentication”.
    func removeToken4(_ request: Request) throws -> Response {
        let id = try change { turn in
            try authenticate4(request, uriID: "/pa/token/remove", types: .anyOf4, in: turn) { sender in
                let id = try requiredText4(request, "tokenId")
                try Token.remove(id, of: sender.activation.id, in: turn.db)
                return id
            }
        }
        return .powerAuth(responseObject: ["tokenId": .string(id)])
    }
}
