import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/clients`: answers the challenge and gets the credentials of a dynamic client.
    ///
    /// - Request: `{"identifier", "ocra_response": "12345678", "device_name"?, "device_model"?, "os_version"?}`.
    /// - Response: `201` with the members of RFC 7591 §3.2.1, `device_id`, `device_name` and `config`.
    /// - Errors: 400 `invalid_request` 9008, 400 `invalid_registration` 9008, 401 `invalid_ocra_response` 10024, 400
    ///   `invalid_datetime` 9031 with `server_time`; what `clients/challenge` says when the configuration changed meanwhile.
    ///   Five responses that were not right drop the challenge.
    /// - Source: the device protocol.
    func registerDevice(_ request: Request) throws -> Response {
        try audit.auditing(request) {
            let registered = try registration.register(RegistrationInput(request), request)
            var members = try registered.members(
                server.backChannel(request) + server.profile.paths.registration[0])
            members["config"] = try registration.configuration(of: registered.application)
            return .oauth(.object(members), status: .created)
        }
    }
}
