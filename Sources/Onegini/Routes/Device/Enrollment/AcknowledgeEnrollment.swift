import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enrollments/{enrollment_id}/ack`: the third step; from here on the profile is enrolled.
    ///
    /// - Request: an access token, and `{}`.
    /// - Response: `200 {"enrolled": true}`.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 404 `unknown_enrollment` 10015, 409 `keys_not_exchanged` 9021, 403
    ///   `profile_mismatch` 10015.
    /// - Source: the device protocol.
    func acknowledgeEnrollment(_ request: Request) throws -> Response {
        try enrollments.step(request) { user in
            _ = try Members(ofDevice: request, isOptional: true)
            try enrollments.acknowledge(request.parameter("id"), by: user, request)
            return .oauth(["enrolled": true])
        }
    }
}
