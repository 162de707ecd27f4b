import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `DELETE /v2/registrations/{registrationId}`: removes a registration from any state. MAC tokens and the push device go with
    /// it.
    ///
    /// - Request: nothing; `externalUserId` in the query or in a body.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`.
    /// - Source: PowerAuth Cloud documentation, registrations; `externalUserId` is *assumed*.
    func removeRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let externalUser = try request.queryItems["externalUserId"] ?? input.optionalText("externalUserId")
        try input.check()
        try change { turn in
            let activation = try requireRegistration(request.parameter("registration"), of: user, in: turn)
            _ = try activations.remove(activation, by: externalUser, revokingRecoveryCodes: true, in: turn)
        }
        return .cloudOK
    }
}
