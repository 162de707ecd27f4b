import Essentials
import HTTP
import PlatformKit

extension PowerAuth {
    /// `POST /pa/v3/activation/remove`: signed (`/pa/activation/remove`, two or three factors).
    ///
    /// - Request: anything; the code covers it.
    /// - Response: `200 {"status":"OK","responseObject":{"activationId"}}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_TYPE_INVALID` for a type that is not accepted, 401 `POWER_AUTH_SIGNATURE_INVALID`.
    /// - Source: PowerAuth documentation, “Standard RESTful API”; *assumed* is 401 for a missing header.
    func removeActivation(_ request: Request) throws -> Response {
        let removed = try change { turn in
            let generation = try world.settings(in: turn.db).messageGeneration
            return try authentication.authenticate(
                request, uriID: "/pa/activation/remove", generation: 3, in: turn,
                else: { refusal in
                    MobileRefusal(
                        refusal.isOfType ? .signatureTypeInvalid(generation) : .signatureInvalid(generation),
                        because: refusal)
                }
            ) {
                try activations.remove($0.activation, by: nil, revokingRecoveryCodes: false, in: turn)
            }
        }
        return .powerAuth(responseObject: ["activationId": .string(removed.id)])
    }
}
