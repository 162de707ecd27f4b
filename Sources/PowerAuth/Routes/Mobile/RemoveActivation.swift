import Essentials
import HTTP

extension PowerAuth {
    /// `POST /pa/v3/activation/remove`: signed (`/pa/activation/remove`, two or three factors).
    ///
    /// - Request: anything; the code covers it.
    /// - Response: `200 {"status":"OK","responseObject":{"activationId"}}`.
    /// - Errors: 401 `POWER_AUTH_SIGNATURE_TYPE_INVALID` for a type that is not accepted, 401 `POWER_AUTH_SIGNATURE_INVALID`.
    /// - Source: PowerAuth documentation, «Standard RESTful API»; *assumed* is 401 for a missing header.
    func removeActivation(_ request: Request) throws -> Response {
        let removed = try exchange { turn in
            let check = try authenticate(request, uriID: "/pa/activation/remove", in: &turn)
            if case .failure(let refusal) = check, case .typeNotAllowed = refusal.cause {
                throw MobileRefusal(.signatureTypeInvalid, because: refusal)
            }
            return try remove(
                check.orRefuse().activation, by: nil, revokingRecoveryCodes: false, in: &turn)
        }
        return .powerAuth(responseObject: ["activationId": .string(removed.id)])
    }
}
