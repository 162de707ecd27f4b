import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/activation/detail`: the name of the activation; asks for a MAC token that was made with two factors.
    ///
    /// - Request: `{}`, encrypted for the activation.
    /// - Response: `200`, encrypted `{"status":"OK","responseObject":{"activationId","activationName"}}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_INVALID` for the token, `ERR_ENCRYPTION`, `ERR_ACTIVATION`.
    /// - Source: PowerAuth documentation, “Standard RESTful API”.
    func activationDetail(_ request: Request) throws -> Response {
        try change { turn in
            try authentication.authenticateByToken(
                request, types: [.possessionKnowledge, .possessionBiometry], in: turn,
                else: { try unauthenticated($0, in: turn) }
            ) { sender in
                try encryption.open(request, .activationGeneric, knowing: sender.activation, in: turn) {
                    opened in
                    guard opened.activation?.id == sender.activation.id else {
                        throw MobileRefusal(
                            .activation, "The token belongs to another activation than the encryption.")
                    }
                    return try encryption.sealed(Self.detail(of: sender.activation), answering: opened)
                }
            }
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
