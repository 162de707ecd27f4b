import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/activation/detail`: the name of the activation; asks for a MAC token that was made with two factors.
    ///
    /// - Request: `{}`, encrypted for the activation.
    /// - Response: `200`, encrypted `{"status":"OK","responseObject":{"activationId","activationName"}}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID` for the token, `ERR_ENCRYPTION`, `ERR_ACTIVATION`.
    /// - Source: PowerAuth documentation, «Standard RESTful API».
    func activationDetail(_ request: Request) throws -> Response {
        try exchange { turn in
            let sender = try authenticateByToken(
                request, types: [.possessionKnowledge, .possessionBiometry], in: &turn
            ).orRefuse()
            let opened = try open(request, .activationGeneric, in: &turn)
            guard opened.activation?.id == sender.activation.id else {
                throw MobileRefusal(
                    .activation, "The token belongs to another activation than the encryption.")
            }
            return try sealed(Self.detail(of: sender.activation), answering: opened)
        }
    }

    static func detail(of activation: Activation) -> JSONValue {
        [
            "status": "OK",
            "responseObject": [
                "activationId": .string(activation.id),
                "activationName": activation.name.map(JSONValue.string) ?? .null,
            ],
        ]
    }
}
