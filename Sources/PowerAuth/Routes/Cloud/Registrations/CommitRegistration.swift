import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /v2/registrations/{registrationId}/commit`: makes a registration active after its key exchange.
    ///
    /// - Request: `{"externalUserId"?, "otp"?}`, or nothing.
    /// - Response: `200 {"status": "OK"}`.
    /// - Errors: `ERROR_REGISTRATION_NOT_FOUND`, `ERROR_REGISTRATION_CHANGE` for another state, an end in the past, and an OTP that
    ///   is wrong (counted), missing or asked for in the other phase.
    /// - Source: PowerAuth Cloud documentation, registrations; the name of `otp` is *assumed*.
    func commitRegistration(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let externalUser = try input.optionalText("externalUserId")
        let otp = try input.optionalText("otp").flatMap { $0.isEmpty ? nil : $0 }
        try input.check()
        try change { turn in
            let activation = try requireRegistration(
                request.parameter("registration"), of: user, asStored: true, in: turn)
            do {
                _ = try activations.commit(activation, otp: otp, by: externalUser, in: turn)
            } catch let refusal as ActivationRefusal {
                throw CloudRefusal(refusal)
            }
        }
        return .cloudOK
    }
}
